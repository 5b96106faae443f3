/** Reads a file like one agent. */
import path from 'node:path';
import type { YamlValue } from '../core/frontmatter/yaml-value.ts';
import { type FileFacts, type Flaw, FLAWS, valueOf } from '../skills/file-facts.ts';
import type { Reading } from './profile.ts';

export type Read =
  | {
      kind: 'listed';
      name: string;
      ownName: string | undefined;
      description: string;
      isCut: boolean;
      /** True if the frontmatter contains `description` or `when_to_use`. */
      isDescribed: boolean;
    }
  | { kind: 'broken' | 'unknown'; reason: string; fix: string };

const FLAW_TEXTS: Record<Flaw, { is: string; fix: string }> = {
  'byte-order-mark': { is: 'begins with a byte order mark', fix: 'Save it as UTF-8 without a byte order mark' },
  'blank-before-fence': { is: 'has a blank line before the first ---', fix: 'Delete what is before the first ---' },
  'no-fence': { is: 'has no frontmatter', fix: 'Begin the file with --- and a name and a description' },
  'unclosed-fence': { is: 'has frontmatter that is never closed', fix: 'Add a line --- below the frontmatter' },
  'repeated-key': { is: 'has its name or description twice', fix: 'Delete one of the two' },
  'repeated-other': { is: 'has a key twice in its frontmatter', fix: 'Delete one of the two' },
  tab: { is: 'has a tab at the start of a line in its frontmatter', fix: 'Use spaces instead' },
  colon: { is: 'has a colon in unquoted text', fix: 'Put the value in quotes' },
  'end-colon': { is: 'has unquoted text that ends with a colon', fix: 'Put the value in quotes' },
  'reserved-start': { is: 'has unquoted text that begins with @, `, [ or {', fix: 'Put the value in quotes' },
  'odd-start': { is: 'has unquoted text that begins with %, *, |, > or a comma', fix: 'Put the value in quotes' },
  quotes: { is: 'has a value whose quotes do not match', fix: 'Put the whole value in quotes' },
  'fence-text': { is: 'has text after the first ---', fix: 'Delete it' },
  'fence-blank': { is: 'has a blank after ---', fix: 'Delete the blank' },
  number: { is: 'has a name or a description that is not text', fix: 'Put the value in quotes' },
  list: { is: 'has a list for its name or description', fix: 'Write it as text' },
  map: { is: 'has a mapping for its name or description', fix: 'Write it as text' },
  tag: { is: 'has a YAML tag', fix: 'Put the value in quotes' },
  'other-key': { is: 'has a key whose value is not valid YAML', fix: 'Correct it; lectern validate shows the line' },
  'other-yaml': { is: 'has frontmatter that is not valid YAML', fix: 'Correct it; lectern validate shows the line' },
};

/** `file` is the path under which the agent finds the file. `entryMax` is a setting that overrides the maximum length of a description. */
export function readAs(reading: Reading, facts: FileFacts, file: string, entryMax: number | undefined): Read {
  if (facts.unreadable === 'outside')
    return {
      kind: 'unknown',
      reason: 'it is a link that leads out of the project, and Lectern does not read there',
      fix: `Replace the link with the skill itself: ${file}`,
    };
  if (facts.unreadable !== undefined) {
    const reason = `the file cannot be read: ${facts.unreadable.replaceAll('-', ' ')}`;
    return { kind: 'broken', reason, fix: `Correct the file: ${file}` };
  }
  // Fast path: most files have no flaws, and there may be thousands.
  const flaw =
    facts.flaws.size === 0
      ? undefined
      : FLAWS.find(
          (each) => facts.flaws.has(each) && (reading.refuses.includes(each) || reading.unknown.includes(each)),
        );
  if (flaw) {
    const { is, fix } = FLAW_TEXTS[flaw];
    const isKnown = reading.refuses.includes(flaw);
    return { kind: isKnown ? 'broken' : 'unknown', reason: `its file ${is}`, fix: `${fix}: ${file}` };
  }
  const folder = path.basename(path.dirname(file));
  const text = textsOf(reading, facts);
  const written = text.name?.trim();
  const name = nameOf(reading, written, folder);
  if (name === undefined) return { kind: 'broken', reason: 'its file has no name', fix: `Add a name: ${file}` };
  if (reading.nameMax !== undefined && [...name].length > reading.nameMax)
    return {
      kind: 'broken',
      reason: `its name has more than ${reading.nameMax} characters`,
      fix: `Shorten the name: ${file}`,
    };
  const { description } = text;
  if (description === undefined)
    return { kind: 'broken', reason: 'its file has no description', fix: `Add a description: ${file}` };
  const cut = cutTo(description, entryMax ?? reading.descriptionMax, reading);
  return {
    kind: 'listed',
    name: reading.nameWithout === undefined ? name : name.replace(reading.nameWithout, '-'),
    ownName: written || undefined,
    description: cut,
    isCut: cut !== description,
    isDescribed: text.isDescribed !== false,
  };
}

function nameOf(reading: Reading, written: string | undefined, folder: string): string | undefined {
  if (reading.name === 'folder') return folder;
  if (reading.name === 'frontmatter-or-folder') return written || folder;
  return written === '' && reading.readsLines ? '' : written || undefined;
}

/** Returns name and description as the agent reads them. */
function textsOf(
  reading: Reading,
  facts: FileFacts,
): { name?: string | undefined; description?: string | undefined; isDescribed?: boolean } {
  const has = (flaws: readonly Flaw[] = []): boolean =>
    facts.flaws.size > 0 && flaws.some((each) => facts.flaws.has(each));
  const isBody = has(reading.isBody);
  if (isBody || has(reading.ignores))
    return {
      description: shown(reading, (isBody ? facts.firstLine : facts.firstBodyLine) || EMPTY),
      isDescribed: false,
    };
  if (reading.readsLines && facts.lines) return facts.lines;
  if (reading.description === 'or-first-line') {
    const more = parsedText(facts, 'when_to_use')?.trim();
    const own = Array.isArray(facts.data['description']) ? undefined : parsedText(facts, 'description')?.trim();
    const text = own || facts.firstBodyLine || EMPTY;
    return {
      name: parsedText(facts, 'name'),
      description: shown(reading, more ? `${text} - ${more}` : text),
      isDescribed: Boolean(own || more),
    };
  }
  const written = valueOf(facts, 'description');
  const description = written === undefined ? undefined : shown(reading, written);
  return {
    name: valueOf(facts, 'name'),
    description: description === '' && reading.description === 'required' ? undefined : description,
  };
}

/** Description that Claude Code lists for an empty file. */
const EMPTY = 'Skill';

/** Returns the value as JavaScript prints it: `1.50` becomes 1.5, and a list gets commas. Maps are not text, not even in a list. */
function parsedText({ data }: FileFacts, key: string): string | undefined {
  const value = data[key];
  return value === undefined || value === null ? undefined : asWritten(value);
}

function asWritten(value: YamlValue): string | undefined {
  if (value === null) return '';
  if (!Array.isArray(value)) return typeof value === 'object' ? undefined : String(value);
  const parts = value.map(asWritten);
  return parts.includes(undefined) ? undefined : parts.join(',');
}

/** Returns a description as shown in the list. */
function shown({ breaks, isMarkup }: Reading, text: string): string {
  if (breaks === 'kept') return text;
  if (breaks === 'collapsed') return (/\s\s|[^\S ]/u.test(text) ? text.replace(/\s+/gu, ' ') : text).trim();
  // Replaces each run of unprintable characters with one space, except those that join emoji.
  const plain = text.replace(/(?:(?!\u200d)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}])+/gu, ' ').trim();
  return isMarkup ? plain.replaceAll('<', '&lt;').replaceAll('>', '&gt;') : plain;
}

function cutTo(text: string, max: number | undefined, { mark = '', countsIn = 'units' }: Reading): string {
  // A text has at least as many UTF-16 units as code points.
  if (max === undefined || text.length <= max) return text;
  // Half of a surrogate pair arrives as a replacement character.
  if (countsIn === 'units') return text.slice(0, max - mark.length).replace(/\p{Surrogate}/gu, '\ufffd') + mark;
  const characters = [...text];
  return characters.length <= max ? text : characters.slice(0, max - mark.length).join('') + mark;
}
