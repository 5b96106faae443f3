import { Failure } from '../../core/failure.ts';
import { LIMITS } from '../../core/limits.ts';
import { echo } from '../../core/text.ts';
import { search } from '../../operations/search.ts';
import { renderNotices } from '../../render/diagnostics.ts';
import { renderSearch } from '../../render/search.ts';
import type { RunCommand } from '../command.ts';
import { type FlagValues, listFlag, textFlag } from '../flags.ts';
import { limitOf } from './limit.ts';
import { stateOf } from './state.ts';

export const run: RunCommand = async ({ workspace, arguments: words, flags }) => {
  const limit = limitOf(textFlag(flags, 'limit'));
  const minScore = scoreOf(textFlag(flags, 'minScore'));
  const input = search.input.parse({
    query: words.join(' '),
    limit,
    state: stateOf(flags),
    mode: textFlag(flags, 'mode'),
    in: listFlag(flags, 'in'),
    minScore,
    queries: rephrasingsOf(flags),
  });
  const opened = await workspace();
  const data = await search.run(input, opened);
  await opened.close();
  return {
    json: data,
    text: (style) => renderSearch(data, style),
    notices: (style) => renderNotices(data.diagnostics ?? [], style),
  };
};

function scoreOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const score = /^(?:0|1|[01]?\.[0-9]{1,9})$/u.test(text) ? Number(text) : Number.NaN;
  if (score >= 0 && score <= 1) return score;
  throw new Failure('USAGE', `--min-score must be a number from 0 to 1, not "${echo(text)}".`);
}

function rephrasingsOf(flags: FlagValues): string[] | undefined {
  const also = listFlag(flags, 'also')?.filter((text) => text.trim() !== '');
  if (also && also.length > LIMITS.searchQueries.value)
    throw new Failure('USAGE', `--also may be given ${LIMITS.searchQueries.value} times.`);
  return also;
}
