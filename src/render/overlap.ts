import { shown } from '../agents/try-request.ts';
import { count } from '../core/text.ts';
import type { ListedPair, OverlapOutput } from '../operations/skill-overlaps.ts';
import { paintStatus } from './agents-here.ts';
import { safe, type Style } from './style.ts';
import { widthOf, wrap } from './width.ts';

const WIDTH = 80;

export function renderOverlap(output: OverlapOutput, style: Style): string {
  const { name, agents, pairs } = output;
  const titles = new Map(agents.map(({ id, title }) => [id, title]));
  const parts = [...pairsOf(pairs).values()].map((same) => renderPair(same, titles, style));
  const listing = agents.filter(({ status }) => status === undefined).map(({ title }) => title);
  if (parts.length === 0 && listing.length > 0)
    parts.push(
      name === undefined
        ? `No two skills compete in the list of ${listing.join(', ')}.`
        : `No skill competes with ${style.bold(safe(name))} in the list of ${listing.join(', ')}.`,
    );
  const unlisted = agents.flatMap(({ title, status, reason }) =>
    status === undefined
      ? []
      : `${title} does not list ${safe(name ?? '')} (${paintStatus(status, style)})${reason === undefined ? '' : `: ${style.say(reason)}`}.`,
  );
  const notes = [...unlisted, ...leftOut(output, style)].map((line) => wrap(line, '', style.width ?? WIDTH));
  const about = style.dim('Compared by the text that each agent shows its model; no model was asked.');
  return `${[...parts, ...(notes.length === 0 ? [] : [notes.join('\n')]), about].join('\n\n')}\n`;
}

/** The pairs of all agents by their names, in order. */
function pairsOf(pairs: readonly ListedPair[]): Map<string, [ListedPair, ...ListedPair[]]> {
  const groups = new Map<string, [ListedPair, ...ListedPair[]]>();
  for (const pair of pairs) {
    const key = JSON.stringify([pair.copies ?? false, pair.suggestion]);
    const group = groups.get(key);
    if (group) group.push(pair);
    else groups.set(key, [pair]);
  }
  return groups;
}

function renderPair(
  same: readonly [ListedPair, ...ListedPair[]],
  titles: ReadonlyMap<string, string>,
  style: Style,
): string {
  const [{ words, suggestion, copies }] = same;
  const requests = Math.max(...same.map(({ requests: fits = 0 }) => fits));
  const inLists = [...new Set(same.map(({ agent }) => titles.get(agent) ?? agent))].join(', ');
  const facts = [
    ...(copies ? ['two copies of one skill'] : [`both: ${safe(words.join(', '))}`]),
    ...(requests > 0 ? [`${count(requests, 'saved request')} ${requests === 1 ? 'fits' : 'fit'} both`] : []),
  ];
  const lines = [
    headOf(same[0], style),
    style.dim(wrap(inLists, '      ', style.width ?? WIDTH)),
    ...facts.map((fact) => wrap(fact, '      ', style.width ?? WIDTH)),
    wrap(style.say(suggestion), '      ', style.width ?? WIDTH),
  ];
  return lines.join('\n');
}

/** Two lines if the names are too long for one. */
function headOf({ a, b, similarity }: ListedPair, style: Style): string {
  const [first, second] = [safe(a), safe(b)];
  const isLong = widthOf(first) + widthOf(second) + 9 > (style.width ?? WIDTH);
  return `${shown(similarity)}  ${style.bold(first)} ·${isLong ? '\n      ' : ' '}${style.bold(second)}`;
}

function leftOut(
  { total, requestsProblem, leftOut: { pairs, distinguished, skills, withoutText, requests } }: OverlapOutput,
  style: Style,
): string[] {
  return [
    ...(pairs > 0 ? [`${count(pairs, 'more pair')}; --limit ${total} shows all.`] : []),
    ...(distinguished > 0
      ? [
          `${count(distinguished, 'similar pair')} left out: their names or a reference to each other ${distinguished === 1 ? 'tells' : 'tell'} them apart.`,
        ]
      : []),
    ...(skills > 0 ? [`${count(skills, 'skill')} not compared with all others: there are too many.`] : []),
    ...(withoutText > 0 ? [`${count(withoutText, 'skill')} not compared: listed without a known description.`] : []),
    ...(requests > 0 ? [`${count(requests, 'saved request')} not tried: there are too many skills.`] : []),
    ...(requestsProblem === undefined ? [] : [style.say(requestsProblem)]),
  ];
}
