import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Codex 0.169.0' });

const BUILT_IN = [
  { name: 'imagegen', characters: 570, fixed: false },
  { name: 'openai-docs', characters: 624, fixed: false },
  { name: 'skill-creator', characters: 106, fixed: false },
  { name: 'skill-installer', characters: 225, fixed: false },
];

export const codex: Profile = {
  id: 'codex',
  name: 'Codex',
  version: '0.169.0',
  traces: { home: ['.codex'], project: ['.codex'], commands: ['codex'] },
  places: [
    place('home', '.codex/skills/.system', 0, {
      variable: { name: 'CODEX_HOME', below: 'skills/.system' },
      part: 0,
      builtIn: true,
    }),
    place('project', '.codex/skills', 1, { part: 1 }),
    place('project', '.agents/skills', 1, { part: 1 }),
    place('home', '.codex/skills', 2, { variable: { name: 'CODEX_HOME', below: 'skills' }, part: 2 }),
    place('home', '.agents/skills', 2, { part: 2 }),
    place('machine', '/etc/codex/skills', 3, { part: 3 }),
  ],
  above: 'nothing-without-git',
  walk: {
    deepest: 6,
    shallowest: 0,
    hidden: false,
    nodeModules: true,
    insideSkills: true,
    linkedFiles: false,
    anyCase: false,
  },
  reading: {
    name: 'frontmatter-or-folder',
    nameMax: 64,
    description: 'required',
    descriptionMax: 1_024,
    mark: '...',
    countsIn: 'code-points',
    breaks: 'collapsed',
    refuses: [
      'byte-order-mark',
      'blank-before-fence',
      'no-fence',
      'unclosed-fence',
      'fence-text',
      'repeated-key',
      'tab',
      'end-colon',
      'odd-start',
      'quotes',
      'list',
      'other-yaml',
    ],
    unknown: ['map', 'other-key'],
  },
  copies: 'all',
  order: 'name',
  manual: 'ignored',
  paths: 'ignored',
  budget: { kind: 'dealt-out', unit: 'tokens', window: 272_000, fraction: 0.02 },
  builtIn: BUILT_IN,
  earlier: {
    before: '0.169.0',
    version: '0.166.0',
    builtIn: BUILT_IN.map((skill) => (skill.name === 'openai-docs' ? { ...skill, characters: 459 } : skill)),
  },
  settings: 'codex',
  facts: {
    places: observed(
      'reads .codex/skills and .agents/skills from the repository root to the working folder and in the home, six levels deep; it does not read .claude/skills',
    ),
    copies: observed('copies with the same name are all listed'),
    files: observed(
      'requires a description and clean fences; repairs unquoted colons and brackets; names have at most 64 characters',
    ),
    budget: observed(
      'the list gets 2% of the window, 5,440 tokens by default; all descriptions are cut to the same length, without an ellipsis',
    ),
    settings: observed(
      '[[skills.config]] in the user’s config.toml disables skills; disable-model-invocation has no effect',
    ),
  },
};
