import type { rebuildIndex } from '../operations/rebuild-index.ts';
import type { indexStatus } from '../operations/index-status.ts';
import type { clearIndex } from '../operations/clear-index.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, grouped } from '../core/text.ts';
import { size } from './size.ts';
import { safe, type Style } from './style.ts';

type RebuildIndexOutput = AnswerOf<typeof rebuildIndex>;
type IndexStatusOutput = AnswerOf<typeof indexStatus>;
type ClearIndexOutput = AnswerOf<typeof clearIndex>;

export interface IndexProgress {
  phase: 'embedding';
  done: number;
  total: number;
  perSecond: number;
}

const BAR_WIDTH = 24;
/** Maximum width of the text next to the bar. A wrapped line could not be overwritten. */
const BESIDE_BAR = 60;
const LABELS = { embedding: 'Indexing documents' } as const;

/** Renders one line with a progress bar, the speed and the time left. */
export function renderIndexProgress({ phase, done, total, perSecond }: IndexProgress, style: Style): string {
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const width = Math.max(0, Math.min(BAR_WIDTH, (style.width ?? BAR_WIDTH + BESIDE_BAR) - BESIDE_BAR));
  const full = Math.round(share * width);
  const bar = `${style.cyan('█'.repeat(full))}${style.dim('░'.repeat(width - full))}`;
  const rate = perSecond > 0 ? ` · ${perSecond >= 10 ? perSecond.toFixed(0) : perSecond.toFixed(1)}/s` : '';
  const left = perSecond > 0 && done < total ? ` · ${duration((total - done) / perSecond)} left` : '';
  return `${LABELS[phase]} ${bar} ${grouped(done)}/${grouped(total)}${style.dim(rate + left)}`;
}

export function renderIndexBuilt(data: RebuildIndexOutput, style: Style): string {
  const done = data.added === 0 ? 'everything was ready' : `${grouped(data.added)} prepared now`;
  const model = data.model === null ? 'none, words only' : safe(data.model);
  const lines = [
    `${style.green('✓')} ${count(data.documents, 'document')} can be searched: ${done}`,
    `  ${style.dim('model:')} ${model}${data.url === undefined ? '' : ` from ${safe(data.url)}`}`,
    `  ${style.dim('cache:')} ${renderCache(data, style)}`,
  ];
  return `${lines.join('\n')}\n`;
}

export function renderIndexStatus(data: IndexStatusOutput, style: Style): string {
  const paint = data.state === 'ready' ? style.green : style.yellow;
  const lines = [
    `${style.bold('Search')} ${paint(`${grouped(data.ready)} of ${count(data.documents, 'document')} prepared`)}`,
    `  ${style.dim('model:')} ${data.model === null ? 'none, words only' : safe(data.model)}`,
    `  ${style.dim('cache:')} ${renderCache(data, style)}`,
  ];
  if (data.oldIndex !== undefined)
    lines.push(
      '',
      style.dim(`${style.place(data.oldIndex)} is from an earlier version and no longer used; remove it.`),
    );
  if (data.state !== 'ready') lines.push('', style.dim('The first search prepares the rest, or `lectern index` does.'));
  return `${lines.join('\n')}\n`;
}

function renderCache(
  { dir, bytes, reason }: { dir: string | null; bytes: number; reason?: string | undefined },
  style: Style,
): string {
  if (reason !== undefined) return style.yellow(`nothing is cached: ${safe(reason)}`);
  return `${size(bytes)} for all projects ${style.dim(style.place(dir ?? ''))}`;
}

export function renderCleared(data: ClearIndexOutput, style: Style): string {
  const whose = data.everything ? 'every project' : 'this project';
  return `${style.green('✓')} Removed ${count(data.cleared, 'entry', 'entries')} of ${whose} ${style.dim(style.place(data.dir ?? ''))}\n`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
