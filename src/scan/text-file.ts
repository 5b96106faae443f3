/**
 * A text file prepared for the rules: one long string with one passage per line. A passage is a paragraph, a list item,
 * a command with its continuation lines, or a line of code. This way an instruction wrapped over several lines is still
 * found, and no pattern matches across passages.
 */
import { readFrontmatter } from '../core/frontmatter/read.ts';
import type { Frontmatter } from '../core/frontmatter/plain.ts';
import type { YamlValue } from '../core/frontmatter/yaml-value.ts';
import { outlineOf, splitLines } from '../core/headings.ts';
import { clip, lineForTerminal } from '../core/text.ts';
import { isSkillPath } from '../skills/skill.ts';
import { type Context, Contexts, contextOfMatch } from './context.ts';
import { kindOf, type TextKind } from './file-kinds.ts';
import { isInvisible, withoutInvisible } from './invisible.ts';
import { type Span, secretSpans, writeMasked } from './secrets.ts';

/** Maximum length of quoted evidence. */
const EVIDENCE_CHARACTERS = 160;

export interface TextFile {
  /** Relative to the skill's folder, with forward slashes. */
  readonly path: string;
  readonly kind: TextKind;
  /** The original text. */
  readonly text: string;
  /** The passages, without invisible characters and with compatibility letters normalized. */
  readonly flat: string;
  /** `flat` with ASCII letters in lower case. Offsets are the same. */
  readonly low: string;
  /** Present only for a SKILL.md. */
  readonly frontmatter: Frontmatter | undefined;
  lineAt(offset: number): number;
  contextAt(start: number, end: number): Context;
  /** Returns the bounds of the passage around an offset. */
  passageAt(offset: number): { start: number; end: number };
  /** Returns an excerpt on one line, shortened, with secrets masked. */
  quote(start: number, end: number): string;
  readonly secrets: readonly Span[];
}

export function textFileOf(path: string, text: string): TextFile {
  const kind = kindOf(path, text);
  const builder = new Passages();
  const frontmatter = isSkillPath(path) ? readFrontmatter(text) : undefined;
  const contextOf = kind === 'prose' ? addProse(builder, text) : addCode(builder, text, kind);
  if (frontmatter) addEscapedValues(builder, text, frontmatter);
  return builder.finish({ path, kind, text, frontmatter }, contextOf);
}

/** Returns the context of a line. Computed on first use, because most files have no match. */
type ContextOf = (line: number) => Context;

class Passages {
  readonly #parts: string[] = [];
  readonly #starts: number[] = [];
  readonly #lines: number[] = [];
  /** Offsets where passages begin. */
  readonly #passages: number[] = [];
  #length = 0;

  /** Adds a line of the file, either to the previous passage or as a new one. */
  add(text: string, line: number, joins: boolean): void {
    const clean = normalized(text);
    if (this.#length > 0) {
      this.#parts.push(joins ? ' ' : '\n');
      this.#length += 1;
    }
    this.#starts.push(this.#length);
    if (!joins || this.#passages.length === 0) this.#passages.push(this.#length);
    this.#lines.push(line);
    this.#parts.push(clean);
    this.#length += clean.length;
  }

  finish(about: Pick<TextFile, 'path' | 'kind' | 'text' | 'frontmatter'>, contextOf: ContextOf): TextFile {
    const flat = this.#parts.join('');
    const low = lowerCase(flat);
    const [starts, lines, passages] = [this.#starts, this.#lines, this.#passages];
    const secrets = secretSpans(flat, low);
    const lineAt = (offset: number): number => lines[lastUpTo(starts, offset)] ?? 1;
    const passageAt = (offset: number): { start: number; end: number } => {
      const index = lastUpTo(passages, offset);
      const next = passages[index + 1];
      return { start: passages[index] ?? 0, end: next === undefined ? flat.length : next - 1 };
    };
    return {
      ...about,
      flat,
      low,
      secrets,
      lineAt,
      passageAt,
      contextAt(start, end) {
        const context = contextOf(lineAt(start));
        return contextOfMatch({ low, kind: about.kind, start, end, passage: passageAt(start), context });
      },
      quote(start, end) {
        const passage = passageAt(start);
        const from = Math.max(passage.start, start - EVIDENCE_CHARACTERS / 4);
        const to = Math.min(passage.end, Math.max(end, from + EVIDENCE_CHARACTERS));
        return clip(lineForTerminal(writeMasked(flat, from, to, secrets)).trim(), EVIDENCE_CHARACTERS);
      },
    };
  }
}

/** Returns the index of the last number that is not above `value`. The numbers are ascending. */
function lastUpTo(numbers: readonly number[], value: number): number {
  let [from, to] = [0, numbers.length];
  while (to - from > 1) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] ?? 0) <= value) from = middle;
    else to = middle;
  }
  return from;
}

/** Changes only ASCII letters if other letters would change their length. */
function lowerCase(text: string): string {
  const low = text.toLowerCase();
  return low.length === text.length ? low : text.replace(/[A-Z]+/gu, (letters) => letters.toLowerCase());
}

/**
 * Replaces lookalike letters (full width, mathematical) by the letters a model reads them as. Most lines are ASCII and
 * stay unchanged.
 */
function normalized(line: string): string {
  if (!/[^\u0000-\u007f]/u.test(line)) return line;
  const visible = isInvisible(line) ? withoutInvisible(line) : line;
  return /[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/u.test(visible) ? visible.normalize('NFKC') : visible;
}

const CONTINUES = /\\\s*$/u;

function addProse(builder: Passages, text: string): ContextOf {
  const outline = outlineOf(text);
  const walk = new Contexts(outline, false);
  let joins = false;
  for (const [index, line] of outline.lines.entries()) {
    const { starts, blank } = walk.next(line, index);
    if (blank) {
      joins = false;
      continue;
    }
    builder.add(line.replace(CONTINUES, ''), index + 1, joins && !starts);
    joins = outline.fenced[index] === 1 ? continuesAfter(line, outline.lines[index + 1]) : true;
  }
  let contexts: Context[] | undefined;
  return (line) => {
    if (!contexts) {
      const again = new Contexts(outline, true);
      contexts = outline.lines.map((each, index) => again.next(each, index).context);
    }
    return contexts[line - 1] ?? 'order';
  };
}

function addCode(builder: Passages, text: string, kind: TextKind): ContextOf {
  let joins = false;
  const lines = splitLines(text);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') {
      joins = false;
      continue;
    }
    builder.add(line.replace(CONTINUES, ''), index + 1, joins);
    joins = continuesAfter(line, lines[index + 1]);
  }
  return (line) => {
    const written = lines[line - 1] ?? '';
    return kind === 'code' && COMMENT.test(written) && !written.startsWith('#!') ? 'comment' : 'code';
  };
}

const COMMENT = /^\s*(?:#|\/\/|\/\*|\*\s|--\s|;|rem\s|"""|''')/iu;

/** A command continues on the next line after a backslash or an operator, and before an operator. */
function continuesAfter(line: string, next: string | undefined): boolean {
  return /(?:\\|\||&&)\s*$/u.test(line) || (next !== undefined && /^\s*(?:\||&&)/u.test(next));
}

/** Adds the decoded frontmatter values: YAML can escape characters, and the model reads the decoded text. */
function addEscapedValues(builder: Passages, text: string, { data, lines, bodyStart }: Frontmatter): void {
  const slash = text.indexOf('\\');
  if (slash === -1 || slash >= bodyStart) return;
  const addValue = (value: YamlValue, line: number): void => {
    if (typeof value === 'string') for (const part of value.split('\n')) builder.add(part, line, false);
    else if (typeof value === 'object' && value !== null) for (const each of Object.values(value)) addValue(each, line);
  };
  for (const [key, value] of Object.entries(data)) addValue(value, lines.get(key) ?? 1);
}
