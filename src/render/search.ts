import type { search } from '../operations/search.ts';
import type { searchSpecs } from '../operations/search-specs.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { isNothingToSearch } from '../operations/shapes.ts';
import { LIMITS } from '../core/limits.ts';
import { count, grouped, lineForTerminal } from '../core/text.ts';
import { safe, type Style } from './style.ts';

type SearchOutput = AnswerOf<typeof search>;
type SearchSpecsOutput = AnswerOf<typeof searchSpecs>;

export function renderSearch(data: SearchOutput, style: Style): string {
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
  const hits = data.results.map(({ name, kind, path, score, snippet, marks, spec_id }) => {
    const what = spec_id === undefined ? kind : `${kind} of ${safe(spec_id)}`;
    const title = `${style.bold(style.cyan(safe(name)))} ${style.dim(data.mode === 'keyword' ? what : `${what} ${score.toFixed(2)}`)}`;
    return `${title}\n  ${highlight(snippet, marks, style)}\n  ${style.dim(style.place(path))}`;
  });
  return `${hits.join('\n\n')}\n\n${style.dim(countsOf(data.results.length, data.total))}\n${why}`;
}

function countsOf(shown: number, total: number): string {
  if (shown === total) return count(total, 'match', 'matches');
  const most = Math.min(total, LIMITS.searchLimit.value);
  const more = shown === most ? '' : `; --limit ${most} shows ${most === total ? 'all' : 'more'}`;
  return `${grouped(shown)} of ${count(total, 'match', 'matches')}${more}`;
}

export function renderSpecSearch(query: string, data: SearchSpecsOutput, style: Style): string {
  if (isNothing(data)) return renderNothing(data, style);
  const why = renderWhy(data, style);
  if (data.results.length === 0) return `No requirement matches "${safe(query)}".\n${why}`;
  const hits = data.results.map(
    ({ spec_id, requirement, score, snippet }) =>
      `${style.bold(style.cyan(safe(requirement)))} ${style.dim(`${safe(spec_id)} ${score.toFixed(2)}`)}\n  ${lineForTerminal(snippet)}`,
  );
  return `${hits.join('\n\n')}\n\n${style.dim(`${count(data.results.length, 'requirement')} (${data.mode})`)}\n${why}`;
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
function renderWhy(
  { reason, confidence }: { reason?: string | undefined; confidence?: 'low' | undefined },
  style: Style,
): string {
  const weak = confidence === undefined ? '' : `${style.yellow('No strong match.')}\n`;
  return weak + (reason === undefined ? '' : `${style.dim(safe(`${reason}.`))}\n`);
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
