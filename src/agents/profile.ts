/**
 * What an agent makes of skills, as data: where it looks, which copy it takes, what it requires of a file, how long its list
 * may be. Every fact names its source and the version it was read for. What nobody documented or observed is `unknown`.
 */

/** Something we know about an agent, and how we know it. */
export interface Fact {
  readonly fact: string;
  /** Where observation and documents differ, the observation counts. */
  readonly source: 'observed' | 'source code' | 'documents';
  /** The version of the agent, or the date of the documents. */
  readonly version: string;
}

export type Topic = 'places' | 'copies' | 'files' | 'budget' | 'settings';

/** Where a folder of skills lies. */
export interface PlaceRule {
  /** `working`: the working folder only. `project`: also the folders above it, see `above`. */
  readonly in: 'machine' | 'home' | 'working' | 'project';
  readonly below: string;
  /** The provider in full names. */
  readonly provider: string;
  /** An environment variable that replaces the folder in the home, and the folder of skills below it. */
  readonly variable?: { readonly name: string; readonly below: string };
  /** Among copies of one name the lowest rank wins. */
  readonly rank: number;
  /** The part of the list. By default, every folder is a part of its own, in the order of the places. */
  readonly part?: number;
  /** Holds the skills that the agent brings along. */
  readonly builtIn?: true;
}

/** What counts below a folder of skills. */
export interface WalkRules {
  /** Levels below the folder; `SKILL.md` directly in it is level 0. */
  readonly deepest: number;
  readonly shallowest: 0 | 1;
  /** Folders whose names begin with a dot. */
  readonly hidden: boolean;
  readonly nodeModules: boolean;
  readonly insideSkills: boolean;
  /** A `SKILL.md` that is a link itself. */
  readonly linkedFiles: boolean;
  /** `skill.md`, `Skill.md`. */
  readonly anyCase: boolean;
  /** Nobody knows what else it finds. */
  readonly known?: false;
}

export const FLAWS = [
  'byte-order-mark',
  'blank-before-fence',
  'no-fence',
  'unclosed-fence',
  'repeated-key',
  'repeated-other',
  'tab',
  'fence-text',
  'fence-blank',
  'colon',
  'end-colon',
  'reserved-start',
  'odd-start',
  'quotes',
  'number',
  'list',
  'map',
  'tag',
  'other-key',
  'other-yaml',
] as const;
/** What can be wrong with the frontmatter of a file. */
export type Flaw = (typeof FLAWS)[number];

/** How a `SKILL.md` is read. */
export interface Reading {
  readonly name: 'folder' | 'frontmatter' | 'frontmatter-or-folder';
  readonly nameMax?: number;
  /** What it replaces with hyphens in a name. */
  readonly nameWithout?: RegExp;
  readonly description: 'required' | 'may-be-empty' | 'or-first-line';
  /** A longer description is cut to this many characters, the mark included. */
  readonly descriptionMax?: number;
  readonly mark?: string;
  readonly countsIn?: 'units' | 'code-points';
  /** What becomes of line breaks in a description. `blanks`: each run of control characters is one blank. */
  readonly breaks: 'kept' | 'blanks' | 'collapsed';
  /** The list is inside markup, so < and > are escaped, before the description is cut. */
  readonly isMarkup?: true;
  /** A file with one of these is not listed. */
  readonly refuses: readonly Flaw[];
  /** Nobody knows what it makes of these. */
  readonly unknown: readonly Flaw[];
  /** With one of these, the frontmatter does not count, and the file is listed with the first line of its body. */
  readonly ignores?: readonly Flaw[];
  /** With one of these, there is no frontmatter: the first line of the whole file counts. */
  readonly isBody?: readonly Flaw[];
  /** Where YAML fails, or a value is not text, it takes what is written on the lines of name and description. */
  readonly readsLines?: true;
}

/** A skill that the agent brings along. */
export interface BuiltIn {
  readonly name: string;
  /** The length of its description in the list, if it is known. */
  readonly characters?: number;
  /** In a short list, it is never shortened. */
  readonly fixed: boolean;
  /** It stays if the settings take the others away. */
  readonly stays?: true;
}

/** How the list is cut to fit. */
export interface Budget {
  /**
   * `whole-or-name`: a description is shown whole or not at all. `dealt-out`: descriptions grow character by character until
   * the room is used up. `none`: there is no limit. `unknown`: nobody knows.
   */
  readonly kind: 'whole-or-name' | 'dealt-out' | 'none' | 'unknown';
  readonly unit: 'characters' | 'tokens';
  /** The window of the default model, in tokens. */
  readonly window?: number;
  readonly fraction?: number;
}

export interface Profile {
  readonly id: string;
  readonly name: string;
  /** The version that the facts were read for, if one was. */
  readonly version?: string;
  /**
   * Traces of the agent: files and folders in the home and in the project, and commands on the PATH. Those in the home are what
   * the skills package 1.7.4 looks for, and what the agents that were started left behind; the others are documented names.
   */
  readonly traces: {
    readonly home: readonly string[];
    readonly project: readonly string[];
    readonly commands: readonly string[];
  };
  /** In the order of its list. */
  readonly places: readonly PlaceRule[];
  /** Which folders above the working folder belong to the project without a `.git`. */
  readonly above: 'nothing-without-git' | 'everything-without-git';
  readonly walk: WalkRules;
  readonly reading: Reading;
  /** What happens to copies with the same name. */
  readonly copies: 'best-rank' | 'all' | 'undetermined' | 'unknown';
  readonly order: 'folder' | 'name' | 'folder-backwards' | 'name-everywhere' | 'unknown';
  /** `disable-model-invocation: true`. */
  readonly manual: 'honored' | 'ignored' | 'unknown';
  /** `paths`: listed once a matching file is touched. */
  readonly paths: 'honored' | 'ignored' | 'unknown';
  readonly budget: Budget;
  readonly builtIn: readonly BuiltIn[];
  /** Reads the skills of Claude Code plugins. */
  readonly plugins?: true;
  /** The files it reads its settings from. */
  readonly settings?: 'claude' | 'codex' | 'gemini' | 'opencode';
  readonly facts: Readonly<Record<Topic, Fact>>;
}

/** The rules of the Agent Skills specification, for agents of which only the places are known. */
export const PLAIN_WALK: WalkRules = {
  deepest: 1,
  shallowest: 1,
  hidden: false,
  nodeModules: false,
  insideSkills: false,
  linkedFiles: true,
  anyCase: false,
  known: false,
};

export const PLAIN_READING: Reading = {
  name: 'frontmatter',
  description: 'required',
  breaks: 'collapsed',
  refuses: [],
  unknown: FLAWS,
};
