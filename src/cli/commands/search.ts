import { Failure } from '../../core/failure.js';
import { LIMITS } from '../../core/limits.js';
import { echo } from '../../core/text.js';
import { search } from '../../operations/search.js';
import { renderSearch } from '../../render/search.js';
import type { RunCommand } from '../command.js';
import { textFlag } from '../flags.js';
import { stateOf } from './state.js';

const DEFAULT_LIMIT = 10;

export const run: RunCommand = async ({ workspace, arguments: words, flags }) => {
  const limit = limitOf(textFlag(flags, 'limit'));
  const data = await search.run({ query: words.join(' '), limit, state: stateOf(flags) }, await workspace());
  return { json: data, text: (style) => renderSearch(data, style) };
};

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^[0-9]{1,9}$/u.test(text) ? Number(text) : Number.NaN;
  if (limit >= 1 && limit <= LIMITS.searchLimit.value) return limit;
  throw new Failure('USAGE', `--limit must be a whole number from 1 to ${LIMITS.searchLimit.value}, not "${echo(text)}".`);
}
