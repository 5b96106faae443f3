/** Runs an operation: validates the input against its table, opens the workspace and calls it. All faces use this. */
import { checkFields, mismatchFailure, type Wording } from '../core/fields/check.ts';
import { Failure } from '../core/failure.ts';
import type { Fields, GivenOf, InputOf, ObjectOf } from '../core/fields/field.ts';
import { expandHome } from '../core/home-path.ts';
import type { Reader } from '../workspace/reader.ts';
import { type Face, InvalidInput, type Operation, type Params, paramsFor, type RunContext } from './define.ts';

export interface Caller {
  face: Face;
  wording: Wording;
  /** Accepts numbers and switches written as text. */
  fromText?: boolean;
  /** Returns the face's spelling of a key. */
  keyOf?: (key: string) => string;
  context?: RunContext;
}

export interface Performed<P, O, R extends Reader = Reader> {
  input: InputOf<P>;
  output: ObjectOf<O>;
  workspace: R;
}

/** Fails with USAGE if the input is invalid, before the workspace is opened. */
export async function perform<P extends Params, O extends Fields, R extends Reader>(
  operation: Operation<P, O>,
  given: unknown,
  open: () => Promise<R>,
  caller: Caller,
): Promise<Performed<P, O, R>> {
  const { face, wording, keyOf = (key) => key, fromText = false, context = {} } = caller;
  const params = Object.entries(paramsFor(face, operation));
  const fields = Object.fromEntries(params.map(([key, field]) => [keyOf(key), field]));
  const checked = checkFields(fields, given, { fromText });
  if ('mismatch' in checked) throw mismatchFailure(checked.mismatch, wording);
  const values = params.flatMap(([key]) => (keyOf(key) in checked.value ? [[key, checked.value[keyOf(key)]]] : []));
  const workspace = await open();
  const { userDir } = workspace.options;
  const placed = values.map(([key, value]) => [
    key,
    operation.params[String(key)]?.isPath ? inHome(value, userDir) : value,
  ]);
  // The check guarantees the shape that the table describes.
  const input = Object.fromEntries(placed) as InputOf<P>;
  try {
    return { input, output: await operation.run(input, workspace, context), workspace };
  } catch (error) {
    throw error instanceof InvalidInput ? invalidFailure(error, wording, keyOf) : error;
  }
}

function invalidFailure({ param, message }: InvalidInput, wording: Wording, keyOf: (key: string) => string): Failure {
  const key = keyOf(param);
  return new Failure(wording.code, `${wording.prefix ?? ''}${wording.name?.(key) ?? key} ${message}.`);
}

function inHome(value: unknown, home: string | undefined): unknown {
  if (Array.isArray(value)) return value.map((each) => inHome(each, home));
  return typeof value === 'string' ? expandHome(value, home) : value;
}

type For<F extends Face, P> = {
  [K in keyof P as P[K] extends { faces: readonly (infer Some)[] } ? (F extends Some ? K : never) : K]: P[K];
};

/** The input that a face may give to an operation. */
export type GivenTo<Op, F extends Face> = Op extends { params: infer P } ? GivenOf<For<F, P>> : never;
/** The result of an operation. */
export type AnswerOf<Op> = Op extends { output: infer O } ? ObjectOf<O> : never;
