/** Parses the header of a SKILL.md. Parsing is lenient, reporting is strict. */
import { isUtf8 } from 'node:buffer';
import type { Diagnostic, Rule } from '../core/diagnostics.ts';
import type { Frontmatter, FrontmatterProblemKind, ReadFrontmatter } from '../core/frontmatter/plain.ts';
import { newYamlMap, type YamlMap, type YamlValue } from '../core/frontmatter/yaml-value.ts';
import { LIMITS } from '../core/limits.ts';
import { clip, oneLine } from '../core/text.ts';
import * as codes from './codes.ts';
import { type FileFacts, hasFirstParagraph, isPlain, readFacts } from './file-facts.ts';

export interface Header {
  /** Undefined if the skill must be skipped. The diagnostics contain the reason. */
  readonly name: string | undefined;
  readonly description: string | undefined;
  readonly frontmatter: YamlMap;
  readonly bodyLine: number;
  readonly diagnostics: readonly Diagnostic[];
  /** Set if the frontmatter is not plain, so that agents may read it differently. */
  readonly facts?: FileFacts;
}

export interface ParsedHeader extends Header {
  /** 1-based line numbers of the frontmatter keys. */
  readonly lines: ReadonlyMap<string, number>;
}

const PROBLEM_CODES: Record<FrontmatterProblemKind, Rule> = {
  empty: codes.fileEmpty,
  missing: codes.frontmatterMissing,
  unclosed: codes.frontmatterUnclosed,
  'only-fence': codes.frontmatterEmpty,
  'too-large': codes.frontmatterTooLarge,
  syntax: codes.frontmatterInvalid,
  'not-a-map': codes.frontmatterInvalid,
  'too-deep': codes.frontmatterTooDeep,
  'too-big': codes.frontmatterTooBig,
  'duplicate-key': codes.frontmatterDuplicateKey,
  tag: codes.frontmatterTag,
  alias: codes.frontmatterRepaired,
  repaired: codes.frontmatterRepaired,
  salvaged: codes.frontmatterSalvaged,
  'leading-blank': codes.frontmatterLate,
};

/** Parses the first bytes of a file. Returns undefined if more bytes or a more capable parser are needed. */
export function parseHeader(
  path: string,
  bytes: Uint8Array,
  { complete, read: readFrontmatter }: { complete: boolean; read: ReadFrontmatter },
): ParsedHeader | undefined {
  const buffer = bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = buffer.toString('utf8', 0, headLength(buffer));
  const read = readFrontmatter(text, { complete });
  if (!read) return undefined;
  const head = text.slice(0, read.bodyStart);
  if (isPlain(head, read)) return headerOf(path, buffer, head, read);
  // Agents may show the first line or paragraph of the body instead, which `text` need not contain.
  const start = buffer.toString('utf8');
  if (!complete && !hasFirstParagraph(start, read.bodyStart)) return undefined;
  return { ...headerOf(path, buffer, head, read), facts: readFacts(start, read) };
}

function headerOf(path: string, buffer: Buffer, head: string, read: Frontmatter): ParsedHeader {
  if (isUtf16(buffer))
    return skipped([codes.notUtf8.at({ path, line: 1, severity: 'error', message: 'the file is in UTF-16' })]);
  const diagnostics = read.problems.map(({ kind, line, message }) =>
    PROBLEM_CODES[kind].at({ path, line, message: problemMessage(kind, message) }),
  );
  if (head.startsWith('\ufeff'))
    diagnostics.push(codes.byteOrderMark.at({ path, line: 1, message: 'the file begins with a byte order mark' }));
  if (diagnostics.some(({ severity }) => severity === 'error')) return skipped(diagnostics);

  diagnostics.push(...oddBytes(path, buffer, head));
  const name = textOf('name', read, path, diagnostics);
  const description = textOf('description', read, path, diagnostics);
  const shortName = name === undefined ? undefined : oneLine(name);
  const shortDescription = description === undefined ? undefined : oneLine(description);
  const top = read.bodyLine - 1;
  if (!shortName)
    diagnostics.push(
      codes.nameMissing.at({ path, line: read.lines.get('name') ?? top, message: 'the frontmatter has no name' }),
    );
  if (!shortDescription) {
    diagnostics.push(
      codes.descriptionMissing.at({
        path,
        line: read.lines.get('description') ?? top,
        message: 'the frontmatter has no description',
      }),
    );
  }
  const max = LIMITS.descriptionCharacters.value;
  if (shortDescription !== undefined && shortDescription.length > max) {
    diagnostics.push(
      codes.descriptionCut.at({
        path,
        line: read.lines.get('description'),
        message: `the description has ${shortDescription.length} characters; lists show ${max}`,
      }),
    );
  }
  return {
    name: shortName || undefined,
    description: shortDescription ? clip(shortDescription, max) : undefined,
    frontmatter: read.data,
    lines: read.lines,
    bodyLine: read.bodyLine,
    diagnostics,
  };
}

/** Reports bytes in the frontmatter that survive reading, but that other programs may refuse. */
function* oddBytes(path: string, buffer: Buffer, head: string): Generator<Diagnostic> {
  if (head.includes('\ufffd') && !isUtf8(buffer.subarray(0, headBytes(buffer))))
    yield codes.notUtf8.at({
      path,
      line: lineOf(head, '\ufffd'),
      message: 'the frontmatter contains bytes that are not UTF-8',
    });
  if (head.includes('\0'))
    yield codes.nulByte.at({ path, line: lineOf(head, '\0'), message: 'the frontmatter contains a NUL byte' });
}

function skipped(diagnostics: Diagnostic[]): ParsedHeader {
  return {
    name: undefined,
    description: undefined,
    frontmatter: newYamlMap(),
    lines: new Map(),
    bodyLine: 1,
    diagnostics,
  };
}

function problemMessage(kind: FrontmatterProblemKind, detail: string): string {
  switch (kind) {
    case 'empty':
      return 'the file is empty';
    case 'missing':
      return 'the file does not start with ---';
    case 'unclosed':
      return 'the frontmatter has no closing ---';
    case 'only-fence':
      return 'the file has only an opening ---';
    case 'too-large':
      return `the frontmatter is longer than ${LIMITS.frontmatterBytes.value} bytes`;
    case 'leading-blank':
      return 'there are blank lines before the opening ---';
    case 'repaired':
      return `invalid YAML (${detail}); read as text for now`;
    case 'salvaged':
      return `invalid YAML (${detail}); only name and description were read`;
    case 'syntax':
      return `invalid YAML: ${detail}`;
    default:
      return `the frontmatter ${detail}`;
  }
}

/** Suggested values where quoting would not help. */
const TEXT_WANTED: Readonly<Record<string, string>> = {
  name: 'the name of the folder',
  description: 'one text that says what the skill does and when to use it',
};

/** Returns the value of a key that must be text. Other scalars are used as written, lists of scalars are joined, maps are refused. */
function textOf(key: string, read: Frontmatter, path: string, diagnostics: Diagnostic[]): string | undefined {
  const value: YamlValue | undefined = read.data[key];
  if (value === undefined || typeof value === 'string') return value;
  const line = read.lines.get(key);
  const kind =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'a list'
        : typeof value === 'object'
          ? 'a map'
          : `a ${typeof value}`;
  const wanted =
    value === null || typeof value === 'object'
      ? { fix: `Write ${key}: and, on the same line, ${TEXT_WANTED[key] ?? 'a text'}.` }
      : {};
  diagnostics.push(codes.valueType.at({ path, line, message: `${key} must be text but is ${kind}`, ...wanted }));
  if (value === null) return undefined;
  if (Array.isArray(value)) {
    const parts = value
      .filter((item): item is string | number | boolean => item !== null && typeof item !== 'object')
      .map(String);
    return parts.length === value.length && parts.length > 0 ? parts.join(', ') : undefined;
  }
  return typeof value === 'object' ? undefined : (read.sources.get(key) ?? String(value));
}

const DASH = 0x2d;
const LINE_FEED = 0x0a;
const CLOSING_FENCE = Buffer.from('\n---\n');

/**
 * Returns the number of bytes to decode: up to the closing fence if the frontmatter begins at the first byte, otherwise all.
 */
function headLength(bytes: Buffer): number {
  const isOpen = bytes[0] === DASH && bytes[1] === DASH && bytes[2] === DASH && bytes[3] === LINE_FEED;
  const end = isOpen ? bytes.indexOf(CLOSING_FENCE, 3) : -1;
  return end === -1 ? bytes.length : end + CLOSING_FENCE.length;
}

function isUtf16(bytes: Uint8Array): boolean {
  const first = bytes[0];
  if (first !== 0 && first !== 0x2d && first !== 0xff && first !== 0xfe) return false;
  const second = bytes[1];
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) return true;
  // UTF-16 without a byte order mark: "--" has a zero byte next to each dash.
  return (first === 0 || first === 0x2d) && second === 0x2d - first && bytes[2] === first && bytes[3] === second;
}

/** Returns the number of bytes up to the last certain character boundary. */
function headBytes(bytes: Uint8Array): number {
  let end = bytes.length;
  for (let back = 0; back < 4 && end > 0; back++) {
    const byte = bytes[end - 1] ?? 0;
    if (byte < 0x80) return end;
    end -= 1;
    if (byte >= 0xc0) return end;
  }
  return bytes.length;
}

function lineOf(text: string, character: string): number {
  let line = 1;
  for (
    let at = text.indexOf('\n'), stop = text.indexOf(character);
    at !== -1 && at < stop;
    at = text.indexOf('\n', at + 1)
  )
    line += 1;
  return line;
}
