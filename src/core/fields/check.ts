/** Checks values against fields. `mismatchFailure` gives all interfaces the same wording. */
import { Failure, type FailureCode, type FailureDetails } from '../failure.ts';
import { isRecord } from '../json-file.ts';
import { LIMITS } from '../limits.ts';
import { nearest } from '../near.ts';
import { echo } from '../text.ts';
import type { Field, Fields } from './field.ts';

/** The first problem with a value. Later problems are often consequences of it. */
export interface Mismatch {
  kind: 'missing' | 'unknown' | 'wrong';
  /** Path of the value, such as `limits.walkDepth`. Empty for the whole value. */
  place: string;
  /** For `wrong`: the requirement, as in "must be a whole number". */
  mustBe: string;
  given: unknown;
  /** For `unknown`: the known keys that look similar. For `missing`: the missing key, if an unknown key looks similar. */
  near: string[];
  /** For `missing`: the unknown key that was probably meant. */
  instead?: string;
  /** The known keys at that place. */
  known: string[];
}

export type Checked = { value: Record<string, unknown> } | { mismatch: Mismatch };

interface CheckOptions {
  /** Accept "5" for 5 and "true" for true, as command lines and some models write them. */
  fromText?: boolean;
  /** Check a result: a field must be present unless it is optional, defaults are not filled in, and texts have no limit. */
  isResult?: boolean;
  /** `drop` leaves out unknown keys, because a newer program may send more. By default they are a mismatch. */
  unknown?: 'drop';
}

class MismatchFound extends Error {
  readonly mismatch: Mismatch;

  constructor(mismatch: Mismatch) {
    super(mismatch.place);
    this.mismatch = mismatch;
  }
}

/** Returns the values with defaults filled in, or the first mismatch. Keys whose value is undefined count as missing. */
export function checkFields(fields: Fields, raw: unknown, options: CheckOptions = {}): Checked {
  try {
    return { value: objectOf(fields, raw, '', options) };
  } catch (error) {
    if (error instanceof MismatchFound) return { mismatch: error.mismatch };
    throw error;
  }
}

function objectOf(fields: Fields, raw: unknown, place: string, options: CheckOptions): Record<string, unknown> {
  if (!isRecord(raw)) throw wrong(place, 'an object', raw);
  const known = Object.keys(fields);
  const at = (key: string): string => (place === '' ? key : `${place}.${key}`);
  const unknown =
    options.unknown === 'drop'
      ? []
      : Object.keys(raw).filter((key) => raw[key] !== undefined && !Object.hasOwn(fields, key));
  const value: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(fields)) {
    const own = Object.hasOwn(raw, key) ? raw[key] : undefined;
    if (own !== undefined) value[key] = valueOf(field, own, at(key), options);
    else if (field.default !== undefined && !options.isResult) value[key] = field.default;
    else if (options.isResult ? !field.optional : field.required) {
      const instead = unknown.find((each) => nearest(each, [key]).length > 0);
      const near = instead === undefined ? [] : [key];
      const mismatch: Mismatch = { kind: 'missing', place: at(key), mustBe: '', given: undefined, near, known };
      throw new MismatchFound(instead === undefined ? mismatch : { ...mismatch, instead });
    }
  }
  const [first] = unknown;
  if (first !== undefined) {
    const near = [...new Set(unknown.flatMap((each) => nearest(each, known)))];
    throw new MismatchFound({ kind: 'unknown', place: at(first), mustBe: '', given: raw[first], near, known });
  }
  return value;
}

function valueOf(field: Field, raw: unknown, place: string, options: CheckOptions): unknown {
  if (raw === null && field.nullable) return null;
  switch (field.type) {
    case 'text':
      return textOf(field, raw, place, options);
    case 'integer':
    case 'number':
      return numberFor(field, raw, place, options);
    case 'flag': {
      const value = options.fromText && (raw === 'true' || raw === 'false') ? raw === 'true' : raw;
      if (typeof value !== 'boolean') throw wrong(place, 'true or false', raw);
      if (field.always !== undefined && value !== field.always) throw wrong(place, String(field.always), raw);
      return value;
    }
    case 'choice':
      return choiceOf(field, raw, place);
    case 'list':
      return listOf(field, raw, place, options);
    case 'object':
      return objectOf(field.fields, raw, place, options);
    case 'map':
      if (!isRecord(raw)) throw wrong(place, 'an object', raw);
      return options.isResult ? mapOf(field.of, raw, place, options) : raw;
    case 'any':
      return raw;
  }
}

function textOf(field: Field & { type: 'text' }, raw: unknown, place: string, { isResult }: CheckOptions): string {
  const { filled = false, max = LIMITS.inputCharacters.value, maxWords = Infinity, pattern, mustBe } = field;
  if (typeof raw !== 'string') throw wrong(place, 'text', raw);
  if (isResult) return raw;
  if (filled && raw.trim() === '') throw wrong(place, 'a text that is not empty', raw);
  if (raw.length > max) throw wrong(place, `at most ${max} characters long`, undefined);
  if (wordCount(raw) > maxWords) throw wrong(place, `at most ${maxWords} words long`, undefined);
  if (pattern && !pattern.test(raw)) throw wrong(place, mustBe ?? 'a text that fits', raw);
  return raw;
}

function numberFor(
  field: Field & { type: 'integer' | 'number' },
  raw: unknown,
  place: string,
  options: CheckOptions,
): number {
  const value = options.fromText ? numberOf(raw, field.type) : raw;
  const fits = field.type === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (typeof value !== 'number' || !fits) throw wrong(place, numberText(field), raw);
  const { min = -Infinity, max = Infinity } = field;
  if (field.clamp) return Math.min(max, Math.max(min, value));
  if (value < min || value > max) throw wrong(place, numberText(field), raw);
  return value;
}

function choiceOf({ choices }: Field & { type: 'choice' }, raw: unknown, place: string): string {
  if (typeof raw === 'string' && choices.includes(raw)) return raw;
  const near = typeof raw === 'string' ? nearest(raw, choices) : [];
  throw new MismatchFound({
    kind: 'wrong',
    place,
    mustBe: `one of ${choices.join(', ')}`,
    given: raw,
    near,
    known: [],
  });
}

function listOf(field: Field & { type: 'list' }, raw: unknown, place: string, options: CheckOptions): unknown[] {
  const { of, min = 0, max = Infinity, orOne = false, commas = false } = field;
  const given: unknown = orOne && !Array.isArray(raw) ? [raw] : raw;
  if (!Array.isArray(given)) throw wrong(place, orOne ? 'a text or a list of texts' : 'a list', raw);
  const items: unknown[] = commas
    ? given.flatMap((item: unknown) =>
        typeof item === 'string' ? item.split(',').flatMap((part) => part.trim() || []) : [item],
      )
    : given;
  if (items.length < min) throw wrong(place, `a list of at least ${min}`, raw);
  if (items.length > max) throw wrong(place, `a list of at most ${max}`, raw);
  return items.map((item) => valueOf(of, item, place, options));
}

function mapOf(of: Field, raw: Record<string, unknown>, place: string, options: CheckOptions): object {
  return Object.fromEntries(
    Object.entries(raw).map(([key, item]) => [key, valueOf(of, item, `${place}.${key}`, options)]),
  );
}

function wordCount(text: string): number {
  return text.split(/\s+/u).filter((word) => word !== '').length;
}

function numberOf(raw: unknown, type: 'integer' | 'number'): unknown {
  if (typeof raw !== 'string') return raw;
  const form = type === 'integer' ? /^-?[0-9]{1,15}$/u : /^-?(?:[0-9]{1,15}(?:\.[0-9]{1,15})?|\.[0-9]{1,15})$/u;
  return form.test(raw) ? Number(raw) : raw;
}

function numberText({ type, min, max }: Field & { type: 'integer' | 'number' }): string {
  const noun = type === 'integer' ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`;
  return min === undefined ? noun : `${noun}, at least ${min}`;
}

function wrong(place: string, mustBe: string, given: unknown): MismatchFound {
  return new MismatchFound({ kind: 'wrong', place, mustBe, given, near: [], known: [] });
}

/** The terms of an interface for its fields: flags, keys or parameters. */
export interface Wording {
  code: FailureCode;
  /** Prefix of every message, such as `Invalid params (-32602): `. */
  prefix?: string;
  /** Returns the display name of a field: `--limit`, `"limits.walkDepth"`. */
  name?: (place: string) => string;
  /** The term for the whole value. */
  whole: string;
  /** The term for an unknown key. */
  unknown: string;
  details?: (mismatch: Mismatch) => FailureDetails;
}

/** The only place that formats mismatches. */
export function mismatchFailure(mismatch: Mismatch, wording: Wording): Failure {
  const { kind, place, mustBe, given, near, known, instead } = mismatch;
  const named = wording.name?.(place) ?? echo(place);
  const sentence =
    place === ''
      ? `${wording.whole} must be ${mustBe}.`
      : kind === 'unknown'
        ? `"${echo(place)}" is not a known ${wording.unknown}.`
        : kind === 'missing'
          ? `${named} is required${instead === undefined ? '.' : `, and "${echo(instead)}" is not a known ${wording.unknown}.`}`
          : isEmpty(given)
            ? `${named} is required and must not be empty.`
            : `${named} must be ${mustBe}${shown(given)}.`;
  const allKnown = known.length > 0 ? `Known: ${known.join(', ')}.` : 'There are none.';
  const hint = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : kind === 'unknown' ? allKnown : undefined;
  return new Failure(wording.code, `${wording.prefix ?? ''}${sentence}`, {
    suggestions: near,
    ...(hint === undefined ? {} : { hint }),
    ...wording.details?.(mismatch),
  });
}

function isEmpty(given: unknown): boolean {
  return typeof given === 'string' && given.trim() === '';
}

function shown(given: unknown): string {
  if (typeof given === 'string') return `, not "${echo(given)}"`;
  return typeof given === 'number' || typeof given === 'boolean' ? `, not ${given}` : '';
}
