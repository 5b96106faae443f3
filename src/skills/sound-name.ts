/** Names that pass every rule of every profile and can be a folder on every system. */
import { oneLine } from '../core/text.ts';

/** From the Agent Skills specification; Codex and the MCP extension hold to the same number. */
export const NAME_MAX_CHARACTERS = 64;

/** Names that some file system or shell treats in its own way, whatever the extension. */
const RESERVED = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/iu;
const SOUND = /^[\p{Ll}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{N}]+)*$/u;
/** Plain YAML would read these as something other than text, in one version of YAML or another. */
const NOT_PLAIN_TEXT = /^(?:[\d-].*|true|false|null|yes|no|on|off|y|n)$/u;

export function isReservedName(name: string): boolean {
  return RESERVED.test(name);
}

export function isSoundName(name: string): boolean {
  // What looks like one letter may be several once normalized, such as a fraction with its slash.
  return (
    name === name.normalize('NFKC') &&
    SOUND.test(name) &&
    [...name].length <= NAME_MAX_CHARACTERS &&
    !isReservedName(name)
  );
}

/** The sound name that comes nearest; undefined where nothing worth proposing is left. */
export function soundNameFor(name: string): string | undefined {
  const normal = oneLine(name).normalize('NFKC').toLowerCase().normalize('NFKC');
  // Without their marks, the words of many scripts are others.
  if (/\p{M}/u.test(normal)) return undefined;
  const words = normal.replace(/[^\p{Ll}\p{Lo}\p{N}]+/gu, '-').replace(/^-/u, '');
  const short = [...words].slice(0, NAME_MAX_CHARACTERS).join('').replace(/-$/u, '');
  const better = isReservedName(short) ? `${short}-skill` : short;
  return isSoundName(better) ? better : undefined;
}

/** A name as it can stand behind `name:`. */
export function nameAsYaml(name: string): string {
  return NOT_PLAIN_TEXT.test(name) ? `"${name}"` : name;
}
