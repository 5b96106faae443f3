/** Reads a file the way an agent does. */
import path from 'node:path';
import { beginningOf } from '../core/columns.ts';
import type { YamlValue } from '../core/frontmatter/yaml-value.ts';
import { grouped, oneLine } from '../core/text.ts';
import { type FileFacts, type Flaw, FLAWS, valueOf } from '../skills/file-facts.ts';
import type { Reading } from './profile.ts';

export type Read =
  | {
      kind: 'listed';
      name: string;
      ownName: string | undefined;
      description: string;
      /** First line of the description, without `when_to_use`. */
      firstLine: string | undefined;
      isCut: boolean;
      /** True if the frontmatter contains `description` or `when_to_use`. */
      isDescribed: boolean;
      /** Reason why the text is not the skill's description, if it is not. */
      otherText?: { reason: string; fix: string };
    }
  | { kind: 'broken' | 'unknown'; reason: string; fix: string };

const FLAW_TEXTS: Record<Flaw, { is: string; fix: string }> = {
  'byte-order-mark': { is: 'begins with a byte order mark', fix: 'Save it as UTF-8 without a byte order mark' },
  'blank-before-fence': { is: 'has a blank line before the first ---', fix: 'Delete everything before the first ---' },
  'no-fence': { is: 'has no frontmatter', fix: 'Begin the file with --- and a name and a description' },
  'unclosed-fence': { is: 'has frontmatter that is never closed', fix: 'Add a line --- below the frontmatter' },
  'repeated-key': { is: 'has two names or descriptions', fix: 'Delete one of the two' },
  'repeated-other': { is: 'has a duplicate key in its frontmatter', fix: 'Delete one of the two' },
  tab: { is: 'has a tab at the start of a line in its frontmatter', fix: 'Use spaces instead' },
  colon: { is: 'has a colon in unquoted text', fix: 'Put the value in quotes' },
  'end-colon': { is: 'has unquoted text that ends with a colon', fix: 'Put the value in quotes' },
  'reserved-start': { is: 'has unquoted text that begins with @, `, [ or {', fix: 'Put the value in quotes' },
  'odd-start': { is: 'has unquoted text that begins with %, *, |, > or a comma', fix: 'Put the value in quotes' },
  quotes: { is: 'has a value whose quotes do not match', fix: 'Put the whole value in quotes' },
  'fence-text': { is: 'has text after the first ---', fix: 'Delete it' },
  'fence-blank': { is: 'has a space after ---', fix: 'Delete the blank' },
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
      reason: 'it is a link that leads out of the project, and Lectern does not follow those',
      fix: `Replace the link with the skill itself: ${file}`,
    };
  if (facts.unreadable !== undefined) {
    const reason = `the file cannot be read: ${facts.unreadable.replaceAll('-', ' ')}`;
    return { kind: 'broken', reason, fix: `Correct the file: ${file}` };
  }
  if (reading.numberName === 'refused' && isNumberName(facts))
    return { kind: 'broken', reason: 'its name is not text', fix: `Put the name in quotes: ${file}` };
  if (reading.refusesEmptyName && facts.data['name'] === null)
    return { kind: 'broken', reason: 'its name has no value', fix: `Add a name: ${file}` };
  // Fast path: most files have no flaws, and there may be thousands.
  const flaw =
    facts.flaws.size === 0
      ? undefined
      : FLAWS.find(
          (each) =>
            facts.flaws.has(each) &&
            (reading.refuses.includes(each) || reading.unknown.includes(each)) &&
            !(each === 'number' && reading.numberName !== undefined && typeof facts.data['description'] === 'string'),
        );
  if (flaw) {
    const { is, fix } = FLAW_TEXTS[flaw];
    const isKnown = reading.refuses.includes(flaw);
    return { kind: isKnown ? 'broken' : 'unknown', reason: `its file ${is}`, fix: `${fix}: ${file}` };
  }
  const folder = path.basename(path.dirname(file));
  const text = textsOf(reading, facts);
  const written = reading.numberName === 'folder' && isNumberName(facts) ? undefined : text.name?.trim();
  const name = nameOf(reading, written, folder);
  if (name === undefined) return { kind: 'broken', reason: 'its file has no name', fix: `Add a name: ${file}` };
  if (reading.nameMax !== undefined && [...name].length > reading.nameMax)
    return {
      kind: 'broken',
      reason: `its name has more than ${reading.nameMax} characters`,
      fix: `Shorten the name: ${file}`,
    };
  if (reading.nameRefuses?.pattern.test(name))
    return {
      kind: 'broken',
      reason: `its name has ${reading.nameRefuses.named}`,
      fix: `Rename it with letters, digits and hyphens: ${file}`,
    };
  const { description } = text;
  if (description === undefined)
    return { kind: 'broken', reason: 'its file has no description', fix: `Add a description: ${file}` };
  const { descriptionLimit = Infinity } = reading;
  if (description.length > descriptionLimit)
    return {
      kind: 'broken',
      reason: `its description has more than ${grouped(descriptionLimit)} characters`,
      fix: `Shorten the description: ${file}`,
    };
  const cut = cutTo(description, entryMax ?? reading.descriptionMax, reading);
  return {
    kind: 'listed',
    name: reading.nameWithout === undefined ? name : name.replace(reading.nameWithout, '-'),
    ownName: written || undefined,
    description: cut,
    firstLine: reading.hasFirstLine ? text.own?.split('\n', 1)[0]?.trim() : undefined,
    isCut: cut !== description,
    isDescribed: text.isDescribed !== false,
    ...(text.otherText ? { otherText: { reason: text.otherText.reason, fix: `${text.otherText.fix}: ${file}` } } : {}),
  };
}

function nameOf(reading: Reading, written: string | undefined, folder: string): string | undefined {
  if (reading.name === 'folder') return folder;
  if (reading.name === 'frontmatter-or-folder') return written || folder;
  return written === '' && reading.readsLines ? '' : written || undefined;
}

interface Texts {
  name?: string | undefined;
  description?: string | undefined;
  /** Description without `when_to_use`. */
  own?: string | undefined;
  isDescribed?: boolean;
  otherText?: { reason: string; fix: string };
}

/** Returns name and description as the agent reads them. */
function textsOf(reading: Reading, facts: FileFacts): Texts {
  const firstOf = (flaws: readonly Flaw[] = []): Flaw | undefined =>
    facts.flaws.size === 0 ? undefined : flaws.find((each) => facts.flaws.has(each));
  const bodyFlaw = firstOf(reading.isBody);
  const flaw = bodyFlaw ?? firstOf(reading.ignores);
  if (flaw) {
    const { is, fix } = FLAW_TEXTS[flaw];
    return {
      description: shown(reading, (bodyFlaw ? facts.firstLine : facts.firstBodyLine) || EMPTY),
      isDescribed: false,
      otherText: {
        reason: `its file ${is}, so ${bodyFlaw ? '' : 'its frontmatter is ignored, and '}the first line of its text is listed`,
        fix,
      },
    };
  }
  if (reading.readsLines && facts.lines) return { ...facts.lines, ...otherLines(facts, facts.lines.description) };
  if (reading.description === 'or-first-line') {
    const more = parsedText(facts, 'when_to_use')?.trim();
    const own = Array.isArray(facts.data['description']) ? undefined : parsedText(facts, 'description')?.trim();
    const text = own || facts.firstBodyLine || EMPTY;
    return {
      name: parsedText(facts, 'name'),
      description: shown(reading, more ? `${text} - ${more}` : text),
      isDescribed: Boolean(own || more),
      ...(own ? {} : { otherText: NO_DESCRIPTION }),
    };
  }
  const written = valueOf(facts, 'description');
  const description = written === undefined ? undefined : shown(reading, written);
  const name = valueOf(facts, 'name');
  const more = reading.beforeWhenToUse === undefined ? undefined : valueOf(facts, 'when_to_use')?.trim();
  if (description?.trim() && more)
    return { name, own: description, description: `${description}${reading.beforeWhenToUse}${more}` };
  if (description?.trim() || (description === '' && reading.description === 'may-be-empty'))
    return { name, own: description, description };
  if (reading.description === 'optional') return { name, description: '' };
  // Only a missing key is replaced: an empty text is listed, and a key without a value drops the file.
  if (reading.description === 'or-first-paragraph' && description !== undefined) return { name, description };
  if (reading.description === 'or-first-paragraph' && facts.data['description'] === undefined)
    return {
      name,
      description: shown(reading, facts.firstParagraph),
      isDescribed: false,
      otherText: NO_DESCRIPTION_PARAGRAPH,
    };
  return { name, description: reading.description === 'may-be-empty' ? description : undefined };
}

/** Whether the name is a number or a boolean, such as `2026`. */
function isNumberName({ data: { name } }: FileFacts): boolean {
  return typeof name === 'number' || typeof name === 'boolean';
}

const NO_DESCRIPTION_PARAGRAPH = {
  reason: 'its file has no description, so the first paragraph of its text is listed',
  fix: 'Add a description',
} as const;

const NO_DESCRIPTION = {
  reason: 'its file has no description, so the first line of its text is listed',
  fix: 'Add a description',
} as const;

/** Compares the lines of a description with its value. Surrounding quotes do not count as a difference. */
function otherLines(facts: FileFacts, lines: string | undefined): Pick<Texts, 'otherText'> {
  const value = valueOf(facts, 'description');
  const bare = (text: string): string => oneLine(text).replace(/^["']|["']$/gu, '');
  if (lines === undefined || value === undefined || bare(lines) === bare(value)) return {};
  const flaw = FLAWS.find((each) => facts.flaws.has(each)) ?? 'other-yaml';
  const { is, fix } = FLAW_TEXTS[flaw];
  return { otherText: { reason: `its file ${is}, so the lines of its description are listed as written`, fix } };
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
  if (breaks === 'trimmed') return text.trim();
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
  if (countsIn === 'graphemes') return beginningOf(text, max - mark.length) + mark;
  const characters = [...text];
  return characters.length <= max ? text : characters.slice(0, max - mark.length).join('') + mark;
}
