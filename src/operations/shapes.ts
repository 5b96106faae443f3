/** Results and parameters that several operations share. */
import { LEVELS } from '../core/diagnostics.ts';
import { choice, flag, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { LIMITS } from '../core/limits.ts';
import { CHANGE_STATES } from '../specs/state-names.ts';

/** Fields of security findings only. */
const SECURITY = {
  level: optional(choice(LEVELS)),
  category: optional(text()),
  evidence: optional(text('Matching text of the file, with secrets masked')),
} as const;

/** Selects one of several copies, on the page. Its address may come from another machine. */
export const COPY = {
  type: 'text',
  filled: true,
  faces: ['web'],
  help: 'A copy by its folder, even a disabled one; if it is not here, the name decides',
} as const;

export const COPY_MISSING = optional({ type: 'flag', always: true, help: 'On the page: the copy is not here' });

/** Keys that every finding has, in addition to its severity. */
export const FOUND = {
  code: text('Stable: scripts can rely on it'),
  path: text(),
  line: optional(integer()),
  message: text(),
  fix: text(),
  docs: text('URL of the reference page for the code'),
} as const;

/** Returns a diagnostic or finding with only the keys that every finding has. */
export function foundIn({ code, path, line, message, fix, docs }: ObjectOf<typeof FOUND>): ObjectOf<typeof FOUND> {
  return { code, path, ...(line === undefined ? {} : { line }), message, fix, docs };
}

export const DIAGNOSTIC = {
  ...FOUND,
  severity: choice(['error', 'warning', 'info']),
  section: optional(text('Part of the file')),
  advice: optional({ type: 'flag', always: true, help: 'Never makes an item invalid' }),
  ...SECURITY,
} as const;

/** The keys are part of the contract of `validate_spec` and `validate_change`. `file` and `description` are the path and the message. */
const FINDING = {
  code: text(),
  item: text(),
  file: text(),
  line: optional(integer()),
  section: optional(text()),
  description: text(),
  fix: text(),
  docs: text(),
} as const;

/** Remarks, including those of the scan. */
export const SCANNED_INFO = list(object({ ...FINDING, ...SECURITY }));

/** Result of validating skills, specs or changes. */
export const REPORT = {
  valid: flag('The verdict; with strict, warnings make it false'),
  errors: list(object(FINDING)),
  warnings: list(object(FINDING)),
  info: list(object(FINDING)),
  summary: text(),
  items: list(object({ type: choice(['skill', 'spec', 'change']), id: text(), valid: flag() })),
} as const;

/** A repair, and one that was not made. */
export const FIXED = { file: text(), code: text(), diff: text('Unified diff, or the rename of a folder') } as const;
export const NOT_FIXED = { file: text(), code: text(), reason: text() } as const;

/** Fields of a result with `fix`. */
export const FIXES = {
  fixed: optional(list(object(FIXED), 'With fix: the repairs; with dryRun, those that would be made')),
  notFixed: optional(list(object(NOT_FIXED), 'With fix: the repairs that were not made')),
} as const;

export const CHANGE_STATE = {
  state: choice(
    CHANGE_STATES,
    'draft: no task is done; blocked: all tasks are done, but archiving would be refused; ready to archive: archiving would succeed',
  ),
  reason: optional(text('If it is blocked: the first reason')),
  blockedBy: optional(
    list(
      object({
        code: text('The code of a diagnostic'),
        reason: text(),
        fix: text(),
        file: optional(text()),
        line: optional(integer()),
      }),
      'If it is blocked: every reason, and how to fix it',
    ),
  ),
} as const;

export const PROBLEMS_PARTIAL = optional(
  flag('Set if there are too many skills to validate here; validate --all may find more problems'),
);

export const PACKAGE = optional(text('In a monorepo: the folder of its package'));

/** Names the package of a spec or a change, if the project has several folders of specs. A shared catalog has sources instead. */
export function packageOf(
  { roots }: { roots: readonly object[] },
  { root }: { root: { name: string; isOwn?: boolean } },
): { package?: string } {
  return roots.length < 2 || root.isOwn !== undefined ? {} : { package: root.name };
}

export const OVERLAPS_LEFT_OUT = optional(integer('Number of omitted items'));

export const TASK_PROGRESS = { completed: integer(), total: integer() } as const;

/** A heading in a delta that looks like an entry but that archiving would ignore. */
export const IGNORED = {
  line: integer(),
  text: text('The line, trimmed'),
  reason: text('Why it is ignored'),
  fix: text(),
} as const;

export const NAME = { type: 'text', filled: true, max: LIMITS.nameCharacters.value } as const;

export const QUERY = {
  type: 'text',
  filled: true,
  max: LIMITS.queryCharacters.value,
  maxWords: LIMITS.queryWords.value,
} as const;

export const STATE = {
  type: 'choice',
  choices: ['enabled', 'disabled', 'all'],
  default: 'enabled',
  help: 'Which skills: enabled, disabled or all',
  switches: {
    '--disabled': { value: 'disabled', help: 'Only disabled skills' },
    '--all': { value: 'all', help: 'Enabled and disabled skills' },
  },
} as const;

export const SPEC_ID = {
  ...NAME,
  required: true,
  positional: true,
  placeholder: 'spec',
  help: 'Spec ID',
} as const;

export const CHANGE_ID = {
  ...NAME,
  required: true,
  positional: true,
  placeholder: 'change',
  help: 'Change ID',
} as const;

/** Formats in which other programs read findings. */
export const FINDING_FORMATS = ['sarif', 'github', 'gitlab'] as const;
export type FindingFormat = (typeof FINDING_FORMATS)[number];

const SARIF = { '--sarif': { value: 'sarif', help: 'Print SARIF 2.1.0 for code scanning' } } as const;

export const FORMAT = {
  type: 'choice',
  choices: FINDING_FORMATS,
  faces: ['cli'],
  flags: ['--format'],
  switches: SARIF,
  help: 'Print findings as SARIF, GitHub workflow annotations or a GitLab Code Quality report',
} as const;

/** Output options of the commands that validate. */
export const SHOWN = {
  severity: {
    type: 'choice',
    choices: ['error', 'warning', 'info'],
    faces: ['cli'],
    help: 'Print findings of this severity and worse',
  },
  quiet: {
    type: 'flag',
    default: false,
    faces: ['cli'],
    help: 'Print only errors, and nothing if everything is valid',
  },
} as const;

export const TODAY = {
  type: 'text',
  pattern: /^\d{4}-\d{2}-\d{2}$/u,
  mustBe: 'a day such as 2026-01-31',
  faces: ['library'],
  help: 'The day to write, such as 2026-01-31; today by default',
} as const;

export const LIMIT = {
  type: 'integer',
  min: 1,
  max: LIMITS.searchLimit.value,
  default: 10,
  placeholder: 'n',
  help: 'Maximum number of results',
} as const;

export const CURSOR = {
  type: 'text',
  pattern: /^\d{1,9}$/u,
  mustBe: 'a cursor returned by an earlier page',
  help: 'Cursor returned by the previous page',
} as const;

/** Paging parameters of a long list. Defaults to the whole list. */
export const PAGE = {
  limit: { type: 'integer', min: 1, max: 1_000, placeholder: 'n', help: 'Maximum per page; all by default' },
  cursor: CURSOR,
} as const;

/** Cursor of the next page in a result. */
export const NEXT_CURSOR = optional(text('Cursor of the next page, if there is one'));

export const MODE = {
  type: 'choice',
  choices: ['auto', 'keyword'],
  help: 'auto: words and meaning; keyword: all words must occur',
} as const;

/** Fields of every search answer in addition to the results. */
export const SEARCHED = {
  mode: choice(['auto', 'keyword'], 'The mode that ran'),
  confidence: optional(choice(['low'], 'May not answer the question')),
  reason: optional(text('Note about the search')),
} as const;

const SEARCHED_NOUNS = { skill: 'skills', requirement: 'specs', change: 'changes' } as const;

/** Beginning of the reason below. */
const NOTHING_TO_SEARCH = 'there is nothing to search';

/** Whether the reason of a search result is an empty catalog. */
export function isNothingToSearch(reason: string): boolean {
  return reason.startsWith(NOTHING_TO_SEARCH);
}

/** Returns the reason for an empty search result if there is nothing to search. */
export function nothingToSearch(kinds: readonly (keyof typeof SEARCHED_NOUNS)[]): string {
  const nouns = kinds.map((kind) => SEARCHED_NOUNS[kind]);
  const last = nouns.at(-1) ?? '';
  const list = nouns.length > 1 ? `${nouns.slice(0, -1).join(', ')} or ${last}` : last;
  return `${NOTHING_TO_SEARCH}: no ${list} here`;
}

export const QUERIES = {
  type: 'list',
  of: QUERY,
  max: LIMITS.searchQueries.value,
  flags: ['--also'],
  placeholder: 'query',
  mayBeEmpty: true,
  help: 'The same question in other words',
} as const;
