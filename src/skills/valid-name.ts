/** Checks and suggests names that pass every rule of every profile and are valid folder names on every system. */
import { oneLine } from '../core/text.ts';
import { NAME_MAX_CHARACTERS } from './specification.ts';

/** Windows treats these as devices, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/iu;
const WORDS_AND_HYPHENS = /^[\p{Ll}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{N}]+)*$/u;
/** Values that some version of YAML does not read as text unless they are quoted. */
const NEEDS_QUOTES = /^(?:[\d-].*|true|false|null|yes|no|on|off|y|n)$/u;

export function isReservedName(name: string): boolean {
  return RESERVED.test(name);
}

export function isValidName(name: string): boolean {
  // One visible character may normalize to several: a fraction becomes digits and a slash.
  return (
    name === name.normalize('NFKC') &&
    WORDS_AND_HYPHENS.test(name) &&
    [...name].length <= NAME_MAX_CHARACTERS &&
    !isReservedName(name)
  );
}

/** Returns the closest valid name. Undefined if there is no useful suggestion. */
export function validNameFor(name: string): string | undefined {
  const normal = oneLine(name).normalize('NFKC').toLowerCase().normalize('NFKC');
  // Removing combining marks changes the word in many scripts.
  if (/\p{M}/u.test(normal)) return undefined;
  const words = normal.replace(/[^\p{Ll}\p{Lo}\p{N}]+/gu, '-').replace(/^-/u, '');
  const short = [...words].slice(0, NAME_MAX_CHARACTERS).join('').replace(/-$/u, '');
  const better = isReservedName(short) ? `${short}-skill` : short;
  return isValidName(better) ? better : undefined;
}

/** Formats a name as a YAML value, quoted if it would not be read as text. */
export function nameAsYaml(name: string): string {
  return NEEDS_QUOTES.test(name) ? `"${name}"` : name;
}
