/**
 * Describes values as plain data. An operation's parameters and results and every setting are tables of fields. JSON Schema,
 * checks, flags, help, completion, docs and types are derived from the tables.
 */
interface Described {
  /** One line for people and models, without a final period. */
  readonly help?: string | undefined;
  /** In a result: the key may be missing. */
  readonly optional?: boolean;
  readonly nullable?: boolean;
  /** In an input: the key must be given. An input that is neither required nor has a default may be left out. */
  readonly required?: boolean;
  readonly default?: unknown;
}

interface TextField extends Described {
  readonly type: 'text';
  /** An empty or blank text is refused. */
  readonly filled?: boolean;
  /** Maximum number of characters. Every text has a limit, see LIMITS. */
  readonly max?: number;
  readonly maxWords?: number;
  /** The pattern that the text must match, and its wording in messages: "must be …". */
  readonly pattern?: RegExp;
  readonly mustBe?: string;
}

interface NumberField extends Described {
  readonly type: 'integer' | 'number';
  readonly min?: number;
  readonly max?: number;
  /** A number out of bounds becomes the nearest bound instead of an error. */
  readonly clamp?: boolean;
}

interface FlagField extends Described {
  readonly type: 'flag';
  /** The only allowed value. */
  readonly always?: boolean;
}

interface ChoiceField extends Described {
  readonly type: 'choice';
  readonly choices: readonly string[];
}

interface ListField extends Described {
  readonly type: 'list';
  readonly of: Field;
  readonly min?: number;
  readonly max?: number;
  /** A single item may be given without the list around it. */
  readonly orOne?: boolean;
  /** Each text may contain several items, separated by commas. */
  readonly commas?: boolean;
}

interface ObjectField extends Described {
  readonly type: 'object';
  readonly fields: Fields;
}

interface MapField extends Described {
  readonly type: 'map';
  readonly of: Field;
}

interface AnyField extends Described {
  readonly type: 'any';
}

export type Field = TextField | NumberField | FlagField | ChoiceField | ListField | ObjectField | MapField | AnyField;
export type Fields = Readonly<Record<string, Field>>;

type BareValue<F> = F extends { type: 'text' }
  ? string
  : F extends { type: 'integer' | 'number' }
    ? number
    : F extends { type: 'flag'; always: infer Only extends boolean }
      ? Only
      : F extends { type: 'flag' }
        ? boolean
        : F extends { type: 'choice'; choices: readonly (infer Choice)[] }
          ? Choice
          : F extends { type: 'list'; of: infer Item }
            ? ValueOf<Item>[]
            : F extends { type: 'map'; of: infer Item }
              ? Record<string, ValueOf<Item>>
              : F extends { type: 'object'; fields: infer Inner }
                ? ObjectOf<Inner>
                : unknown;

/** The TypeScript type of the values that a field describes. Unknown for a field without details. */
export type ValueOf<F> = [Field] extends [F]
  ? unknown
  : F extends { nullable: true }
    ? BareValue<F> | null
    : BareValue<F>;

/** The TypeScript type of a result object with these fields. */
export type ObjectOf<F> = Flat<
  { [K in Exclude<keyof F, KeysWith<F, { optional: true }>>]: ValueOf<F[K]> } & {
    [K in KeysWith<F, { optional: true }>]?: ValueOf<F[K]> | undefined;
  }
>;

type KeysWith<F, Mark> = { [K in keyof F]: F[K] extends Mark ? K : never }[keyof F];
type Present<F> = KeysWith<F, { required: true }> | KeysWith<F, { default: NonNullable<unknown> }>;
type Flat<T> = { [K in keyof T]: T[K] };

/** An input after the check: every key that is required or has a default is present. */
export type InputOf<F> = Flat<
  { [K in Present<F>]: ValueOf<F[K]> } & { [K in Exclude<keyof F, Present<F>>]?: ValueOf<F[K]> | undefined }
>;

/** An input before the check. */
export type GivenOf<F> = Flat<
  { [K in KeysWith<F, { required: true }>]: ValueOf<F[K]> } & {
    [K in Exclude<keyof F, KeysWith<F, { required: true }>>]?: ValueOf<F[K]> | undefined;
  }
>;

// Short forms for tables of results, where most fields are only a type and a line of help.

export const text = (help?: string) => ({ type: 'text', help }) as const;
export const integer = (help?: string) => ({ type: 'integer', help }) as const;
export const number = (help?: string) => ({ type: 'number', help }) as const;
export const flag = (help?: string) => ({ type: 'flag', help }) as const;
export const anything = (help?: string) => ({ type: 'any', help }) as const;
export const choice = <const Choices extends readonly string[]>(choices: Choices, help?: string) =>
  ({ type: 'choice', choices, help }) as const;
export const list = <const Of extends Field>(of: Of, help?: string) => ({ type: 'list', of, help }) as const;
export const map = <const Of extends Field>(of: Of, help?: string) => ({ type: 'map', of, help }) as const;
export const object = <const Inner extends Fields>(fields: Inner, help?: string) =>
  ({ type: 'object', fields, help }) as const;
export const optional = <const F extends Field>(field: F) => ({ ...field, optional: true }) as const;
export const nullable = <const F extends Field>(field: F) => ({ ...field, nullable: true }) as const;
