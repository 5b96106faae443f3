import { Failure } from '../../core/failure.ts';
import { clearIndex } from '../../operations/clear-index.ts';
import { indexStatus } from '../../operations/index-status.ts';
import { rebuildIndex } from '../../operations/rebuild-index.ts';
import { checkParams } from '../check.ts';
import type { Command } from '../command.ts';
import { indexProgress } from '../index-progress.ts';
import { runOperation } from '../run-operation.ts';

const params = {
  status: { type: 'flag', default: false, help: 'Only show how much is prepared' },
  clear: { type: 'flag', default: false, help: 'Remove the cached data of this project' },
  all: { type: 'flag', default: false, help: 'With --clear: remove the cached data of every project' },
  full: rebuildIndex.params.full,
} as const;

/** One command for all three index operations. */
export const indexCommand: Command = {
  name: 'index',
  group: 'Look',
  summary: rebuildIndex.summary,
  document: `The result of the operation ${rebuildIndex.name}; with --status of ${indexStatus.name}, with --clear of ${clearIndex.name}`,
  params,
  settings: ['skills', 'filters', 'specs'],
  writes: true,
  examples: [
    ['lectern index', 'build the search cache now; otherwise the first search does'],
    ['lectern index --status', 'show how much is prepared, and the size of the cache'],
  ],
  async run(context) {
    const { status, clear, all, full } = checkParams(params, context.given);
    if (status && clear) throw new Failure('USAGE', '--status and --clear cannot be combined.');
    if (all && !clear) throw new Failure('USAGE', '--all needs --clear.');
    if (status) return runOperation(indexStatus, context, {});
    if (clear) return runOperation(clearIndex, context, { everything: all });
    const { edge, signal } = context;
    const { context: shown, clear: clearLine } = indexProgress(context);
    try {
      return await runOperation(rebuildIndex, context, { full }, { notice: edge.say, signal: signal(), ...shown });
    } finally {
      clearLine();
    }
  },
};
