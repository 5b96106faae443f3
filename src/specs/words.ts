/**
 * Structural keywords of specs in all supported languages. OpenSpec accepts only the English ones. The others are read as well,
 * so that every spec is listed.
 */
import { withoutClosingMarks } from '../core/headings.ts';
import { OPERATIONS } from './shapes.ts';

export type Operation = (typeof OPERATIONS)[number];

export type SectionKind = 'purpose' | 'requirements' | Operation;

/** Section titles of OpenSpec's grammar, by their lowercase text. */
const OPENSPEC_SECTIONS: ReadonlyMap<string, SectionKind> = new Map<string, SectionKind>([
  ['purpose', 'purpose'],
  ['requirements', 'requirements'],
  ['added requirements', 'added'],
  ['modified requirements', 'modified'],
  ['removed requirements', 'removed'],
  ['renamed requirements', 'renamed'],
]);

const SECTION_ALIASES: ReadonlyMap<string, SectionKind> = new Map<string, SectionKind>([
  ...OPENSPEC_SECTIONS,
  ['目的', 'purpose'],
  ['概述', 'purpose'],
  ['propósito', 'purpose'],
  ['proposito', 'purpose'],
  ['objetivo', 'purpose'],
  ['需求', 'requirements'],
  ['要求', 'requirements'],
  ['requisitos', 'requirements'],
  ['requerimientos', 'requirements'],
  ['新增需求', 'added'],
  ['修改需求', 'modified'],
  ['移除需求', 'removed'],
  ['删除需求', 'removed'],
  ['重命名需求', 'renamed'],
  ['requisitos añadidos', 'added'],
  ['requisitos agregados', 'added'],
  ['requisitos modificados', 'modified'],
  ['requisitos eliminados', 'removed'],
  ['requisitos renombrados', 'renamed'],
]);

/** Returns the section of a heading in OpenSpec's grammar: one space between the words and nothing after them. */
export function openspecSection(heading: string): SectionKind | undefined {
  return OPENSPEC_SECTIONS.get(heading.toLowerCase());
}

const DELTA_BEGINNING = /^(added|modified|removed|renamed)\s+requirements\b/iu;

/** Returns the section of a heading in the tolerant grammar: in any language, with extra spaces, or with a colon or words after it. */
export function sectionOf(heading: string): SectionKind | undefined {
  if (heading.length > 80) return undefined;
  const text = withoutClosingMarks(heading)
    .replace(/[:：]\s*$/u, '')
    .trim()
    .toLowerCase();
  const known = SECTION_ALIASES.get(text);
  if (known) return known;
  const operation = DELTA_BEGINNING.exec(text)?.[1];
  return OPERATIONS.find((candidate) => candidate === operation);
}

const REQUIREMENT = /^(?:requirement|需求|要求|requisito|requerimiento)\s*[:：]/iu;
const SCENARIO = /^(?:scenario(?: outline)?|场景|情景|escenario)\s*[:：]/iu;
const OPENSPEC_REQUIREMENT = /^requirement:/iu;
const OPENSPEC_SCENARIO = /^scenario:/iu;

/** Returns the text after `Requirement:` in any language. Undefined if the heading has no such label. */
export function requirementLabel(heading: string): string | undefined {
  return afterLabel(REQUIREMENT, heading);
}

export function scenarioLabel(heading: string): string | undefined {
  return afterLabel(SCENARIO, heading);
}

/** Like `requirementLabel`, but in OpenSpec's grammar. */
export function openspecRequirement(heading: string): string | undefined {
  return afterLabel(OPENSPEC_REQUIREMENT, heading);
}

/** Returns the scenario name that OpenSpec compares. The label is optional. */
export function openspecScenario(heading: string): string {
  const name = withoutClosingMarks(heading);
  return afterLabel(OPENSPEC_SCENARIO, name) ?? name;
}

function afterLabel(label: RegExp, heading: string): string | undefined {
  const match = label.exec(heading);
  return match ? withoutClosingMarks(heading.slice(match[0].length).trim()) : undefined;
}

/** Normalizes a name: `The System` and `the  system` mean the same to users, but OpenSpec treats them as different. */
export function foldRequirement(name: string): string {
  const lower = withoutClosingMarks(name).toLowerCase();
  return /[^\S ]|\s\s/u.test(lower) ? lower.replace(/\s+/gu, ' ') : lower;
}
