/** Parses the two delta sections that are lists: REMOVED (names) and RENAMED (pairs of an old and a new name). */
import { type Outline, withoutClosingMarks } from '../core/headings.ts';
import { openspecRequirement, requirementLabel } from './words.ts';

export interface RemovedEntry {
  name: string;
  /** Line index. */
  line: number;
  canonical: boolean;
  reason?: string;
  migration?: string;
}

export interface RenamedEntry {
  from: string;
  to: string;
  line: number;
  canonical: boolean;
}

export interface UnpairedRename {
  side: 'FROM' | 'TO';
  name: string;
  line: number;
}

const BULLET = /^[-*+]\s*/u;
const NOTE =
  /^(?:[-*+]\s+)?\*\*(reason|migration|原因|迁移|motivo|migración)\s*(?:\*\*\s*[:：]|[:：]\s*\*\*)\s*(\S.*)?$/iu;

export function readRemoved(outline: Outline, from: number, to: number, canonical: boolean): RemovedEntry[] {
  const removed: RemovedEntry[] = [];
  for (let index = from; index < to; index++) {
    if (outline.fenced[index] === 1) continue;
    const line = outline.lines[index] ?? '';
    const entry = headerEntry(line) ?? bulletEntry(line.trim());
    if (entry) {
      removed.push({ name: entry.name, line: index, canonical: canonical && entry.canonical });
      continue;
    }
    const note = NOTE.exec(line.trim());
    const last = removed.at(-1);
    if (!note || !last) continue;
    if (/^(?:reason|原因|motivo)/iu.test(note[1] ?? '')) last.reason ??= note[2] ?? '';
    else last.migration ??= note[2] ?? '';
  }
  return removed;
}

interface Named {
  name: string;
  canonical: boolean;
}

function headerEntry(line: string): Named | undefined {
  if (!line.startsWith('###') || line.startsWith('####')) return undefined;
  const text = line.slice(3).trim();
  const name = openspecRequirement(text);
  if (name !== undefined) return line.endsWith(':') ? undefined : { name, canonical: true };
  const alias = requirementLabel(text);
  return alias === undefined || alias === '' ? undefined : { name: alias, canonical: false };
}

/** OpenSpec accepts a bullet with a full header. A bullet with only a name in backticks is read as well. */
function bulletEntry(text: string): Named | undefined {
  const bullet = BULLET.exec(text);
  if (!bullet) return undefined;
  const content = unquote(text.slice(bullet[0].length));
  if (content.startsWith('###')) {
    const label = content.slice(3).trimStart();
    // In a bullet, OpenSpec accepts only this spelling of the label.
    const name = label.startsWith('Requirement:') ? openspecRequirement(label) : undefined;
    if (name) return { name, canonical: true };
  }
  const alias = requirementLabel(content.replace(/^#+\s*/u, ''));
  if (alias) return { name: alias, canonical: false };
  return /^`[^`]+`$/u.test(text.slice(bullet[0].length)) ? { name: content, canonical: false } : undefined;
}

interface Side extends UnpairedRename {
  canonical: boolean;
}

const SIDE = /^(?:[-*+]\s+)?(\*{0,2}|_{0,2})(from|to|从|到|desde|de|a)\s?(?:\1\s?[:：]|[:：]\s?\1)(.+)$/iu;
const OPENSPEC_SIDE = /^[-*+]?\s*(FROM|TO):\s*(`?###\s*Requirement:.*)$/u;
const ARROW = /→|->|=>/u;

export function readRenamed(
  outline: Outline,
  from: number,
  to: number,
  canonical: boolean,
): { renamed: RenamedEntry[]; unpaired: UnpairedRename[] } {
  const sides: Side[] = [];
  const arrows: RenamedEntry[] = [];
  for (let index = from; index < to; index++) {
    if (outline.fenced[index] === 1) continue;
    const text = (outline.lines[index] ?? '').trim();
    if (text === '') continue;
    const side = sideOf(text, index);
    const arrow = side ? undefined : arrowOf(text);
    if (side) sides.push(side);
    else if (arrow) arrows.push({ ...arrow, line: index, canonical: false });
  }
  // Only lines in OpenSpec's spelling can be unpaired, because OpenSpec ignores the other spellings.
  const strict = pair(canonical ? sides.filter((side) => side.canonical) : []);
  const loose = pair(sides).renamed.filter((entry) => !canonical || !entry.canonical);
  return {
    renamed: [...strict.renamed, ...loose.map((entry) => ({ ...entry, canonical: false })), ...arrows].sort(
      (a, b) => a.line - b.line,
    ),
    unpaired: strict.unpaired,
  };
}

function pair(sides: readonly Side[]): { renamed: RenamedEntry[]; unpaired: UnpairedRename[] } {
  const renamed: RenamedEntry[] = [];
  const unpaired: UnpairedRename[] = [];
  let pending: Side | undefined;
  for (const side of sides) {
    if (side.side === 'FROM') {
      if (pending) unpaired.push(pending);
      pending = side;
    } else if (pending) {
      renamed.push({
        from: pending.name,
        to: side.name,
        line: pending.line,
        canonical: pending.canonical && side.canonical,
      });
      pending = undefined;
    } else unpaired.push(side);
  }
  if (pending) unpaired.push(pending);
  return { renamed, unpaired };
}

function sideOf(text: string, line: number): Side | undefined {
  const strict = OPENSPEC_SIDE.exec(text);
  if (strict) {
    const name = openspecRequirement(unquote(strict[2] ?? '').replace(/^###\s*/u, ''));
    if (name) return { side: strict[1] === 'FROM' ? 'FROM' : 'TO', name, line, canonical: true };
  }
  const loose = SIDE.exec(text);
  if (!loose) return undefined;
  const name = cleanName(loose[3] ?? '');
  if (name === '') return undefined;
  return { side: /^(?:from|从|desde|de)$/iu.test(loose[2] ?? '') ? 'FROM' : 'TO', name, line, canonical: false };
}

function arrowOf(text: string): { from: string; to: string } | undefined {
  const arrow = ARROW.exec(text);
  if (!arrow) return undefined;
  const from = cleanName(text.slice(0, arrow.index).replace(BULLET, ''));
  const to = cleanName(text.slice(arrow.index + arrow[0].length));
  return from === '' || to === '' ? undefined : { from, to };
}

function cleanName(text: string): string {
  const bare = unquote(text.trim()).replace(/^#+\s*/u, '');
  return requirementLabel(bare) ?? withoutClosingMarks(bare);
}

function unquote(text: string): string {
  const inner = text.startsWith('`') ? text.slice(1) : text;
  return (inner.endsWith('`') ? inner.slice(0, -1) : inner).trim();
}
