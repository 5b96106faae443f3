import type { search } from '../operations/search.ts';
import type { searchSpecs } from '../operations/search-specs.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { isNothingToSearch } from '../operations/shapes.ts';
import { LIMITS } from '../core/limits.ts';
import { count, grouped, lineForTerminal } from '../core/text.ts';
import { safe, type Style } from './style.ts';

type SearchOutput = AnswerOf<typeof search>;
type SearchSpecsOutput = AnswerOf<typeof searchSpecs>;

const HEADS = { skill: 'Skills', requirement: 'Requirements', change: 'Changes' } as const;

export function renderSearch(data: SearchOutput, style: Style, verbose = false): string {
  if (isNothing(data)) return renderNothing(data, style);
  const why = renderWhy(data, style);
  if (data.results.length === 0) {
    const advice =
      data.mode === 'keyword'
        ? 'All words must occur. Try fewer words.'
        : 'Nothing is similar enough. Try other words.';
    const { suggestions = [] } = data;
    const meant = suggestions.length === 0 ? '' : `\nDid you mean: ${suggestions.map(safe).join(', ')}?`;
    return `Nothing matches "${safe(data.query)}".${meant}\n\n${style.dim(advice)}\n${why}`;
  }
  const kinds = (['skill', 'requirement', 'change'] as const).flatMap((kind) => {
    const results = data.results.filter((result) => result.kind === kind);
    if (results.length === 0) return [];
    const hits = results.map(({ name, path, score, snippet, marks, spec_id }) => {
      const spec = spec_id === undefined ? '' : ` ${style.dim(`of ${safe(spec_id)}`)}`;
      const title = `  ${style.bold(style.cyan(safe(name)))}${spec}${scoreOf(score, verbose, style)}`;
      const text = snippet === '' ? [] : [`    ${highlight(snippet, marks, style)}`];
      return [title, ...text, `    ${style.dim(style.place(path))}`].join('\n');
    });
    return [`${style.bold(HEADS[kind])}${bestOf(results.length, data.totals[kind], style)}\n${hits.join('\n')}`];
  });
  return `${kinds.join('\n\n')}\n\n${countsOf(data, style)}\n${why}`;
}

/** Says that a list is only the beginning. */
function bestOf(shown: number, total: number, style: Style): string {
  return shown < total ? style.dim(`, the ${grouped(shown)} best of ${grouped(total)}`) : '';
}

/** People compare results by their order. The score helps to choose --min-score. */
function scoreOf(score: number, verbose: boolean, style: Style): string {
  return verbose ? ` ${style.dim(score.toFixed(2))}` : '';
}

function countsOf(
  { results: { length: shown }, total, confidence }: SearchOutput | SearchSpecsOutput,
  style: Style,
): string {
  const paint = confidence === undefined ? style.dim : style.yellow;
  const matches = confidence === undefined ? count(total, 'match', 'matches') : countWeak(total);
  if (shown === total) return paint(matches);
  const most = Math.min(total, LIMITS.searchLimit.value);
  const more = shown === most ? '' : style.dim(`; --limit ${most} shows ${most === total ? 'all' : 'more'}`);
  return paint(`${grouped(shown)} of ${matches}`) + more;
}

function countWeak(total: number): string {
  return count(total, 'weak match', 'weak matches');
}

export function renderSpecSearch(query: string, data: SearchSpecsOutput, style: Style, verbose = false): string {
  if (isNothing(data)) return renderNothing(data, style);
  const why = renderWhy(data, style);
  if (data.results.length === 0) return `No requirement matches "${safe(query)}".\n${why}`;
  const hits = data.results.map(
    ({ spec_id, requirement, score, snippet }) =>
      `${style.bold(style.cyan(safe(requirement)))} ${style.dim(`of ${safe(spec_id)}`)}${scoreOf(score, verbose, style)}\n  ${lineForTerminal(snippet)}`,
  );
  return `${hits.join('\n\n')}\n\n${countsOf(data, style)}\n${why}`;
}

interface Reasoned {
  reason?: string | undefined;
}

function isNothing({ reason }: Reasoned): boolean {
  return reason !== undefined && isNothingToSearch(reason);
}

/** Renders the answer of a search in an empty catalog. */
function renderNothing({ reason = '' }: Reasoned, style: Style): string {
  const sentence = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
  return `${safe(sentence)}\n\n${style.dim('See where Lectern looks:')} lectern doctor\n`;
}

/** Renders notes about the search. */
function renderWhy({ reason }: Reasoned, style: Style): string {
  return reason === undefined ? '' : `${style.dim(safe(`${reason}.`))}\n`;
}

function highlight(snippet: string, marks: readonly (readonly number[])[], style: Style): string {
  let result = '';
  let at = 0;
  for (const [start = 0, end = 0] of marks) {
    if (start < at) continue;
    result += lineForTerminal(snippet.slice(at, start)) + style.yellow(lineForTerminal(snippet.slice(start, end)));
    at = end;
  }
  return result + lineForTerminal(snippet.slice(at));
}
