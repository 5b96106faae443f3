/**
 * Reads frontmatter without the YAML library, which takes longer to load than hundreds of headers take to read. If the YAML
 * is not plain, `read.ts` reads it.
 */
import { lineFeeds } from '../text.ts';
import type { FullYaml, YamlProblem } from './full-yaml.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { type Split, splitFrontmatter } from './split.ts';
import { newYamlMap, type YamlMap } from './yaml-value.ts';

export type FrontmatterProblemKind =
  | Exclude<Split['kind'], 'found' | 'need-more'>
  | YamlProblem['kind']
  | 'repaired'
  | 'salvaged'
  | 'leading-blank';

export interface FrontmatterProblem {
  kind: FrontmatterProblemKind;
  /** 1-based line in the file. */
  line: number;
  message: string;
}

export interface Frontmatter {
  data: YamlMap;
  /** 1-based line of each key. */
  lines: Map<string, number>;
  /** The source text of scalars that are not text (`123`, `true`, `0x10`). */
  sources: ReadonlyMap<string, string>;
  problems: FrontmatterProblem[];
  /** Offset of the body in the text. 0 if there is no frontmatter. */
  bodyStart: number;
  bodyLine: number;
}

export type YamlRead = Omit<FullYaml, 'problems' | 'sources'> & {
  sources: ReadonlyMap<string, string>;
  colonAt?: number | undefined;
};

/** Returns undefined if the reader is not sure. Adds any problems to `problems`. */
export type ReadYaml = (yaml: string, problems: FrontmatterProblem[]) => YamlRead | undefined;

export type ReadFrontmatter = (text: string, options?: { complete: boolean }) => Frontmatter | undefined;

/** Reads plain frontmatter at the start of `text`. Returns undefined if more of the file, or the full reader, is needed. */
export const readPlainFrontmatter: ReadFrontmatter = (text, options) =>
  readFrontmatterWith(text, options, readPlainYaml);

export function readFrontmatterWith(
  text: string,
  options: { complete: boolean } | undefined,
  readYaml: ReadYaml,
): Frontmatter | undefined {
  const split = splitFrontmatter(text, options ?? { complete: true });
  if (split.kind === 'need-more') return undefined;
  if (split.kind !== 'found') {
    return {
      data: newYamlMap(),
      lines: new Map(),
      sources: new Map(),
      problems: [{ kind: split.kind, line: split.line, message: '' }],
      bodyStart: 0,
      bodyLine: 1,
    };
  }
  const problems: FrontmatterProblem[] = [];
  const read = readYaml(split.yaml, problems);
  if (!read) return undefined;
  if (read.colonAt !== undefined)
    problems.push({ kind: 'repaired', line: read.colonAt, message: 'a colon inside unquoted text' });
  read.lines.forEach((line, key) => read.lines.set(key, line + split.yamlLine));
  for (const problem of problems) problem.line += split.yamlLine;
  if (split.leadingBlank) problems.push({ kind: 'leading-blank', line: 1, message: '' });
  return {
    data: read.data,
    lines: read.lines,
    sources: read.sources,
    problems,
    bodyStart: split.bodyStart,
    bodyLine: split.yamlLine + lineFeeds(split.yaml) + 1,
  };
}
