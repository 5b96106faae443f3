import { Failure } from '../../core/failure.ts';
import { clearIndex, indexStatus } from '../../operations/index-status.ts';
import { buildWithProgress } from '../../operations/rebuild-index.ts';
import { renderCleared, renderIndexBuilt, renderIndexProgress, renderIndexStatus } from '../../render/index-state.ts';
import type { CommandContext, Outcome, RunCommand } from '../command.ts';
import { isSet } from '../flags.ts';

/** Often enough to look alive, seldom enough to cost nothing. */
const PROGRESS_EVERY_MS = 100;

export const run: RunCommand = async (context) => {
  const { flags } = context;
  if (isSet(flags, 'status') && isSet(flags, 'clear'))
    throw new Failure('USAGE', '--status and --clear do not go together.');
  const workspace = await context.workspace();
  if (isSet(flags, 'status')) {
    const data = await indexStatus.run({}, workspace);
    return { json: data, text: (style) => renderIndexStatus(data, style) };
  }
  if (isSet(flags, 'clear')) {
    const data = await clearIndex.run({}, workspace);
    return { json: data, text: (style) => renderCleared(data, style) };
  }
  return build(context);
};

async function build({ workspace, flags, progress, signal }: CommandContext): Promise<Outcome> {
  const opened = await workspace();
  let shownAt = 0;
  let phaseStart = { phase: '', at: 0, done: 0 };
  try {
    const data = await buildWithProgress(opened, {
      full: isSet(flags, 'full'),
      signal: signal(),
      ...(progress && {
        onProgress: (step) => {
          const now = performance.now();
          if (step.phase !== phaseStart.phase) phaseStart = { phase: step.phase, at: now, done: step.done };
          if (now - shownAt < PROGRESS_EVERY_MS) return;
          shownAt = now;
          const seconds = (now - phaseStart.at) / 1000;
          progress((style) =>
            renderIndexProgress(
              { ...step, perSecond: seconds > 0 ? (step.done - phaseStart.done) / seconds : 0 },
              style,
            ),
          );
        },
      }),
    });
    return { json: data, text: (style) => renderIndexBuilt(data, style) };
  } finally {
    progress?.(undefined);
    await opened.close();
  }
}
