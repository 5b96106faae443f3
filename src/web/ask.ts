/** Runs an operation for the web interface. */
import type { AnyOperation, RunContext } from '../operations/define.ts';
import { type AnswerOf, type GivenTo, perform } from '../operations/perform.ts';
import type { Reader } from '../workspace/reader.ts';

export async function askOperation<Op extends AnyOperation>(
  reader: Reader,
  operation: Op,
  input: GivenTo<Op, 'web'> | object,
  context: RunContext = {},
): Promise<AnswerOf<Op>> {
  const { output } = await perform(
    operation,
    Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)),
    () => Promise.resolve(reader),
    { face: 'web', fromText: true, wording: { code: 'USAGE', whole: 'the query', unknown: 'parameter' }, context },
  );
  return output as AnswerOf<Op>;
}
