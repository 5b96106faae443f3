/**
 * The first request of an agent, as data: which memory files it reads, in which order and in which form, and the parts that a
 * version of the agent always sends. Every row was observed with the version of the row: the agents were started on small
 * projects, and their first request was compared with the files.
 */
import type { ContextKind, ToolParts } from '../names.ts';

/** A memory file, or a folder of them, below a home folder or below each folder of the project. */
export interface MemoryPlace {
  readonly below: string;
  /** Home folder of the agent, and the environment variable that replaces it. Missing for files of the project. */
  readonly home?: { readonly folder: string; readonly variable?: string };
  /** Every `.md` file in the folder counts, unless its frontmatter restricts it to paths. */
  readonly isFolder?: true;
  /** The file counts only if no other memory file of the project has text. */
  readonly onlyAlone?: true;
  /** Words in the heading of the file. */
  readonly label?: string;
}

/** How the files are written into the request. */
export interface MemoryForm {
  /** Text before each file. `{path}` and `{label}` are replaced. */
  readonly before: string;
  readonly after: string;
  readonly between: string;
  /** Text between the files of the user and those of the project, if it differs. */
  readonly beforeProject?: string;
  readonly trims: 'all' | 'home' | 'none';
}

export interface MemoryRules {
  /** File to write for the agent, in fixes. */
  readonly main: string;
  readonly home: readonly MemoryPlace[];
  readonly takesHome: 'all' | 'first' | 'first-with-text';
  /** Files in each folder, in their order. */
  readonly project: readonly MemoryPlace[];
  /** `first-name` takes the first name that any folder has, and every file with that name. */
  readonly takesProject: 'all' | 'first-in-folder' | 'first-name';
  /** Folders above the working folder that count, in a repository and without one. */
  readonly above: 'everything' | 'repository-or-everything' | 'repository-or-nothing';
  readonly order: 'outermost-first' | 'nearest-first';
  readonly form: MemoryForm;
  /** `appended` adds imported files after the file, `inlined` replaces the import with the file. */
  readonly imports: 'appended' | 'inlined' | 'none';
  /** Length of the longest chain of files, including the first. */
  readonly importDepth?: number;
  /** Extensions of files that can be imported. */
  readonly importExtensions?: ReadonlySet<string>;
  /** A file that several links lead to is loaded once. */
  readonly followsOnce?: true;
  /** Frontmatter and comments on lines of their own are left out. */
  readonly stripsMarkup: boolean;
  /** Files without text are included as well. */
  readonly keepsBlank?: true;
  /** Longer files are not read. */
  readonly fileBytes?: number;
  /** The files of the project have at most this many bytes together. */
  readonly projectBytes?: number;
  /** Setting of the agent that changes `projectBytes`. */
  readonly projectBytesSetting?: string;
}

/** A part that does not depend on files. */
export interface Constant {
  readonly kind: 'system' | 'tools' | 'environment' | 'subagent';
  readonly name: string;
  readonly characters: number;
}

export interface SubagentRules {
  readonly home: { readonly folder: string; readonly variable?: string };
  /** Folder below the home folder of the agent. */
  readonly below: string;
  /** Folder below each folder of the project, if the agent reads one. */
  readonly project?: string;
  /** Folder in the project that only counts if the user trusts the project. */
  readonly ifTrusted?: string;
  readonly format: 'markdown' | 'toml';
  /** Text for each subagent. `{name}`, `{description}` and `{tools}` are replaced. */
  readonly line: string;
  readonly isExact: boolean;
  /** Lines of built-in subagents, by name. A subagent of the same name replaces one. */
  readonly builtIn: Readonly<Record<string, number>>;
}

/**
 * The text about MCP servers. `{server}`, `{tool}`, `{description}`, `{schema}` and `{instructions}` are replaced; descriptions and
 * schemas are JSON. Observed with a server of 12 tools, with and without instructions.
 */
export interface ServerRules {
  /** Text around the lines of all servers. */
  readonly heading?: string;
  /** Text around the instructions of all servers. */
  readonly instructionsHeading?: string;
  /** Text for each server. */
  readonly line?: string;
  /** Text for each server that has instructions. Defaults to `line`. */
  readonly lineWithInstructions?: string;
  /** Text for each tool. */
  readonly tool?: string;
  readonly sends: ToolParts;
}

export interface ContextRules {
  /** Version of the agent with which everything here was observed. */
  readonly version: string;
  readonly memory: MemoryRules;
  readonly constants: readonly Constant[];
  readonly subagents?: SubagentRules;
  /** Folders of commands that the model can start, below the home folder of the agent and below each folder of the project. */
  readonly commands?: {
    readonly home: { readonly folder: string; readonly variable?: string };
    readonly project: string;
  };
  /** Characters around the name, description and path of each skill in the list. Missing if the list has no paths. */
  readonly skillMarkup?: number;
  /** Order of the parts in the request. Rules are among the memory files. */
  readonly order: readonly ContextKind[];
  readonly servers: ServerRules;
  /** Command of the agent that lists the tools of MCP servers. */
  readonly listTools: string;
}

const KIB = 1024;

const CLAUDE_HOME = { folder: '.claude', variable: 'CLAUDE_CONFIG_DIR' } as const;
const CODEX_HOME = { folder: '.codex', variable: 'CODEX_HOME' } as const;
const OPENCODE_HOME = { folder: '.config', variable: 'XDG_CONFIG_HOME' } as const;
const GEMINI_HOME = { folder: '.gemini' } as const;

const OF_USER = "user's private global instructions for all projects";
const OF_PROJECT = 'project instructions, checked into the codebase';
const LOCAL = "user's private project instructions, not checked in";

const claude: ContextRules = {
  version: '2.1.325',
  memory: {
    main: 'CLAUDE.md',
    home: [
      { home: CLAUDE_HOME, below: 'CLAUDE.md', label: OF_USER },
      { home: CLAUDE_HOME, below: 'rules', isFolder: true, label: OF_USER },
    ],
    takesHome: 'all',
    project: [
      { below: 'CLAUDE.md', label: OF_PROJECT },
      { below: '.claude/CLAUDE.md', label: OF_PROJECT },
      { below: '.claude/rules', isFolder: true, label: OF_PROJECT },
      { below: 'AGENTS.md', onlyAlone: true, label: OF_PROJECT },
      { below: '.claude/AGENTS.md', onlyAlone: true, label: OF_PROJECT },
      { below: 'CLAUDE.local.md', label: LOCAL },
    ],
    takesProject: 'all',
    above: 'everything',
    order: 'outermost-first',
    form: { before: 'Contents of {path} ({label}):\n\n', after: '', between: '\n\n', trims: 'all' },
    imports: 'appended',
    importDepth: 5,
    importExtensions: new Set(
      '.md .txt .text .json .yaml .yml .toml .xml .csv .html .htm .css .scss .sass .less .js .ts .tsx .jsx .mjs .cjs .mts .cts .py .pyi .pyw .rb .erb .rake .go .rs .java .kt .kts .scala .c .cpp .cc .cxx .h .hpp .hxx .cs .swift .sh .bash .zsh .fish .ps1 .bat .cmd .env .ini .cfg .conf .config .properties .sql .graphql .gql .proto .vue .svelte .astro .ejs .hbs .pug .jade .php .pl .pm .lua .r .dart .ex .exs .erl .hrl .clj .cljs .cljc .edn .hs .lhs .elm .ml .mli .f .f90 .f95 .for .cmake .make .makefile .gradle .sbt .rst .adoc .asciidoc .org .tex .latex .lock .log .diff .patch'.split(
        ' ',
      ),
    ),
    followsOnce: true,
    stripsMarkup: true,
    fileBytes: 4 * KIB * KIB,
  },
  constants: [
    { kind: 'system', name: 'system prompt', characters: 5_945 },
    { kind: 'tools', name: 'tool definitions', characters: 29_525 },
    { kind: 'environment', name: 'environment, git, attribution, date, deferred tools', characters: 2_700 },
    { kind: 'subagent', name: 'heading of the subagents', characters: 178 },
  ],
  subagents: {
    home: CLAUDE_HOME,
    below: 'agents',
    project: '.claude/agents',
    format: 'markdown',
    line: '- {name}: {description} (Tools: {tools})\n',
    isExact: true,
    builtIn: { claude: 133, Explore: 540, 'general-purpose': 310, Plan: 365, 'statusline-setup': 112 },
  },
  commands: { home: CLAUDE_HOME, project: '.claude/commands' },
  order: ['tools', 'system', 'memory', 'environment', 'mcp-server', 'subagent', 'skills', 'command'],
  servers: {
    tool: 'mcp__{server}__{tool}\n',
    lineWithInstructions: '## {server}\n{instructions}\n\n',
    instructionsHeading:
      '# MCP Server Instructions\n\nThe following MCP servers have provided instructions for how to use their tools and resources:\n\n',
    sends: 'names',
  },
  listTools: '/mcp in Claude Code',
};

const codex: ContextRules = {
  version: '0.166.0',
  memory: {
    main: 'AGENTS.md',
    home: [
      { home: CODEX_HOME, below: 'AGENTS.override.md' },
      { home: CODEX_HOME, below: 'AGENTS.md' },
    ],
    takesHome: 'first-with-text',
    project: [{ below: 'AGENTS.override.md' }, { below: 'AGENTS.md' }],
    takesProject: 'first-in-folder',
    above: 'repository-or-nothing',
    order: 'outermost-first',
    form: { before: '', after: '', between: '\n\n', beforeProject: '\n\n--- project-doc ---\n\n', trims: 'home' },
    imports: 'none',
    stripsMarkup: false,
    projectBytes: 32 * KIB,
    projectBytesSetting: 'project_doc_max_bytes',
  },
  constants: [
    { kind: 'tools', name: 'tool definitions', characters: 24_870 },
    { kind: 'system', name: 'base instructions', characters: 21_769 },
    { kind: 'environment', name: 'permissions, roles, modes, environment', characters: 4_430 },
  ],
  subagents: {
    home: CODEX_HOME,
    below: 'agents',
    ifTrusted: '.codex/agents',
    format: 'toml',
    line: '{name}: {\n{description}\n}\n',
    isExact: true,
    builtIn: {},
  },
  order: ['tools', 'system', 'skills', 'environment', 'mcp-server', 'subagent', 'memory', 'command'],
  servers: {
    heading: '<tools>\nDeferred tool namespaces:\n</tools>',
    line: '- mcp__{server}\n',
    lineWithInstructions: '- mcp__{server}: {instructions}\n',
    sends: 'line',
  },
  listTools: '/mcp in Codex',
};

const opencode: ContextRules = {
  version: '1.18.33',
  memory: {
    main: 'AGENTS.md',
    home: [
      { home: OPENCODE_HOME, below: 'opencode/AGENTS.md' },
      { home: { folder: '.claude' }, below: 'CLAUDE.md' },
    ],
    takesHome: 'first',
    project: [{ below: 'AGENTS.md' }, { below: 'CLAUDE.md' }, { below: 'CONTEXT.md' }],
    takesProject: 'first-name',
    above: 'repository-or-everything',
    order: 'nearest-first',
    form: { before: 'Instructions from: {path}\n', after: '', between: '\n', trims: 'none' },
    imports: 'none',
    stripsMarkup: false,
    keepsBlank: true,
  },
  constants: [
    { kind: 'system', name: 'system prompt', characters: 8_690 },
    { kind: 'environment', name: 'environment', characters: 150 },
    { kind: 'tools', name: 'tool definitions', characters: 20_812 },
  ],
  subagents: {
    home: OPENCODE_HOME,
    below: 'opencode/agent',
    project: '.opencode/agent',
    format: 'markdown',
    line: '- {name}: {description}\n',
    isExact: false,
    builtIn: {},
  },
  skillMarkup: 102,
  order: ['system', 'environment', 'memory', 'skills', 'tools', 'mcp-server', 'subagent', 'command'],
  servers: {
    tool: ',{"type":"function","function":{"name":"{server}_{tool}","description":{description},"parameters":{schema}}},"additionalProperties":false',
    lineWithInstructions: '  <server name="{server}">\n    {instructions}\n  </server>\n',
    instructionsHeading: '<mcp_instructions>\n</mcp_instructions>\n',
    sends: 'definitions',
  },
  listTools: 'opencode mcp list',
};

/** Gemini CLI adds this parameter to every tool. */
const WAIT_FOR_PREVIOUS =
  ',"wait_for_previous":{"type":"boolean","description":"Set to true to wait for all previously requested tools in this turn to complete before starting. Set to false (or omit) to run in parallel. Use true when this tool depends on the output of previous tools."}';

const gemini: ContextRules = {
  version: '0.61.0',
  memory: {
    main: 'GEMINI.md',
    home: [{ home: GEMINI_HOME, below: 'GEMINI.md' }],
    takesHome: 'all',
    project: [{ below: 'GEMINI.md' }],
    takesProject: 'all',
    above: 'repository-or-nothing',
    order: 'outermost-first',
    form: {
      before: '--- Context from: {path} ---\n',
      after: '\n--- End of Context from: {path} ---',
      between: '\n\n',
      trims: 'all',
    },
    imports: 'inlined',
    importDepth: 5,
    stripsMarkup: false,
  },
  constants: [
    { kind: 'system', name: 'system prompt', characters: 23_350 },
    { kind: 'environment', name: 'environment and folder tree', characters: 700 },
    { kind: 'tools', name: 'tool definitions', characters: 22_565 },
  ],
  skillMarkup: 102,
  order: ['system', 'skills', 'memory', 'environment', 'tools', 'mcp-server', 'subagent', 'command'],
  servers: {
    tool: `,{"name":"mcp_{server}_{tool}","description":{description},"parametersJsonSchema":{schema}}${WAIT_FOR_PREVIOUS}`,
    lineWithInstructions:
      "The following are instructions provided by the tool server '{server}':\n---[start of server instructions]---\n{instructions}\n---[end of server instructions]---\n",
    instructionsHeading: '\n<loaded_context>\n<project_context>\n</project_context>\n</loaded_context>',
    sends: 'definitions',
  },
  listTools: 'gemini mcp list',
};

export const CONTEXT_RULES: Readonly<Record<string, ContextRules>> = { claude, codex, opencode, gemini };

/** Names of memory files that some agent reads, to report those that an agent leaves out. */
export const MEMORY_NAMES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'] as const;
