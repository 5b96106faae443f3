/**
 * How an agent handles skills, as data: its folders, the copy it uses, its requirements for a file and the length of its list.
 * Every fact has a source and a version. Behavior that is neither documented nor observed is `unknown`.
 */
import { type Flaw, FLAWS } from '../skills/file-facts.ts';
import { WALK_ASPECTS, type WalkRules } from '../skills/walk-rules.ts';

/** Source of a fact about an agent. */
export interface Fact {
  readonly fact: string;
  /** If observation and documentation disagree, the observation counts. */
  readonly source: 'observed' | 'source code' | 'documents';
  /** Version of the agent, or date of the documentation. */
  readonly version: string;
}

export type Topic = 'places' | 'copies' | 'files' | 'budget' | 'settings';

/** Location of a skill folder. */
export interface PlaceRule {
  /**
   * `working` is the working folder only. `project` includes the folders above it, see `above`. `root` is the repository root only,
   * or the working folder outside a repository.
   */
  readonly in: 'machine' | 'home' | 'working' | 'project' | 'root';
  readonly below: string;
  /** Provider in full names. */
  readonly provider: string;
  /** Environment variable that replaces the folder in the home folder, and the skill folder below it. */
  readonly variable?: { readonly name: string; readonly below: string };
  /** The lowest rank wins among copies with the same name. With `ranked` copies, the nearest folder wins among equal ranks. */
  readonly rank: number;
  /** With `ranked` copies: the lowest number wins among folders with the same rank and distance. Not observed if undefined. */
  readonly among?: number;
  /** Section of the list. By default, every folder is a separate section, in the order of the places. */
  readonly part?: number;
  /** The folder contains the built-in skills of the agent. */
  readonly builtIn?: true;
}

/** Rules for reading a `SKILL.md`. */
export interface Reading {
  readonly name: 'folder' | 'frontmatter' | 'frontmatter-or-folder';
  readonly nameMax?: number;
  /** Characters that are replaced with hyphens in a name. */
  readonly nameWithout?: RegExp;
  /** Files with one of these characters in their name are not listed. `named` lists the characters for messages. */
  readonly nameRefuses?: { readonly pattern: RegExp; readonly named: string };
  /** Treatment of a name that is a number. By default, the flaw `number` decides. */
  readonly numberName?: 'refused' | 'text' | 'folder';
  /** Files with the key `name` but no value for it are not listed. */
  readonly refusesEmptyName?: true;
  /** `optional` lists a file without a description. The others name the text that replaces a missing one, or drop the file. */
  readonly description: 'required' | 'may-be-empty' | 'optional' | 'or-first-line' | 'or-first-paragraph';
  /** Files with a longer description are not listed. */
  readonly descriptionLimit?: number;
  /** Longer descriptions are cut to this many characters, including the mark. */
  readonly descriptionMax?: number;
  readonly mark?: string;
  /** `graphemes` counts UTF-16 units, and splits no grapheme. */
  readonly countsIn?: 'units' | 'code-points' | 'graphemes';
  /**
   * Treatment of line breaks in a description. `blanks` turns each run of control characters into one space. `trimmed` removes those at
   * the ends.
   */
  readonly breaks: 'kept' | 'trimmed' | 'blanks' | 'collapsed';
  /** Text between the description and `when_to_use`, for an agent that lists both. */
  readonly beforeWhenToUse?: string;
  /** A long list has only the first line of each description, without `when_to_use`. */
  readonly hasFirstLine?: true;
  /** The list is inside markup, so < and > are escaped before the description is cut. */
  readonly isMarkup?: true;
  /** Files with one of these flaws are not listed. */
  readonly refuses: readonly Flaw[];
  /** Flaws with unknown effect. */
  readonly unknown: readonly Flaw[];
  /** With one of these flaws, the frontmatter is ignored and the file is listed with the first line of its body. */
  readonly ignores?: readonly Flaw[];
  /** With one of these flaws, there is no frontmatter and the first line of the whole file counts. */
  readonly isBody?: readonly Flaw[];
  /** If the YAML is invalid or a value is not text, the lines of name and description are used as text. */
  readonly readsLines?: true;
}

/** A skill that is built into the agent. */
export interface BuiltIn {
  readonly name: string;
  /** Length of its description in the list, if known. */
  readonly characters?: number;
  /** The description is never shortened. */
  readonly fixed: boolean;
  /** The skill stays if the settings remove the other built-in skills. */
  readonly stays?: true;
}

/** Rules for cutting the list to fit. */
export interface Budget {
  /**
   * `whole-or-name` shows a description in full or not at all. `dealt-out` extends descriptions character by character until the
   * room is used up. `first-whole` shows the first entries in full, and only the names of all others from the first entry that
   * does not fit. `first-line` shows only the first line of every description in a list that is longer than `limit`. `names` never shows a description. `none` has no limit.
   */
  readonly kind: 'whole-or-name' | 'dealt-out' | 'first-whole' | 'first-line' | 'names' | 'none' | 'unknown';
  readonly unit: 'characters' | 'tokens';
  /** Limit that does not depend on the context window. */
  readonly limit?: number;
  /** With `first-whole`: limit of the names with the commas between them. The names that do not fit are dropped. */
  readonly nameLimit?: number;
  /** Context window of the default model, in tokens. */
  readonly window?: number;
  readonly fraction?: number;
}

/** `true`, the text `"true"`, and `yes`. */
export type ManualForm = 'true' | 'text' | 'yes';

export interface Profile {
  readonly id: string;
  readonly name: string;
  /** Version of the agent that the facts apply to, if known. */
  readonly version?: string;
  /** Rules that differ in versions before `before`, and the version that they were observed in. */
  readonly earlier?: { readonly before: string; readonly version: string } & Partial<
    Pick<Profile, 'walk' | 'reading' | 'builtIn'>
  >;
  /**
   * Traces of the agent: files and folders in the home folder and in the project, and commands on the PATH. Traces in the home
   * folder come from the skills package 1.7.4 and from agents that were started. The others are documented names.
   */
  readonly traces: {
    readonly home: readonly string[];
    readonly project: readonly string[];
    readonly commands: readonly string[];
  };
  /** Skill folders, in the order of its list. */
  readonly places: readonly PlaceRule[];
  /**
   * Determines which folders above the working folder belong to a project without `.git`. With `not-observed`, it is unknown whether
   * the agent reads any folder above the working folder.
   */
  readonly above: 'nothing-without-git' | 'everything-without-git' | 'not-observed';
  readonly walk: WalkRules;
  readonly reading: Reading;
  /**
   * Treatment of copies with the same name. `ranked` is `best-rank` for an agent of which it was not observed which copy it takes
   * in places of equal rank.
   */
  readonly copies: 'best-rank' | 'ranked' | 'all' | 'undetermined' | 'unknown';
  readonly order:
    | 'folder'
    | 'folder-name'
    | 'name'
    | 'name-by-locale'
    | 'folder-backwards'
    | 'name-everywhere'
    | 'unknown';
  /** Support for `disable-model-invocation: true`. */
  readonly manual: 'honored' | 'ignored' | 'unknown';
  /** Spellings of `true` that `disable-model-invocation` is honored with. All of YAML 1.1 if undefined. */
  readonly manualForms?: readonly ManualForm[];
  /** Support for `paths`, which lists a skill once a matching file is touched. */
  readonly paths: 'honored' | 'ignored' | 'unknown';
  /** `paths` with a match-all pattern hides a skill too. */
  readonly hidesAllPaths?: true;
  readonly budget: Budget;
  readonly builtIn: readonly BuiltIn[];
  /** Folder in the home folder whose subfolders are extensions, each with a `skills` folder. They precede the places. */
  readonly extensions?: { readonly below: string; readonly rank: number };
  /** Rules for finding skills in folders that its settings add, if they differ. */
  readonly addedWalk?: WalkRules;
  /** The built-in skills follow the others. This is the default if the list is ordered by folder. */
  readonly builtInLast?: true;
  /** A `SKILL.md` directly in a skill folder is the only skill of that folder. */
  readonly rootAlone?: true;
  /** The agent reads the skills of Claude Code plugins. */
  readonly plugins?: true;
  /** Format of its settings files. */
  readonly settings?: 'claude' | 'codex' | 'gemini' | 'opencode' | 'pi';
  readonly facts: Readonly<Record<Topic, Fact>>;
}

/** Rules of the Agent Skills specification. Used for agents whose folders are known, but not their behavior. */
export const PLAIN_WALK: WalkRules = {
  deepest: 1,
  shallowest: 1,
  hidden: false,
  nodeModules: false,
  insideSkills: false,
  linkedFiles: true,
  anyCase: false,
  unknown: WALK_ASPECTS,
};

export const PLAIN_READING: Reading = {
  name: 'frontmatter',
  description: 'required',
  breaks: 'collapsed',
  refuses: [],
  unknown: FLAWS,
};
