/** Shows on a terminal how far the search index is, while a command builds it. */
import type { RunContext } from '../operations/define.ts';
import type { IndexProgress } from '../render/index-state.ts';
import type { Style } from '../render/style.ts';
import type { CommandContext } from './command.ts';

/** Frequent enough to look alive, and rare enough to cost nothing. */
const PROGRESS_EVERY_MS = 100;

type Render = (progress: IndexProgress, style: Style) => string;

/** Returns a listener for progress, and a function that removes the line. The rendering is loaded with the first step. */
export function indexProgress({ progress }: Pick<CommandContext, 'progress'>): {
  context: Pick<RunContext, 'progress'>;
  clear: () => void;
} {
  if (!progress) return { context: {}, clear: () => undefined };
  let render: Render | undefined;
  let isLoading = false;
  let isShown = false;
  let shownAt = 0;
  let start: { at: number; done: number } | undefined;
  const load = async (): Promise<void> => {
    isLoading = true;
    render = (await import('../render/index-state.ts')).renderIndexProgress;
  };
  return {
    context: {
      progress: (step) => {
        const now = performance.now();
        start ??= { at: now, done: step.done };
        if (!isLoading) void load();
        if (!render || now - shownAt < PROGRESS_EVERY_MS) return;
        const [shown, seconds] = [render, (now - start.at) / 1000];
        const perSecond = seconds > 0 ? (step.done - start.done) / seconds : 0;
        shownAt = now;
        isShown = true;
        progress((style) => shown({ ...step, perSecond }, style));
      },
    },
    clear: () => {
      if (isShown) progress(undefined);
    },
  };
}
