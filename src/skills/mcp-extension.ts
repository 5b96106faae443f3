/** Checks whether the MCP Skills extension can transmit a skill. */

import { isRecord } from '../core/json-file.ts';
import { LIMITS } from '../core/limits.ts';
import type { Bundle } from './bundle.ts';
import * as codes from './codes.ts';
import { ENABLED_NAME, fileNameOf, type Skill } from './skill.ts';
import { COMPATIBILITY_MAX_CHARACTERS, DESCRIPTION_MAX_CHARACTERS, NAME_MAX_CHARACTERS } from './specification.ts';

/** Files with these problems are repaired by Lectern. Other readers see different content. */
const READS_DIFFERENTLY = new Set(
  [
    codes.frontmatterRepaired,
    codes.frontmatterSalvaged,
    codes.frontmatterDuplicateKey,
    codes.frontmatterTag,
    codes.frontmatterLate,
    codes.notUtf8,
    codes.nulByte,
    codes.valueType,
    codes.descriptionCut,
  ].map(({ code }) => code),
);
const NAME = /^[\da-z]+(?:-[\da-z]+)*$/u;

/** Returns the reason why the extension cannot transmit the files of a skill. It needs the digest of every file. */
export function mcpBundleProblem({ files, cut }: Pick<Bundle, 'files' | 'cut'>): string | undefined {
  if (cut) return `it has more than ${LIMITS.bundledFiles.value} files`;
  const large = files.find(({ bytes }) => bytes > LIMITS.bundledFileBytes.value);
  return large && `${large.path} has ${large.bytes} bytes; at most ${LIMITS.bundledFileBytes.value} are served`;
}

export function fitsMcpExtension(skill: Skill): boolean {
  return mcpExtensionProblem(skill) === undefined;
}

/** Returns the first reason why the extension cannot transmit the skill. Undefined if it can. `mcpBundleProblem` checks its files. */
export function mcpExtensionProblem(skill: Skill): string | undefined {
  const { name, description, compatibility, metadata } = skill.frontmatter;
  if (fileNameOf(skill) !== ENABLED_NAME) return `its file is called ${fileNameOf(skill)}`;
  if (name !== skill.name || !NAME.test(skill.name) || skill.name.length > NAME_MAX_CHARACTERS)
    return `its name is not 1 to ${NAME_MAX_CHARACTERS} lower-case letters, digits and single hyphens`;
  if (typeof description !== 'string' || [...description].length > DESCRIPTION_MAX_CHARACTERS)
    return `its description is not text of at most ${DESCRIPTION_MAX_CHARACTERS} characters`;
  if (
    compatibility !== undefined &&
    (typeof compatibility !== 'string' ||
      compatibility === '' ||
      [...compatibility].length > COMPATIBILITY_MAX_CHARACTERS)
  ) {
    return `compatibility is not text of at most ${COMPATIBILITY_MAX_CHARACTERS} characters`;
  }
  if (
    metadata !== undefined &&
    !(isRecord(metadata) && Object.values(metadata).every((value) => typeof value === 'string'))
  )
    return 'metadata does not map text to text';
  const code = skill.diagnostics.find((diagnostic) => READS_DIFFERENTLY.has(diagnostic.code))?.code;
  return code === undefined ? undefined : `its file has ${code}`;
}
