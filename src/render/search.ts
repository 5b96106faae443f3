import { count, lineForTerminal } from '../core/text.js';
import type { SearchOutput } from '../operations/search.js';
import { safe, type Style } from './style.js';

export function renderSearch(data: SearchOutput, style: Style): string {
  if (data.results.length === 0) {
    return `Nothing matches "${safe(data.query)}".\n\n${style.dim('Every word must occur; try fewer words.')}\n`;
  }
  const hits = data.results.map(({ name, kind, path, snippet, marks }) => {
    const title = `${style.bold(style.cyan(safe(name)))} ${style.dim(kind)}`;
    return `${title}\n  ${highlight(snippet, marks, style)}\n  ${style.dim(safe(path))}`;
  });
  const left = data.total - data.results.length;
  const more = left > 0 ? `, ${left} more with --limit` : '';
  return `${hits.join('\n\n')}\n\n${style.dim(`${count(data.total, 'match', 'matches')} (${data.mode})${more}`)}\n`;
}

function highlight(snippet: string, marks: readonly (readonly [number, number])[], style: Style): string {
  let result = '';
  let at = 0;
  for (const [start, end] of marks) {
    if (start < at) continue;
    result += lineForTerminal(snippet.slice(at, start)) + style.yellow(lineForTerminal(snippet.slice(start, end)));
    at = end;
  }
  return result + lineForTerminal(snippet.slice(at));
}
