import { FLAWS } from '../../skills/file-facts.ts';
import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Qwen Code 0.24.4' });

/** Names of its built-in skills. */
const BUILT_IN = [
  'batch',
  'browser-use',
  'computer-use',
  'dataviz',
  'extension-creator',
  'goal-draft',
  'loop',
  'new-app',
  'qc-helper',
  'review',
  'simplify',
  'stuck',
  'workflow-authoring',
  'workflow-creator',
] as const;

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
    refuses: [],
    unknown: FLAWS,
  },
  copies: 'ranked',
  order: 'name-everywhere',
  manual: 'honored',
  manualForms: ['true', 'text'],
  paths: 'honored',
  hidesAllPaths: true,
  budget: { kind: 'none', unit: 'characters' },
  builtIn: BUILT_IN.map((name) => ({ name, fixed: true })),
  facts: {
    places: observed(
      'reads .qwen/skills and .agents/skills in the home and in the working folder, one level deep; neither the folders above it nor .claude/skills',
    ),
    copies: observed('the project before the home'),
    files: observed(
      'requires a name without blanks, colons and slashes, and a description; when_to_use follows after a dash',
    ),
    budget: observed(
      '1,000 skills with descriptions of one line are listed whole, sorted by name together with 14 built-in ones; in a long list, only the first line of a description is left, which is not predicted',
    ),
    settings: observed('disable-model-invocation is honored as true and "true", and paths hide a skill, also ** alone'),
  },
};
