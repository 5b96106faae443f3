import { basename, dirname, join, sep } from 'node:path';
import { pairsOf, type TextPair } from './make-pairs.ts';
import { filesBelow, isPermissive, licenseInWords, readSources, type Source } from './sources.ts';

export interface Gathered {
  pairs: TextPair[];
  /** A line per source: what was taken, and what was left out for its license. */
  report: string[];
  /** Names every source that was used, with its license. */
  notice: string;
}

export function gatherPairs(dir: string, read: (file: string) => string): Gathered {
  const pairs: TextPair[] = [];
  const report: string[] = [];
  const used: string[] = [];
  const seen = new Set<string>();
  for (const source of readSources(dir)) {
    const { taken, licenses, refused } = gatherSource(source, join(dir, source.folder), read);
    // Skills are copied from repository to repository.
    const fresh = taken.filter((pair) => isNew(pair, seen));
    for (const pair of fresh) pairs.push(pair);
    if (fresh.length > 0) used.push(`- ${source.title} (${[...licenses].sort().join(', ')})`);
    report.push(
      `${source.title}: ${fresh.length} pairs, ${taken.length - fresh.length} repeated; ${refused} files left out for their license`,
    );
  }
  const notice = `The table holds statistics of words and no text. It was trained on pairs of texts from these sources:\n\n${used.join('\n')}\n`;
  return { pairs, report, notice };
}

/** Types of pairs from this one on come from specs. */
const FIRST_SPEC_TYPE = 13;
/** Texts of specs with an equal name and an equal beginning of this length are the same. */
const COMPARED_CHARACTERS = 120;

interface FromSource {
  taken: TextPair[];
  licenses: Set<string>;
  refused: number;
}

function gatherSource(source: Source, dir: string, read: (file: string) => string): FromSource {
  const from: FromSource = { taken: [], licenses: new Set(), refused: 0 };
  const files = filesBelow(dir);
  for (const file of files) {
    const folder = join(dirname(file), sep);
    const specsBelow = () => files.filter((each) => each.startsWith(folder) && basename(each) === 'spec.md').map(read);
    const made = pairsOf(source.kind, file, read(file), specsBelow);
    if (made.pairs.length === 0) continue;
    // What a file says of itself counts, also if it forbids what the repository allows.
    const license = made.license === undefined ? source.license : licenseInWords(made.license);
    if (license === undefined || !isPermissive(license)) {
      from.refused += 1;
      continue;
    }
    from.licenses.add(license);
    for (const pair of made.pairs) from.taken.push(pair);
  }
  return from;
}

function isNew({ type, left, right }: TextPair, seen: Set<string>): boolean {
  // A delta, its archived copy and the spec repeat a requirement with small differences.
  const key = `${type}\n${left}\n${type >= FIRST_SPEC_TYPE ? right.slice(0, COMPARED_CHARACTERS) : right}`;
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
