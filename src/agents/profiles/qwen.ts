import { FLAWS } from '../../skills/file-facts.ts';
import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Qwen Code 0.24.4' });

/** Its built-in skills, with the length of their descriptions in markup. */
const BUILT_IN = {
  batch: 202,
  'browser-use': 98,
  'computer-use': 170,
  dataviz: 273,
  'extension-creator': 425,
  'goal-draft': 514,
  loop: 248,
  'new-app': 295,
  'qc-helper': 333,
  review: 676,
  simplify: 297,
  stuck: 223,
  'workflow-authoring': 293,
  'workflow-creator': 219,
} as const;

export const qwen: Profile = {
  id: 'qwen',
  name: 'Qwen Code',
  version: '0.24.4',
  traces: { home: ['.qwen'], project: ['.qwen'], commands: ['qwen'] },
  places: [
    place('working', '.qwen/skills', 0),
    place('working', '.agents/skills', 0),
    place('home', '.qwen/skills', 1),
    place('home', '.agents/skills', 1),
  ],
  above: 'nothing-without-git',
  walk: {
    deepest: 1,
    shallowest: 1,
    hidden: false,
    nodeModules: false,
    insideSkills: false,
    linkedFiles: false,
    anyCase: false,
    unknown: ['shallowest', 'nodeModules', 'hidden', 'linkedFiles', 'anyCase'],
  },
  reading: {
    name: 'frontmatter',
    nameRefuses: { pattern: /[\s:/]/u, named: 'a blank, a colon or a slash' },
    numberName: 'text',
    description: 'required',
    breaks: 'kept',
    beforeWhenToUse: ' — ',
    hasFirstLine: true,
    refuses: [],
    unknown: FLAWS,
  },
  copies: 'ranked',
  order: 'name-everywhere',
  manual: 'honored',
  manualForms: ['true', 'text'],
  paths: 'honored',
  hidesAllPaths: true,
  budget: { kind: 'first-line', unit: 'characters', limit: 8_000 },
  builtIn: Object.entries(BUILT_IN).map(([name, characters]) => ({ name, characters, fixed: true })),
  facts: {
    places: observed(
      'reads .qwen/skills and .agents/skills in the home and in the working folder, one level deep; neither the folders above it nor .claude/skills',
    ),
    copies: observed('the project before the home'),
    files: observed(
      'requires a name without blanks, colons and slashes, and a description; when_to_use follows after a dash',
    ),
    budget: observed(
      'the list has no limit and is sorted by name together with 14 built-in skills; if it has more than 8,000 characters, it has only the first line of each description, without when_to_use',
    ),
    settings: observed('disable-model-invocation is honored as true and "true", and paths hide a skill, also ** alone'),
  },
};
