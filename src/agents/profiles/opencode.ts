import type { WalkRules } from '../../skills/walk-rules.ts';
import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'opencode 1.18.33' });

const WALK: WalkRules = {
  deepest: Number.POSITIVE_INFINITY,
  shallowest: 0,
  hidden: true,
  nodeModules: true,
  insideSkills: true,
  linkedFiles: true,
  anyCase: false,
};

export const opencode: Profile = {
  id: 'opencode',
  name: 'opencode',
  version: '1.18.33',
  traces: {
    home: ['.config/opencode', '.opencode'],
    project: ['.opencode', 'opencode.json', 'opencode.jsonc'],
    commands: ['opencode'],
  },
  places: [
    place('home', '.claude/skills', 0),
    place('home', '.agents/skills', 0),
    place('project', '.claude/skills', 0),
    place('project', '.agents/skills', 0),
    place('project', '.opencode/skills', 0),
    place('project', '.opencode/skill', 0),
    place('home', '.opencode/skills', 0),
    place('home', '.opencode/skill', 0),
    place('home', '.config/opencode/skills', 0),
    place('home', '.config/opencode/skill', 0),
  ],
  above: 'everything-without-git',
  walk: WALK,
  addedWalk: { ...WALK, hidden: false },
  reading: {
    name: 'frontmatter',
    description: 'may-be-empty',
    breaks: 'kept',
    refuses: [
      'blank-before-fence',
      'no-fence',
      'repeated-key',
      'repeated-other',
      'reserved-start',
      'odd-start',
      'quotes',
      'number',
      'list',
      'map',
      'tag',
      'other-yaml',
    ],
    // OpenCode parses the rest of the file as YAML, which may fail.
    unknown: ['unclosed-fence', 'other-key'],
  },
  copies: 'undetermined',
  order: 'name-everywhere',
  manual: 'ignored',
  paths: 'ignored',
  budget: { kind: 'none', unit: 'characters' },
  builtIn: [{ name: 'customize-opencode', fixed: true }],
  settings: 'opencode',
  facts: {
    places: observed(
      'reads .claude/skills, .agents/skills and .opencode/skills in the home and up to the repository root, at any depth; also the folders in skills.paths of the last configuration file that has it, relative to the working folder; skills.urls are not followed here',
    ),
    copies: observed('which of several copies with the same name wins varies from run to run'),
    files: observed('requires a name, a description in text form and clean fences; repairs only unquoted colons'),
    budget: observed('the list has no limit'),
    settings: observed(
      'permission.skill patterns with "deny" hide skills, and the last matching pattern counts; disable-model-invocation has no effect',
    ),
  },
};
