/** Checks the values on the command line. Messages use the names that users type: `--limit`, `<name>`. */
import { checkFields, mismatchFailure, type Wording } from '../core/fields/check.ts';
import type { InputOf } from '../core/fields/field.ts';
import { echo } from '../core/text.ts';
import { type Params, paramsFor } from '../operations/define.ts';
import { type GivenSettings, SETTINGS, type SettingDefinition } from '../workspace/settings-table.ts';
import { argumentsOf, flagsOf, type Given } from './flags.ts';

/** Checks the parameters of a command that is not an operation. Fails with USAGE if they are invalid. */
export function checkParams<const P extends Params>(params: P, given: Given): InputOf<P> {
  const checked = checkFields(paramsFor('cli', { params }), given, { fromText: true });
  if ('mismatch' in checked) throw mismatchFailure(checked.mismatch, wordingFor(params));
  // The check guarantees the shape that the table describes.
  return checked.value as InputOf<P>;
}

export function wordingFor(params: Params): Wording {
  const names = new Map([
    ...argumentsOf(params).map(({ key, form }): [string, string] => [key, form]),
    ...flagsOf(params).map(({ key, names: [name] }): [string, string] => [key, name]),
  ]);
  return {
    ...wording((place) => names.get(place)),
    details: ({ kind, place, near }) => {
      const hint = kind === 'wrong' ? params[place]?.hintIfWrong : undefined;
      if (hint === undefined) return {};
      return { hint: near.length > 0 ? `Did you mean ${near.join(' or ')}? ${hint}` : hint };
    },
  };
}

/** Checks the settings from flags. Fails with USAGE if one is invalid. */
export function checkSettings(given: Given): GivenSettings {
  const definitions: Readonly<Record<string, SettingDefinition>> = SETTINGS;
  const fields = Object.fromEntries(
    Object.entries(definitions).map(([name, { default: _default, ...field }]) => [name, field]),
  );
  const checked = checkFields(fields, given, { fromText: true });
  if (!('mismatch' in checked)) return checked.value;
  throw mismatchFailure(
    checked.mismatch,
    wording((place) => definitions[place]?.flags?.[0]),
  );
}

function wording(nameOf: (place: string) => string | undefined): Wording {
  return { code: 'USAGE', name: (place) => nameOf(place) ?? echo(place), whole: 'The input', unknown: 'flag' };
}
