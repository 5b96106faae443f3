import type { rebuildIndex } from '../operations/rebuild-index.ts';
import type { indexStatus } from '../operations/index-status.ts';
import type { clearIndex } from '../operations/clear-index.ts';
import type { AnswerOf } from '../operations/perform.ts';
import { count, grouped } from '../core/text.ts';
import { safe, type Style } from './style.ts';

type RebuildIndexOutput = AnswerOf<typeof rebuildIndex>;
type IndexStatusOutput = AnswerOf<typeof indexStatus>;
type ClearIndexOutput = AnswerOf<typeof clearIndex>;

export interface IndexProgress {
  phase: 'reading' | 'embedding' | 'writing';
  done: number;
  total: number;
  perSecond: number;
}

const BAR_WIDTH = 24;
/** The longest text beside the bar. A line that wraps could not be overwritten. */
const BESIDE_BAR = 60;
const LABELS = { reading: 'Reading documents', embedding: 'Embedding texts', writing: 'Writing' } as const;

/** One line: progress bar, speed, time left. */
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
  const changes = [
    [data.added, 'added'],
    [data.changed, 'changed'],
    [data.removed, 'removed'],
  ] as const;
  const counts = changes.filter(([number]) => number > 0).map(([number, word]) => `${grouped(number)} ${word}`);
  const head = data.written
    ? `${style.green('✓')} ${count(data.documents, 'document')} indexed${counts.length > 0 ? `: ${counts.join(', ')}` : ''}`
    : `${style.green('✓')} The index is up to date: ${count(data.documents, 'document')}`;
  const model =
    data.model === null
      ? `${style.yellow('words only')}${data.reason === undefined ? '' : `: ${safe(data.reason)}`}`
      : `${safe(data.model)}${data.embedded > 0 ? `, ${count(data.embedded, 'new vector')}` : ''}${data.url === undefined ? '' : ` from ${safe(data.url)}`}`;
  return `${head}\n  ${style.dim('model:')} ${model}\n  ${style.dim('size: ')} ${size(data.bytes)}\n`;
}

export function renderIndexStatus(data: IndexStatusOutput, style: Style): string {
  const paint = data.state === 'ready' ? style.green : data.state === 'stale' ? style.yellow : style.red;
  const lines = [
    `${style.bold('Search index')} ${paint(data.state)}${data.reason === undefined ? '' : style.dim(` (${safe(data.reason)})`)}`,
    `  ${style.dim('folder:   ')} ${style.place(data.dir)}`,
  ];
  if (data.builtAt !== undefined) {
    lines.push(
      `  ${style.dim('built:    ')} ${safe(data.builtAt)}`,
      `  ${style.dim('model:    ')} ${data.model === null || data.model === undefined ? 'none, words only' : safe(data.model)}`,
      `  ${style.dim('documents:')} ${grouped(data.documents ?? 0)}, ${grouped(data.embedded ?? 0)} of ${grouped(data.units ?? 0)} texts with a vector`,
      `  ${style.dim('size:     ')} ${size(data.bytes ?? 0)}`,
    );
  }
  if (data.state !== 'ready') lines.push('', style.dim('Run `lectern index` to build or update it.'));
  return `${lines.join('\n')}\n`;
}

export function renderCleared(data: ClearIndexOutput, style: Style): string {
  return data.cleared
    ? `${style.green('✓')} Removed the search index ${style.dim(style.place(data.dir))}\n`
    : `There is no search index ${style.dim(style.place(data.dir))}\n`;
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
