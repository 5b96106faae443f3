/** A file as one agent reads it. */
import path from 'node:path';
import { type FileFacts, valueOf } from './file-facts.ts';
import { type Flaw, FLAWS, type Reading } from './profile.ts';

export type Read =
  | { kind: 'listed'; name: string; ownName: string | undefined; description: string; isCut: boolean }
  | { kind: 'broken' | 'unknown'; reason: string; fix: string };

const FLAW_TEXTS: Record<Flaw, { is: string; fix: string }> = {
  'byte-order-mark': { is: 'begins with a byte order mark', fix: 'Save it as UTF-8 without a byte order mark' },
  'blank-before-fence': { is: 'has a blank line before the first ---', fix: 'Delete what is before the first ---' },
  'no-fence': { is: 'has no frontmatter', fix: 'Begin the file with --- and a name and a description' },
  'unclosed-fence': { is: 'has frontmatter that is never closed', fix: 'Add a line --- below the frontmatter' },
  'repeated-key': { is: 'has a key twice in its frontmatter', fix: 'Delete one of the two' },
  tab: { is: 'has a tab at the start of a line in its frontmatter', fix: 'Use spaces instead' },
  colon: { is: 'has a colon in unquoted text', fix: 'Put the value in quotes' },
  'at-sign': { is: 'has a value that begins with @', fix: 'Put the value in quotes' },
  number: { is: 'has a name or a description that is not text', fix: 'Put the value in quotes' },
  list: { is: 'has a list for its name or description', fix: 'Write it as text' },
  'other-yaml': { is: 'has frontmatter that is not valid YAML', fix: 'Correct it; lectern validate shows the line' },
};

/** `file` is the path under which the agent finds it. `entryMax` is a setting that replaces the length of a description. */
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
  // Most files have none, and there may be thousands.
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
  const isBare =
    reading.readsWithoutFrontmatter &&
    (['no-fence', 'unclosed-fence', 'blank-before-fence'] as const).some((each) => facts.flaws.has(each));
  const written = isBare ? undefined : valueOf(facts, 'name')?.trim();
  const name = reading.name === 'folder' ? folder : written || (reading.name === 'frontmatter' ? undefined : folder);
  if (name === undefined) return { kind: 'broken', reason: 'its file has no name', fix: `Add a name: ${file}` };
  if (reading.nameMax !== undefined && [...name].length > reading.nameMax)
    return {
      kind: 'broken',
      reason: `its name has more than ${reading.nameMax} characters`,
      fix: `Shorten the name: ${file}`,
    };
  const description = descriptionOf(reading, facts, isBare === true);
  if (description === undefined)
    return { kind: 'broken', reason: 'its file has no description', fix: `Add a description: ${file}` };
  const cut = cutTo(description, entryMax ?? reading.descriptionMax, reading);
  return {
    kind: 'listed',
    name: reading.nameWithout === undefined ? name : name.replace(reading.nameWithout, '-'),
    ownName: written,
    description: cut,
    isCut: cut !== description,
  };
}

function descriptionOf(reading: Reading, facts: FileFacts, isBare: boolean): string | undefined {
  const written = isBare ? undefined : valueOf(facts, 'description');
  const text = written === undefined ? undefined : onOneLine(written);
  if (reading.description === 'or-first-line') {
    const first = (isBare ? facts.firstLine : facts.firstBodyLine) || 'Skill';
    const more = isBare
      ? undefined
      : valueOf(facts, 'when_to_use')
          ?.replace(/\s*\n\s*/gu, ' ')
          .trim();
    return (text || first) + (more ? ` - ${more}` : '');
  }
  if (text === undefined && facts.data['description'] === null && reading.description === 'may-be-empty') return '';
  return text === '' && reading.description === 'required' ? undefined : text;
}

function onOneLine(text: string): string {
  return (text.includes('\n') ? text.replace(/\s*\n\s*/gu, ' ') : text).trim();
}

function cutTo(text: string, max: number | undefined, { mark = '', countsIn = 'units' }: Reading): string {
  // There are at least as many units as code points.
  if (max === undefined || text.length <= max) return text;
  if (countsIn === 'units') return text.slice(0, max - mark.length) + mark;
  const characters = [...text];
  return characters.length <= max ? text : characters.slice(0, max - mark.length).join('') + mark;
}
