/** The open changes by spec, and the order in which to archive them. */
import type { SpecMap } from '../operations/spec-map.ts';
import { count, inWords } from '../core/text.ts';
import { safe, type Style } from './style.ts';

type Step = SpecMap['order'][number];

const SIGNS = { added: '+', modified: '~', removed: '-', renamed: '>' } as const;

/** Changes that touch nothing that others touch are one stage, because their order does not matter. */
interface Stage {
  kind: Step['kind'];
  changes: string[];
  text: string;
}

/** Returns the order in few lines. */
export function stagesOf({ order }: Pick<SpecMap, 'order'>): Stage[] {
  const free = order.filter(({ kind }) => kind === 'free').map(({ change }) => change);
  return [
    ...(free.length === 0
      ? []
      : [{ kind: 'free' as const, changes: free, text: `${free.length === 1 ? 'touches' : 'touch'} ${NOTHING}` }]),
    ...order
      .filter(({ kind }) => kind !== 'free')
      .map((step) => ({ kind: step.kind, changes: [step.change], text: wordsFor(step) })),
  ];
}

const NOTHING = 'nothing that other changes touch';

function wordsFor({ change, kind, after, reason = '' }: Step): string {
  const behind = after.length === 0 ? 'before the changes that it meets' : `after ${inWords(after)}`;
  switch (kind) {
    case 'free':
      return NOTHING;
    case 'ordered':
      return behind;
    case 'conflict':
      return `${behind}; ${reason}, so update ${change} first`;
    case 'refused':
      return `refused: ${reason.replace(/\.$/u, '')}`;
  }
}

export function renderMap(map: SpecMap, style: Style): string {
  const { rows, archived } = map;
  if (rows.length === 0) return `No open change touches a spec.\n`;
  const specs = rows.flatMap(({ capability, spec_id, cells }) => [
    `${style.cyan(safe(capability))}${spec_id === undefined ? style.dim(' (new)') : ''}`,
    ...cells.flatMap(({ change, counts, refused, meets }) => [
      `  ${style.bold(signs(counts))}  ${safe(change)}${meets ? style.yellow(`  meets ${meets.map(safe).join(', ')}`) : ''}`,
      ...(refused === undefined ? [] : [`      ${style.red('would be refused:')} ${style.say(refused)}`]),
    ]),
  ]);
  const steps = stagesOf(map).map(
    ({ changes, text, kind }, index) =>
      `  ${index + 1}. ${changes.map(safe).join(', ')}: ${kind === 'refused' ? style.yellow(style.say(text)) : style.say(text)}`,
  );
  const { weeks, total } = archived;
  const last = weeks.at(-1);
  const done = last
    ? [style.dim(`${count(total, 'change')} archived, ${last.changes} of them in the week of ${last.week}`)]
    : [];
  return `${[style.bold('Open changes by spec'), ...specs, '', style.bold('Archive in this order'), ...steps, ...(done.length === 0 ? [] : ['', ...done])].join('\n')}\n`;
}

function signs(counts: SpecMap['rows'][number]['cells'][number]['counts']): string {
  return (Object.keys(SIGNS) as (keyof typeof SIGNS)[])
    .flatMap((operation) => (counts[operation] === 0 ? [] : `${SIGNS[operation]}${counts[operation]}`))
    .join(' ');
}
