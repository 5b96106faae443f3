/** Runs an operation that shows progress, can be stopped with Ctrl-C, and may prompt the user. */
import { Failure } from '../../core/failure.ts';
import { grouped, lineForTerminal } from '../../core/text.ts';
import type { AnyOperation, Person, PickOption, RunContext } from '../../operations/define.ts';
import { renderingOf } from '../../render/index.ts';
import type { CommandContext, Outcome } from '../command.ts';
import { runOperation } from '../run-operation.ts';

/** Frequent enough to look alive, and rare enough to cost nothing. */
const PROGRESS_EVERY_MS = 100;

export async function runInteractive(operation: AnyOperation, context: CommandContext): Promise<Outcome> {
  try {
    return await runOperation(operation, context, context.given, contextOf(operation, context));
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

/** Prompts need a terminal on both ends. They are disabled with --json and in CI. */
function personOf(operation: AnyOperation, { progress, edge }: CommandContext): Person | undefined {
  const { input, environment } = edge;
  if (!progress || !('isTTY' in input) || input.isTTY !== true || environment['CI']) return undefined;
  const streams = { input, output: process.stderr };
  const answered = <T>(answer: T): Exclude<T, symbol> => {
    if (typeof answer === 'symbol') throw new Failure('INTERRUPTED', 'Stopped; nothing was written.');
    return answer as Exclude<T, symbol>;
  };
  const prompts = () => import('@clack/prompts');
  const shown = (options: readonly PickOption[]) =>
    options.map(({ key, label, hint }) => ({
      value: key,
      label: lineForTerminal(label),
      ...(hint === undefined ? {} : { hint: lineForTerminal(hint) }),
    }));
  return {
    async confirm(plan, question, dangerous) {
      const render = await renderingOf(operation.name)?.text();
      // These renderings use only the result. `dryRun` is cleared, because the plan is about to be executed.
      if (render) progress((style) => render({ ...plan, dryRun: undefined }, style, {} as never));
      return answered(await (await prompts()).confirm({ ...streams, message: question, initialValue: !dangerous }));
    },
    async pickSome(question, options) {
      const { autocompleteMultiselect } = await prompts();
      return answered(
        await autocompleteMultiselect({ ...streams, message: question, options: shown(options), required: true }),
      );
    },
    async pickOne(question, options) {
      return answered(await (await prompts()).select({ ...streams, message: question, options: shown(options) }));
    },
  };
}
