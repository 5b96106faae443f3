import { place } from '../places.ts';
import type { Fact, Profile } from '../profile.ts';

const observed = (fact: string): Fact => ({ fact, source: 'observed', version: 'Claude Code 2.1.327' });

export const claude: Profile = {
  id: 'claude',
  name: 'Claude Code',
  version: '2.1.327',
  traces: { home: ['.claude', '.claude.json'], project: ['.claude', 'CLAUDE.md'], commands: ['claude'] },
  places: [
    place('machine', '/etc/claude-code/.claude/skills', 0),
    place('home', '.claude/skills', 1, { variable: { name: 'CLAUDE_CONFIG_DIR', below: 'skills' } }),
    place('project', '.claude/skills', 2),
  ],
  above: 'everything-without-git',
  walk: {
    deepest: 1,
    shallowest: 1,
    hidden: true,
    nodeModules: true,
    insideSkills: false,
    linkedFiles: true,
    anyCase: false,
  },
  reading: {
    name: 'folder',
    description: 'or-first-line',
    descriptionMax: 1_536,
    mark: '…',
    breaks: 'blanks',
    isMarkup: true,
    refuses: [],
    unknown: [],
    ignores: ['quotes', 'end-colon', 'other-yaml'],
    isBody: ['no-fence', 'unclosed-fence', 'blank-before-fence', 'fence-text'],
  },
  copies: 'best-rank',
  order: 'folder',
  manual: 'honored',
  paths: 'honored',
  budget: { kind: 'whole-or-name', unit: 'characters', window: 1_000_000, fraction: 0.01 },
  builtIn: [
    { name: 'dataviz', characters: 1_436, fixed: true },
    { name: 'update-config', characters: 690, fixed: true },
    { name: 'keybindings-help', characters: 228, fixed: true },
    { name: 'code-review', characters: 825, fixed: true },
    { name: 'simplify', characters: 176, fixed: true },
    { name: 'fewer-permission-prompts', characters: 163, fixed: true },
    { name: 'loop', characters: 336, fixed: true },
    // The two line breaks in this description are not counted.
    { name: 'claude-api', characters: 1_155, fixed: true },
    { name: 'workflow-authoring', characters: 230, fixed: true },
    { name: 'run', characters: 361, fixed: true },
    { name: 'plugin-authoring', characters: 255, fixed: true, stays: true },
    { name: 'init', characters: 59, fixed: false },
    { name: 'security-review', characters: 71, fixed: false },
  ],
  plugins: true,
  settings: 'claude',
  facts: {
    places: observed(
      'reads .claude/skills in the home and in every folder from the working folder to the repository root, one level deep; it does not read .agents/skills; a folder with .claude-plugin/plugin.json in the skills folder of the home is a plugin',
    ),
    copies: observed('managed wins over personal, personal over project; of project folders, the nearest wins'),
    files: observed(
      'lists every SKILL.md; without a description, or with YAML that it cannot repair, it lists the first line of the body instead',
    ),
    budget: observed(
      'the list gets 1% of the window: 8,000 characters for 200,000 tokens, 30,000 for 1,000,000; its 13 built-in skills count, and wide characters count twice',
    ),
    settings: observed(
      'disable-model-invocation, paths, skillOverrides and enabledPlugins remove a skill from the list; plugins that are not mentioned are off, except for those in the skills folder of the home',
    ),
  },
};
