/** `lectern validate`: adds the prompt of `--fix`, and `--watch`. */
import path from 'node:path';
import { isFolder } from '../../core/disk/answers.ts';
import { nodeFiles } from '../../core/disk/node-tree.ts';
import { explain, Failure } from '../../core/failure.ts';
import { expandHome } from '../../core/home-path.ts';
import { jsonText } from '../../core/text.ts';
import { validateSkills } from '../../operations/validate-skills.ts';
import { Refresher } from '../../workspace/refresh.ts';
import type { CommandContext, RunCommand, Service } from '../command.ts';
import { runOperation } from '../run-operation.ts';

export const runValidate: RunCommand = async (context) => {
  const { fix, watch } = context.given;
  if (watch === true) return watchSkills(context);
  if (fix !== true) return runOperation(validateSkills, context);
  const { runInteractive } = await import('./interactive.ts');
  // The files are scanned a second time after the repair.
  return runInteractive(validateSkills, { ...context, open: (how) => context.open({ ...how, oneShot: false }) });
};

/** Validates now and after every change, until the process is stopped. */
async function watchSkills(context: CommandContext): Promise<Service> {
  refuseOthers(context);
  const workspace = await context.open({ collections: true, ...watchedFolder(context) });
  let last = '';
  const validate = async (): Promise<void> => {
    const outcome = await runOperation(validateSkills, { ...context, open: () => Promise.resolve(workspace) });
    const now = jsonText(outcome.json);
    if (now !== last) await context.show(outcome);
    last = now;
    context.progress?.((style) => style.dim('Waiting for changes. Press Ctrl-C to stop.'));
  };
  await validate();
  let turn = Promise.resolve();
  const report = (error: unknown): void => {
    last = '';
    context.edge.say(explain(error).message);
  };
  const refresher = new Refresher(workspace, {
    intervalMs: undefined,
    watch: true,
    notice: (event) => {
      if (event.kind === 'refreshed') turn = turn.then(validate).catch(report);
      else if (event.kind === 'failed') report(event.error);
    },
  });
  refresher.start();
  // Watches and timers of a workspace do not keep the process alive. Signals end it as usual.
  return { until: new Promise(() => setInterval(() => undefined, KEEP_ALIVE_MS)) };
}

const KEEP_ALIVE_MS = 60_000;

function refuseOthers({ json, given }: CommandContext): void {
  const format = given['format'];
  const formatFlag = format === 'sarif' ? '--sarif' : format === undefined ? undefined : '--format';
  const other = json ? '--json' : (formatFlag ?? (given['fix'] === true ? '--fix' : undefined));
  if (other === undefined) return;
  throw new Failure('USAGE', `--watch and ${other} cannot be combined.`, { hint: 'Leave out one of the two.' });
}

/** A target outside the folders of agents must be scanned with them, so that its changes are noticed. */
function watchedFolder({ options, given }: CommandContext): { skillDir?: string[] } {
  const { projectDir, userDir, skillDir = [] } = options();
  const { target } = given;
  if (typeof target !== 'string') return {};
  const place = path.resolve(projectDir, expandHome(target, userDir));
  const dir = isFolder(nodeFiles, place) ? place : path.dirname(place);
  return isFolder(nodeFiles, dir) && dir !== projectDir ? { skillDir: [...skillDir, dir] } : {};
}
