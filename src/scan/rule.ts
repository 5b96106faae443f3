/** Defines scan rules: diagnostic rules whose findings also have a level, a category and evidence. */
import {
  defineRule,
  type Example,
  type Finding,
  type Level,
  LEVELS,
  type Rule,
  type Severity,
} from '../core/diagnostics.ts';
import type { BinaryKind } from './file-kinds.ts';
import { isAbout } from './context.ts';
import { hasHint } from './hints.ts';
import type { PlainText } from './plain/plain-text.ts';
import type { TextFile } from './text-file.ts';

export const CATEGORIES = [
  'hidden-text',
  'prompt-injection',
  'safety-bypass',
  'download-and-run',
  'auto-exec',
  'obfuscation',
  'credential-access',
  'exfiltration',
  'persistence',
  'agent-tampering',
  'impersonation',
  'broad-permission',
  'supply-chain',
  'secret',
  'opaque-content',
  'destructive',
] as const;
export type Category = (typeof CATEGORIES)[number];

/** Reason why a file was not read as text. */
export type Unread = 'too-large' | 'unreadable' | 'link-outside' | 'link-dangling' | 'left-out';

export interface BinaryFile {
  path: string;
  bytes: Uint8Array;
  kind: BinaryKind;
  /** Description with an article, such as `a ZIP archive`. */
  name: string;
}

/** Input of the rules: all files of one skill. */
export interface ScannedSkill {
  texts: readonly TextFile[];
  /** The same texts without encodings and tricks, where that makes a difference. */
  plain?: readonly PlainText[];
  binaries: readonly BinaryFile[];
  unread: readonly { path: string; reason: Unread; detail?: string | undefined }[];
}

/** A match of a rule. Its context may lower the level. */
export interface Hit {
  message: string;
  level: Level;
  fix?: string;
  /** Position in a text file. */
  file?: TextFile;
  start?: number;
  end?: number;
  /** Position outside a text file. */
  path?: string;
  line?: number | undefined;
  evidence?: string;
}

type Nature = 'action' | 'instruction' | 'fact';

interface ScanRuleDefinition {
  code: string;
  category: Category;
  title: string;
  about: string;
  fix: string;
  bad: Example;
  good: Example;
  /** The highest level of the rule's findings. */
  level: Level;
  /**
   * The kind of content the rule looks for. An `action` is executed, so text that only mentions it is harmless. An
   * `instruction` addresses a model, which also reads comments. A `fact` is dangerous anywhere.
   */
  nature: Nature;
  /**
   * Lower-case strings, one of which occurs in every match. Files without any of them are skipped: searching for fixed
   * strings is many times faster than matching patterns, and most files contain none.
   */
  hints?: readonly string[];
  find(skill: ScannedSkill): Iterable<Hit>;
}

export type ScanRule = Rule<ScannedSkill> & { category: Category; level: Level; hints?: readonly string[] };

function severityOf(level: Level): Severity {
  return level === 'critical' || level === 'high' ? 'error' : level === 'medium' ? 'warning' : 'info';
}

export function scanRule(rule: ScanRuleDefinition): ScanRule {
  const { find, nature, level, category, hints, ...definition } = rule;
  return {
    ...defineRule<ScannedSkill>({
      ...definition,
      severity: severityOf(level),
      *check(skill) {
        // A fact is about the text as it is written.
        const plain = (skill.plain ?? []).filter(({ hidden }) => nature === 'action' || hidden.length > 0);
        const all = nature === 'fact' ? skill.texts : [...skill.texts, ...plain.map(({ file }) => file)];
        const texts = hints ? all.filter((file) => hasHint(file, hints)) : all;
        yield* worstOfLines(find({ ...skill, texts }), nature, category);
      },
    }),
    category,
    level,
    ...(hints ? { hints } : {}),
  };
}

/** A line with more matches of one rule is not prose, so the context of further matches is ignored. */
const CONTEXTS_PER_LINE = 32;

/**
 * Yields a finding only if it is worse than those already found on its line. A line may have a hundred thousand
 * matches.
 */
function* worstOfLines(hits: Iterable<Hit>, nature: Nature, category: Category): Iterable<Finding> {
  const seen = new Map<string, { rank: number; hits: number }>();
  for (const hit of hits) {
    const { file, start = 0 } = hit;
    const line = hit.line ?? (file && file.lineAt(start));
    const key = `${hit.path ?? file?.path ?? ''}\0${line ?? ''}`;
    const known = seen.get(key) ?? { rank: -1, hits: 0 };
    if (known.rank >= LEVELS.indexOf(hit.level)) continue;
    const level = known.hits < CONTEXTS_PER_LINE ? levelHere(hit, nature) : hit.level;
    const rank = LEVELS.indexOf(level);
    seen.set(key, { rank: Math.max(known.rank, rank), hits: known.hits + 1 });
    if (rank > known.rank) yield diagnosed(hit, level, line, category);
  }
}

function diagnosed(hit: Hit, level: Level, line: number | undefined, category: Category): Finding {
  const { message, fix, file, start = 0, end = start } = hit;
  const evidence = hit.evidence ?? file?.quote(start, end);
  return {
    message,
    level,
    severity: severityOf(level),
    category,
    path: hit.path ?? file?.path ?? '',
    ...(line === undefined ? {} : { line }),
    ...(evidence === undefined ? {} : { evidence }),
    ...(fix === undefined ? {} : { fix }),
  };
}

function levelHere({ level, file, start = 0, end = start }: Hit, nature: Nature): Level {
  if (nature === 'fact' || file === undefined || level === 'info') return level;
  const context = file.contextAt(start, end);
  return isAbout(context) || (context === 'comment' && nature === 'action') ? 'low' : level;
}

/** Yields every match of a pattern (with the flag `g`) in the lower-case text. */
export function* matchesIn(
  file: TextFile,
  pattern: RegExp,
): Iterable<{ file: TextFile; start: number; end: number; match: RegExpExecArray }> {
  for (const match of file.low.matchAll(pattern))
    yield { file, start: match.index, end: match.index + match[0].length, match };
}

/**
 * Yields positions where the patterns match one after another in one passage, each at most `gap` characters after the
 * previous. Each pattern reads the text once, so this takes linear time; a single pattern with gaps would not.
 */
export function* sequencesIn(
  file: TextFile,
  patterns: readonly RegExp[],
  gap = 300,
): Iterable<{ file: TextFile; start: number; end: number; matches: RegExpExecArray[] }> {
  const [first = [], ...rest] = patterns.map((pattern) => [...file.low.matchAll(pattern)]);
  const next = rest.map(() => 0);
  for (const head of first) {
    const matches = [head];
    let end = head.index + head[0].length;
    for (const [which, found] of rest.entries()) {
      let at = next[which] ?? 0;
      while (at < found.length && (found[at]?.index ?? 0) < end) at += 1;
      next[which] = at;
      const match = found[at];
      if (!match || match.index - end > gap || file.low.slice(end, match.index).includes('\n')) break;
      matches.push(match);
      end = match.index + match[0].length;
    }
    if (matches.length === patterns.length) yield { file, start: head.index, end, matches };
  }
}
