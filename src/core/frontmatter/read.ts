/**
 * Reads frontmatter: splits off the header, reads the YAML, repairs common mistakes, and reports them. Never throws, never
 * executes anything, and takes linear time.
 */
import { readFullYaml } from './full-yaml.ts';
import { type FrontmatterProblem, type ReadFrontmatter, readFrontmatterWith, type YamlRead } from './plain.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { BLOCK_HEADER, repairLines, stripQuotes } from './repair-lines.ts';
import { newYamlMap } from './yaml-value.ts';

/** Reads the frontmatter at the start of `text`. Returns undefined if more of the file is needed. */
export const readFrontmatter: ReadFrontmatter = (text, options) =>
  readFrontmatterWith(text, options, (yaml, problems) => readPlainYaml(yaml) ?? readOtherYaml(yaml, problems));

/** Tries the full parser, then repairs line by line, then salvages. Adds any problems to `problems`. */
function readOtherYaml(yaml: string, problems: FrontmatterProblem[]): YamlRead {
  const full = readFullYaml(yaml);
  const [trouble] = full.problems;
  if (trouble?.kind !== 'syntax' && trouble?.kind !== 'not-a-map') {
    problems.push(...full.problems);
    return full;
  }
  const repaired = repairLines(yaml);
  if (repaired !== yaml) {
    const again = readFullYaml(repaired);
    const broken = again.problems.some(({ kind }) => kind !== 'duplicate-key' && kind !== 'tag' && kind !== 'alias');
    if (!broken) {
      problems.push({ ...trouble, kind: 'repaired' }, ...again.problems);
      return again;
    }
  }
  const salvaged = salvage(yaml);
  if (salvaged.lines.size === 0) {
    problems.push(...full.problems);
    return full;
  }
  problems.push({ ...trouble, kind: 'salvaged' });
  return salvaged;
}

function indentedText(rows: readonly string[], start: number): string {
  const taken: string[] = [];
  for (let index = start; index < rows.length && /^(?:[ \t]|\r?$)/u.test(rows[index] ?? ''); index++)
    taken.push((rows[index] ?? '').trim());
  return taken.join(' ').trim();
}

/** Last resort: takes the lines that start with `name:` and `description:` literally. */
function salvage(yaml: string): YamlRead {
  const data = newYamlMap();
  const lines = new Map<string, number>();
  const rows = yaml.split('\n');
  for (const [index, row] of rows.entries()) {
    const match = /^[ \t]*(name|description)[ \t]*:[ \t]*([^ \t\r\n].*)?$/u.exec(row.trimEnd());
    const key = match?.[1];
    if (key === undefined || lines.has(key)) continue;
    const written = match?.[2]?.trim() ?? '';
    const isBlock = written === '' || BLOCK_HEADER.test(written);
    const value = isBlock ? indentedText(rows, index + 1) : stripQuotes(written).replace(/^["']/u, '');
    if (value === '') continue;
    data[key] = value;
    lines.set(key, index);
  }
  return { data, lines, sources: new Map() };
}
