import { FLAWS } from '../../skills/file-facts.ts';
import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Kimi Code 2.1.0' });

/** Kimi Code also lists flat `x.md` files, which are not skills of the specification and are not surveyed. */
export const kimi: Profile = {
  id: 'kimi',
  name: 'Kimi Code',
  version: '2.1.0',
  traces: { home: ['.kimi-code'], project: ['.kimi-code'], commands: ['kimi'] },
  places: [
    place('root', '.agents/skills', 0, { part: 0 }),
    place('root', '.kimi-code/skills', 0, { part: 0 }),
    place('home', '.agents/skills', 1, { part: 1 }),
    place('home', '.kimi-code/skills', 1, { part: 1 }),
  ],
  above: 'nothing-without-git',
  walk: {
    deepest: Number.POSITIVE_INFINITY,
    shallowest: 1,
    hidden: false,
    nodeModules: false,
    insideSkills: false,
    linkedFiles: false,
    anyCase: false,
    unknown: ['shallowest', 'hidden', 'nodeModules', 'insideSkills', 'linkedFiles', 'anyCase'],
  },
  reading: {
    name: 'frontmatter',
    numberName: 'refused',
    description: 'required',
    descriptionMax: 250,
    mark: '...',
    countsIn: 'graphemes',
    breaks: 'trimmed',
    beforeWhenToUse: '\n  When to use: ',
    refuses: [],
    unknown: FLAWS,
  },
  copies: 'ranked',
  order: 'name-by-locale',
  builtInLast: true,
  manual: 'honored',
  manualForms: ['true'],
  paths: 'ignored',
  budget: { kind: 'none', unit: 'characters' },
  builtIn: ['check-kimi-code-docs', 'update-config', 'write-goal'].map((name) => ({ name, fixed: true })),
  facts: {
    places: observed(
      'reads .agents/skills and .kimi-code/skills in the home and in the repository root, at any depth; flat .md files there are listed too, and are not shown here',
    ),
    copies: observed('the project before the home'),
    files: observed(
      'requires a name that is text and a description; cuts a description to 250 characters; when_to_use follows on a line of its own',
    ),
    budget: observed(
      '1,000 skills with descriptions of 200 characters are listed whole, and three built-in ones after them',
    ),
    settings: observed('disable-model-invocation is honored as true only; paths change nothing'),
  },
};
