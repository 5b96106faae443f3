/** Every command, in the order of the help. Only data here: what a command does is loaded when it runs. */
import { CLIENT_NAMES, SCOPES, SHELLS, TRANSPORTS } from '../clients/names.ts';
import type { CommandDefinition } from './command.ts';
import { DISCOVERY_FLAGS, type Flag, LIMIT, SERVER_FLAGS, SPEC_FLAGS, STATE_FLAGS } from './flags.ts';
import { SPEC_COMMANDS, SPEC_GROUP } from './spec-commands.ts';

const FORCE: Flag = { names: ['--force'], key: 'force', about: 'Replace a file that stands in the way' };

/** The headings of the help, in their order. */
export const GROUPS = ['Look', 'Check', 'Change', SPEC_GROUP, 'Serve', 'More'] as const;

/** `lectern` alone. */
export const OVERVIEW: CommandDefinition = {
  name: '',
  group: 'Look',
  summary: 'What was found here, what needs attention, what to do next',
  flags: [...DISCOVERY_FLAGS, ...SPEC_FLAGS],
  examples: [['lectern', 'an overview of the skills and specs seen from here']],
  load: async () => (await import('./commands/overview.ts')).run,
};

export const COMMANDS: readonly CommandDefinition[] = [
  {
    name: 'list',
    group: 'Look',
    summary: 'Every skill, by provider and location, and which copy wins',
    flags: [...STATE_FLAGS, ...DISCOVERY_FLAGS],
    examples: [
      ['lectern list', 'what agents can use here'],
      ['lectern list --all', 'disabled skills too'],
      ['lectern list --include=claude --exclude=@plugins', 'one agent’s own skills'],
      ['lectern list --json', 'for scripts'],
    ],
    load: async () => (await import('./commands/list.ts')).run,
  },
  {
    name: 'show',
    aliases: ['info'],
    group: 'Look',
    summary: 'One skill: metadata, bundled files, problems and a preview',
    arguments: [{ form: '<name>', about: 'A skill’s name, or its full name where the short one is ambiguous' }],
    flags: [
      { names: ['--full'], key: 'full', about: 'The whole SKILL.md instead of 20 lines' },
      { names: ['--raw'], key: 'raw', about: 'Only the SKILL.md, byte for byte' },
      ...DISCOVERY_FLAGS,
    ],
    examples: [
      ['lectern show pdf', 'by short name'],
      ['lectern show codex:pdf --full', 'by full name, with all its text'],
      ['lectern show pdf --raw > SKILL.md', 'a copy of the file'],
    ],
    load: async () => (await import('./commands/show.ts')).run,
  },
  {
    name: 'search',
    group: 'Look',
    summary: 'Find skills, requirements and changes by their words or by their meaning',
    arguments: [{ form: '<query...>', about: 'Words that must all occur, or a sentence to search by meaning' }],
    flags: [
      {
        names: ['--mode'],
        value: 'mode',
        choices: ['keyword', 'semantic', 'hybrid'],
        key: 'mode',
        about: 'keyword needs no index; semantic and hybrid do; default hybrid where an index is, else keyword',
      },
      {
        names: ['--in'],
        value: 'what',
        choices: ['skills', 'specs', 'changes'],
        repeatable: true,
        key: 'in',
        about: 'Only skills, specs or changes',
      },
      LIMIT,
      {
        names: ['--min-score'],
        value: 'score',
        key: 'minScore',
        about: 'Leave out what scores less, 0 to 1 (semantic and hybrid)',
      },
      {
        names: ['--also'],
        value: 'query',
        repeatable: true,
        mayBeEmpty: true,
        key: 'also',
        about: 'The same question in other words; results are fused (up to 5)',
      },
      ...STATE_FLAGS,
      ...DISCOVERY_FLAGS,
      ...SPEC_FLAGS,
    ],
    examples: [
      ['lectern search "pull request"', 'skills that speak of pull requests'],
      ['lectern search database migration --limit 3', 'the three best'],
      ['lectern search "which revision broke the feature" --mode hybrid', 'by meaning, after lectern index'],
    ],
    load: async () => (await import('./commands/search.ts')).run,
  },
  {
    name: 'index',
    writes: true,
    group: 'Look',
    summary: 'Build the index for search by meaning, or bring it up to date',
    flags: [
      { names: ['--status'], key: 'status', about: 'Only say in which state it is' },
      { names: ['--clear'], key: 'clear', about: 'Remove it' },
      { names: ['--full'], key: 'full', about: 'Build from nothing, whatever is there' },
      ...DISCOVERY_FLAGS,
      ...SPEC_FLAGS,
    ],
    examples: [
      ['lectern index', 'what changed since the last time; can be stopped and taken up again'],
      ['lectern index --status', 'whether it is there, whole and up to date'],
    ],
    load: async () => (await import('./commands/build-index.ts')).run,
  },
  {
    name: 'validate',
    group: 'Check',
    summary: 'Hold skills, and with --all specs and changes too, against their rules',
    arguments: [{ form: '[target]', about: 'A name, a folder or a SKILL.md; without it, the skills of this project' }],
    flags: [
      { names: ['--all'], key: 'all', about: 'Everything that can be found: all skills, specs and changes' },
      {
        names: ['--profile'],
        value: 'profile',
        choices: ['spec', 'claude', 'codex', 'mcp'],
        key: 'profile',
        about: 'Whose rules: spec (default), claude, codex or mcp',
      },
      { names: ['--strict'], key: 'strict', about: 'Warnings make it fail' },
      { names: ['--sarif'], key: 'sarif', about: 'Print SARIF 2.1.0 for code hosts' },
      ...DISCOVERY_FLAGS,
      ...SPEC_FLAGS,
    ],
    examples: [
      ['lectern validate', 'the skills of this project'],
      ['lectern validate ./skills/pdf --strict', 'one folder, warnings count'],
      ['lectern validate --all --profile claude', 'what Claude Code would say to everything'],
      ['lectern validate --sarif > lectern.sarif', 'for code scanning'],
    ],
    load: async () => (await import('./commands/validate.ts')).run,
  },
  {
    name: 'doctor',
    group: 'Check',
    summary:
      'Where skills and specs are looked for, what is broken, which clients are set up, and which settings are in force',
    flags: [...DISCOVERY_FLAGS, ...SPEC_FLAGS],
    examples: [
      ['lectern doctor', 'a check-up; exit code 1 when something is broken'],
      ['lectern doctor --verbose', 'with every folder, setting and note'],
    ],
    load: async () => (await import('./commands/doctor.ts')).run,
  },
  {
    name: 'enable',
    writes: true,
    group: 'Change',
    summary: 'Make disabled skills visible again',
    arguments: [{ form: '<names...>', about: 'Skills to enable, separated by spaces or commas' }],
    flags: [FORCE, ...DISCOVERY_FLAGS],
    examples: [['lectern enable pdf xlsx', 'both are listed again']],
    load: async () => (await import('./commands/toggle.ts')).enable,
  },
  {
    name: 'disable',
    writes: true,
    group: 'Change',
    summary: 'Hide skills from every agent without deleting them',
    arguments: [{ form: '<names...>', about: 'Skills to disable, separated by spaces or commas' }],
    flags: [FORCE, ...DISCOVERY_FLAGS],
    examples: [['lectern disable claude:pdf', 'SKILL.md becomes .SKILL.md']],
    load: async () => (await import('./commands/toggle.ts')).disable,
  },
  {
    name: 'new',
    writes: true,
    group: 'Change',
    summary: 'Write a skill that validates, ready to be filled in',
    arguments: [{ form: '<name>', about: 'Lower-case letters, digits and hyphens' }],
    flags: [
      { names: ['--description'], value: 'text', key: 'description', about: 'What the skill does and when to use it' },
      {
        names: ['--to'],
        value: 'place',
        key: 'to',
        about: 'An agent (agents, claude, codex, …) or a folder; default agents',
      },
      { names: ['--user'], key: 'user', about: 'In the user’s folder instead of the project’s' },
    ],
    examples: [
      ['lectern new release-notes', 'in .agents/skills of this project'],
      ['lectern new release-notes --to claude --user', 'for Claude Code, in every project'],
    ],
    load: async () => (await import('./commands/new.ts')).run,
  },
  ...SPEC_COMMANDS,
  {
    name: 'setup',
    writes: true,
    group: 'More',
    summary: 'Connect a client to the MCP server: print its entry, or merge it into its configuration',
    arguments: [
      { form: '<client>', about: CLIENT_NAMES.join(', '), choices: CLIENT_NAMES },
      { form: '[flags...]', about: 'After --: flags for lectern mcp', passedOn: true },
    ],
    flags: [
      {
        names: ['--write'],
        key: 'write',
        about: 'Merge the entry into the client’s file; all else in it stays as it is',
      },
      { names: ['--dry-run'], key: 'dryRun', about: 'Show what --write would change' },
      { names: ['--force'], key: 'force', about: 'Replace an entry of that name that says something else' },
      {
        names: ['--scope'],
        value: 'scope',
        choices: SCOPES,
        key: 'scope',
        about: 'For this project or for the user; each client has a default',
      },
      { names: ['--name'], value: 'name', key: 'name', about: 'The server’s name in the client (default lectern)' },
      {
        names: ['--transport'],
        value: 'kind',
        choices: TRANSPORTS,
        key: 'transport',
        about: 'stdio starts the server (default), http calls a running one',
      },
      {
        names: ['--url'],
        value: 'url',
        key: 'url',
        about: 'The address of the running server (default http://127.0.0.1:3000/mcp)',
      },
      {
        names: ['--local'],
        key: 'local',
        about: 'Start this installation with node instead of the published package with npx',
      },
      {
        names: ['--shell'],
        value: 'shell',
        choices: SHELLS,
        key: 'shell',
        about: 'Print the client’s own command for this shell',
      },
    ],
    examples: [
      ['lectern setup claude', 'print the entry for Claude Code'],
      ['lectern setup codex --write', 'add it to Codex’s config.toml'],
      ['lectern setup vscode --dry-run', 'show what would change'],
      ['lectern setup cursor --write -- --include claude', 'with flags for the server'],
    ],
    load: async () => (await import('./commands/setup.ts')).run,
  },
  {
    name: 'mcp',
    group: 'Serve',
    summary: 'Serve skills and specs to agents over MCP: stdio, HTTP or SSE',
    flags: [...SERVER_FLAGS, ...DISCOVERY_FLAGS, ...SPEC_FLAGS],
    examples: [
      ['lectern mcp', 'over stdio, as agents start it'],
      ['lectern mcp --transport http --port 3000', 'for many clients at http://127.0.0.1:3000/mcp'],
      ['lectern mcp --include=codex --no-plugins', 'only some skills'],
    ],
    load: async () => (await import('./commands/mcp.ts')).run,
  },
  {
    name: 'mcp-server',
    group: 'Serve',
    summary: 'The same as mcp --server-name sk-mcp --tool-names dotted --tools skills',
    flags: [...SERVER_FLAGS, ...DISCOVERY_FLAGS, ...SPEC_FLAGS],
    examples: [['lectern mcp-server --root ./skills', 'skills.list and skills.search over stdio']],
    load: async () => (await import('./commands/mcp.ts')).runSkillsServer,
  },
  {
    name: 'mcp serve',
    group: 'Serve',
    summary: 'The same as mcp --server-name spox --tools specs',
    flags: [...SERVER_FLAGS, ...DISCOVERY_FLAGS, ...SPEC_FLAGS],
    examples: [['lectern mcp serve', 'the spec tools over stdio']],
    load: async () => (await import('./commands/mcp.ts')).runSpecsServer,
  },
  {
    name: 'completion',
    group: 'More',
    summary: 'Print a completion script for your shell',
    arguments: [{ form: '<shell>', about: 'bash, zsh, fish or powershell' }],
    flags: [],
    examples: [
      ['lectern completion bash >> ~/.bashrc', 'bash'],
      ['lectern completion fish > ~/.config/fish/completions/lectern.fish', 'fish'],
    ],
    load: async () => (await import('./commands/completion.ts')).run,
  },
];
