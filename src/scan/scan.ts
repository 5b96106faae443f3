/**
 * Scans the files of one skill for malicious content. Nothing is executed, no network is used, the same bytes always
 * give the same result, and every text is read to the end in linear time. An empty result does not prove that a skill
 * is harmless.
 */
import { isUtf8 } from 'node:buffer';
import { type Diagnostic, LEVELS, runRules } from '../core/diagnostics.ts';
import { LIMITS } from '../core/limits.ts';
import { compareText, count } from '../core/text.ts';
import { binaryKindOf } from './file-kinds.ts';
import type { ScannedSkill, Unread } from './rule.ts';
import { SCAN_RULES } from './rules/index.ts';
import { plainTextOf } from './plain/plain-text.ts';
import { type TextFile, textFileOf } from './text-file.ts';

/**
 * A file of a skill, with its path relative to the skill's folder and with forward slashes. `unread` explains missing
 * bytes.
 */
export type SkillFile =
  | { path: string; bytes: Uint8Array }
  | { path: string; unread: Unread; detail?: string | undefined };

export interface SkillScan {
  /** Most dangerous first, then by file and line. Paths are those of the input files. */
  findings: Diagnostic[];
  files: number;
  bytes: number;
  /** Files that the rules could not check, which make the scan partial. */
  notScanned: { path: string; reason: string }[];
}

export function scanSkill(files: readonly SkillFile[]): SkillScan {
  const texts: TextFile[] = [];
  const binaries: ScannedSkill['binaries'][number][] = [];
  const unread: ScannedSkill['unread'][number][] = [];
  const notScanned: SkillScan['notScanned'] = [];
  let [scanned, bytes] = [0, 0];
  for (const file of [...files].sort((a, b) => compareText(a.path, b.path))) {
    const { path } = file;
    if (!('bytes' in file)) {
      unread.push({ path, reason: file.unread, detail: file.detail });
      notScanned.push({ path, reason: file.detail ?? REASONS[file.unread] });
    } else if (file.bytes.length > LIMITS.scannedFileBytes.value) {
      unread.push({ path, reason: 'too-large' });
      notScanned.push({ path, reason: REASONS['too-large'] });
    } else {
      scanned += 1;
      bytes += file.bytes.length;
      const text = decoded(file.bytes);
      if (text !== undefined) {
        texts.push(textFileOf(path, text));
        continue;
      }
      const binary = { path, bytes: file.bytes, ...binaryKindOf(path, file.bytes) };
      binaries.push(binary);
      if (binary.kind !== 'media') notScanned.push({ path, reason: `${binary.name}, which the rules cannot read` });
    }
  }
  const plain = texts.flatMap((text) => plainTextOf(text) ?? []);
  const found = runRules(SCAN_RULES, { texts, plain, binaries, unread }, { path: '' });
  return { findings: limited(found), files: scanned, bytes, notScanned };
}

/** Returns the text files of a skill that are small enough to be read. */
export function textsOf(files: readonly SkillFile[]): TextFile[] {
  return files.flatMap((file) => {
    if (!('bytes' in file) || file.bytes.length > LIMITS.scannedFileBytes.value) return [];
    const text = decoded(file.bytes);
    return text === undefined ? [] : [textFileOf(file.path, text)];
  });
}

const REASONS: Readonly<Record<Unread, string>> = {
  'too-large': `more than ${LIMITS.scannedFileBytes.value / 1024 / 1024} MiB`,
  unreadable: 'it cannot be read',
  'link-outside': 'a link to a place outside the skill',
  'link-dangling': 'a broken link',
  'left-out': 'it does not belong to the skill',
};

/** Decodes UTF-8, UTF-16 with a byte order mark, or text in an older encoding. Returns undefined for binary content. */
function decoded(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.toString('utf16le', 2);
  if (buffer[0] === 0xfe && buffer[1] === 0xff)
    return Buffer.from(buffer.subarray(0, buffer.length & ~1))
      .swap16()
      .toString('utf16le', 2);
  const nul = buffer.indexOf(0);
  if (isUtf8(buffer)) return nul === -1 || isMostlyText(buffer) ? buffer.toString('utf8') : undefined;
  return nul === -1 && isMostlyText(buffer) ? buffer.toString('utf8') : undefined;
}

/** Shells run scripts that contain a NUL byte, so the scan must not skip them. */
function isMostlyText(bytes: Uint8Array): boolean {
  let odd = 0;
  for (const byte of bytes) if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127) odd += 1;
  return odd * 20 < bytes.length;
}

/** Keeps the most dangerous finding for each rule and line, and a limited number for each rule and file. */
function limited(found: readonly Diagnostic[]): Diagnostic[] {
  const byLine = new Map<string, Diagnostic>();
  for (const diagnostic of found) {
    const key = `${diagnostic.code}\0${diagnostic.path}\0${diagnostic.line ?? 0}`;
    const other = byLine.get(key);
    if (!other || rankOf(diagnostic) > rankOf(other)) byLine.set(key, diagnostic);
  }
  const kept = new Map<string, Diagnostic[]>();
  const left = new Map<string, number>();
  const max = LIMITS.scanFindings.value;
  for (const diagnostic of [...byLine.values()].sort(byDanger)) {
    const key = `${diagnostic.code}\0${diagnostic.path}`;
    const group = kept.get(key);
    if (!group) kept.set(key, [diagnostic]);
    else if (group.length < max) group.push(diagnostic);
    else left.set(key, (left.get(key) ?? 0) + 1);
  }
  for (const [key, more] of left) {
    const last = kept.get(key)?.at(-1);
    if (last) last.message += ` (and ${count(more, 'more place')} in this file)`;
  }
  return [...kept.values()].flat().sort(byDanger);
}

export function rankOf({ level }: Pick<Diagnostic, 'level'>): number {
  return level === undefined ? 0 : LEVELS.indexOf(level);
}

function byDanger(a: Diagnostic, b: Diagnostic): number {
  return (
    rankOf(b) - rankOf(a) || compareText(a.path, b.path) || (a.line ?? 0) - (b.line ?? 0) || compareText(a.code, b.code)
  );
}
