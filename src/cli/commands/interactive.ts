/** Runs an operation that shows progress, can be stopped with Ctrl-C, and may prompt the user. */
import { Failure } from '../../core/failure.ts';
import { grouped, lineForTerminal } from '../../core/text.ts';
import type { AnyOperation, Person, PickOption, RunContext } from '../../operations/define.ts';
import { renderingOf } from '../../render/index.ts';
import { fit, padEnd, reflow, widthOf } from '../../render/width.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { runOperation } from '../run-operation.ts';

/** Frequent enough to look alive, and rare enough to cost nothing. */
const PROGRESS_EVERY_MS = 100;

export async function runInteractive(
  operation: AnyOperation,
  context: CommandContext,
  more: Partial<RunContext> = {},
): Promise<Outcome> {
  try {
    return await runOperation(operation, context, context.given, { ...contextOf(operation, context), ...more });
  } finally {
    context.progress?.(undefined);
  }
}

function contextOf(operation: AnyOperation, context: CommandContext): RunContext {
  const { progress, edge, signal } = context;
  let shownAt = 0;
  const person = personOf(operation, context);
  return {
    notice: edge.say,
    workingDir: edge.workingDir,
    environment: edge.environment,
    signal: signal(),
    ...(progress && {
      received: (bytes) => {
        const now = performance.now();
        if (now - shownAt < PROGRESS_EVERY_MS) return;
        shownAt = now;
        progress((style) => style.dim(`received ${grouped(Math.round(bytes / 1024))} KiB`));
      },
    }),
    ...(person && { person }),
  };
}

const DEFAULT_COLUMNS = 80;
const FRAME_COLUMNS_MIN = 72;
/** Width of the frame to the left of each row. */
const GUIDE_COLUMNS = 3;
/** Width of the check box and its space, and of the last column, in which some terminals wrap. */
const BOX_COLUMNS = 3;
const HINT_COLUMNS_MIN = 12;

/** Returns the rows of a picker, cut so that none is wrapped. */
function pickRows(options: readonly PickOption[], columns: number): { value: string; label: string }[] {
  const room = Math.max(1, columns - BOX_COLUMNS);
  const labels = options.map(({ label }) => fit(lineForTerminal(label), room));
  const widest = labels.reduce((most, label) => Math.max(most, widthOf(label)), 0);
  const indent = Math.min(widest, Math.floor(room / 2));
  return options.map(({ key, hint }, index) => {
    const label = labels[index] ?? '';
    const left = room - Math.max(indent, widthOf(label)) - 2;
    if (hint === undefined || hint === '' || left < HINT_COLUMNS_MIN) return { value: key, label };
    return { value: key, label: `${padEnd(label, indent)}  ${fit(lineForTerminal(hint), left)}` };
  });
}

/** Whether the command can prompt the user. Prompts need a terminal on both ends. They are disabled with --json and in CI. */
export function canPrompt({ progress, edge: { input, environment } }: CommandContext): boolean {
  return progress !== undefined && 'isTTY' in input && input.isTTY === true && !environment['CI'];
}

function personOf(operation: AnyOperation, context: CommandContext): Person | undefined {
  const { progress, edge } = context;
  const { input } = edge;
  if (!progress || !canPrompt(context)) return undefined;
  const columns = process.stderr.columns || DEFAULT_COLUMNS;
  // On a narrow terminal, the key help is wrapped, and the frame would have gaps.
  const withGuide = columns >= FRAME_COLUMNS_MIN;
  const streams = { input, output: process.stderr, withGuide };
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (typeof answer === 'symbol') throw new Failure('INTERRUPTED', 'Stopped; nothing was written.');
    return answer as Exclude<T, symbol>;
  };
  const prompts = () => import('@clack/prompts');
  const shown = (options: readonly PickOption[]) => pickRows(options, columns - (withGuide ? GUIDE_COLUMNS : 0));
  return {
    async confirm(plan, question, dangerous) {
      const render = await renderingOf(operation.name)?.text();
      // These renderings use only the result. `dryRun` is cleared, because the plan is about to be executed.
      if (render)
        progress((style) => reflow(render({ ...plan, dryRun: undefined }, style, {} as never), style.width ?? columns));
      return answered(await (await prompts()).confirm({ ...streams, message: question, initialValue: !dangerous }));
    },
    async pickSome(question, options) {
      const { autocompleteMultiselect } = await prompts();
      const texts = new Map(
        options.map(({ key, label, hint = '' }) => [key, lineForTerminal(`${label} ${hint}`).toLowerCase()]),
      );
      return answered(
        await autocompleteMultiselect({
          ...streams,
          message: fit(lineForTerminal(question), columns - GUIDE_COLUMNS - 1),
          options: shown(options),
          initialValues: options.filter(({ isSelected }) => isSelected).map(({ key }) => key),
          // Rows are cut, but the search covers the full text.
          filter: (search, { value }) => texts.get(value)?.includes(search.toLowerCase()) ?? false,
          required: true,
        }),
      );
    },
    async pickOne(question, options) {
      return answered(await (await prompts()).select({ ...streams, message: question, options: shown(options) }));
    },
  };
}
