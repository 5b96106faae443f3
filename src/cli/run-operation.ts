/** Runs an operation as a command: checks the input, opens the workspace, performs the operation, renders the result. */
import type { Diagnostic } from '../core/diagnostics.ts';
import { forTerminal, jsonText } from '../core/text.ts';
import type { AnyOperation, RunContext } from '../operations/define.ts';
import { perform } from '../operations/perform.ts';
import { renderNotices } from '../render/diagnostics.ts';
import { renderingOf } from '../render/index.ts';
import { verbatim } from '../render/style.ts';
import type { CommandContext, Outcome } from './command.ts';
import { wordingFor } from './check.ts';
import type { Given } from './flags.ts';
import { indexProgress } from './index-progress.ts';

export async function runOperation(
  operation: AnyOperation,
  context: CommandContext,
  given: Given = context.given,
  run?: RunContext,
): Promise<Outcome> {
  const index = indexProgress(context);
  const performed = perform(
    operation,
    given,
    () =>
      context.open({
        skills: (operation.reads === 'skills' || operation.reads === 'all') && operation.surveys !== true,
        collections: operation.collections === true,
        oneShot: operation.writes === undefined,
        lookUp: operation.looksUp === undefined ? undefined : String(given[operation.looksUp]),
      }),
    {
      face: 'cli',
      wording: wordingFor(operation.params),
      fromText: true,
      context: run ?? {
        notice: context.edge.say,
        isForText: !context.json,
        isSet: (param) => given[param] !== undefined,
        environment: context.edge.environment,
        workingDir: context.edge.workingDir,
        ...index.context,
      },
    },
  );
  const { input, output, workspace } = await performed.finally(index.clear);
  const rendering = renderingOf(operation.name);
  const view = { input, workspace, verbose: context.verbose };
  const raw = await rendering?.raw?.(output, view);
  const document = await rendering?.document?.(output, view);
  return {
    json: typeof document === 'object' ? document : output,
    text: async (style) => {
      if (typeof document === 'object') return verbatim(`${jsonText(document, 2)}\n`);
      if (document !== undefined) return verbatim(forTerminal(document));
      if (rendering) return (await rendering.text())(output, style, view);
      if (operation.sentence) {
        const { renderSentence } = await import('../render/sentence.ts');
        return renderSentence(operation.sentence(output), operation.next?.(output), style);
      }
      return (await import('../render/data.ts')).renderData(output, style);
    },
    exitCode: operation.hasErrors?.(output) ? 1 : 0,
    notices: (style) => {
      const { diagnostics, unlisted = 0 } = rendering?.notices?.(output, view) ?? { diagnostics: [] };
      const all = [...workspace.snapshot.configDiagnostics, ...diagnostics];
      if (!context.json) return renderNotices(all, style, unlisted);
      const printed = printedProblems(output);
      return renderNotices(
        all.filter((each) => !printed.has(problemKey(each))),
        style,
      );
    },
    ...(raw === undefined ? {} : { raw }),
  };
}

/** Returns the problems that a JSON document has itself. A script that reads both outputs must not get them twice. */
function printedProblems(document: object): ReadonlySet<string> {
  const { diagnostics } = document as { diagnostics?: readonly Diagnostic[] };
  return new Set(Array.isArray(diagnostics) ? diagnostics.map(problemKey) : []);
}

function problemKey({ code, path, line }: Diagnostic): string {
  return JSON.stringify([code, path, line]);
}
