/** Which skills can be published through the MCP Skills extension, and why the others cannot. */
import path from 'node:path';
import { isRecord } from '../core/json-file.ts';
import * as codes from './codes.ts';
import type { Skill } from './schema.ts';

/** A file with one of these reads differently elsewhere than here. */
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
const NAME_MAX = 64;
const DESCRIPTION_MAX = 1024;
const COMPATIBILITY_MAX = 500;

export function isPublishable(skill: Skill): boolean {
  return whyNotPublishable(skill) === undefined;
}

/** The first reason, in words; undefined when the skill can be published. Limits of size are not looked at. */
export function whyNotPublishable(skill: Skill): string | undefined {
  const { name, description, compatibility, metadata } = skill.frontmatter;
  if (path.basename(skill.realFile) !== 'SKILL.md') return `its file is called ${path.basename(skill.realFile)}`;
  if (name !== skill.name || !NAME.test(skill.name) || skill.name.length > NAME_MAX)
    return 'its name is not 1 to 64 lower-case letters, digits and single hyphens';
  if (typeof description !== 'string' || [...description].length > DESCRIPTION_MAX)
    return `its description is not text of at most ${DESCRIPTION_MAX} characters`;
  if (
    compatibility !== undefined &&
    (typeof compatibility !== 'string' || compatibility === '' || [...compatibility].length > COMPATIBILITY_MAX)
  ) {
    return `compatibility is not text of at most ${COMPATIBILITY_MAX} characters`;
  }
  if (
    metadata !== undefined &&
    !(isRecord(metadata) && Object.values(metadata).every((value) => typeof value === 'string'))
  )
    return 'metadata does not map text to text';
  const code = skill.diagnostics.find((diagnostic) => READS_DIFFERENTLY.has(diagnostic.code))?.code;
  return code === undefined ? undefined : `its file has ${code}`;
}
