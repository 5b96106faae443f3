/** What there is to say about one main spec. */
import type { Heading, Outline } from '../core/headings.ts';
import { type RequirementsSection, requirementsSection } from './blocks.ts';
import { type ParsedSpec, parseSpec } from './parse-spec.ts';
import type { FindingPlace, ItemFinding } from './rules/finding.ts';
import { checkScenarios } from './rules/scenarios.ts';
import { checkRequirements } from './rules/spec-requirements.ts';
import { checkSections } from './rules/spec-sections.ts';
import { checkStructure } from './rules/spec-structure.ts';
import { checkText } from './rules/text.ts';
import type { SpecFile } from './spec-file.ts';
import type { TextFile } from './text-file.ts';

/** A spec in OpenSpec's eyes, beside what a forgiving reader makes of it. */
export interface SpecSubject {
  parsed: ParsedSpec;
  outline: Outline;
  /** The first heading called Requirements, at any level. */
  requirements: Heading | undefined;
  /** Its child headings: each one is a requirement to OpenSpec. */
  children: RequirementChild[];
  /** The first `## Requirements` with its blocks. */
  section: RequirementsSection | undefined;
  at(line: number, section?: string): FindingPlace;
}

export interface RequirementChild {
  heading: Heading;
  /** The lines before the first heading below: `[from, to)`. */
  from: number;
  to: number;
  scenarioCount: number;
}

export function validateSpec(spec: SpecFile): ItemFinding[] {
  return findingsOf(spec.id, spec.file, spec.parsed);
}

/** The same for a text that is not in the catalog, such as the outcome of an archive run. */
export function validateSpecText(item: string, path: string, text: string): ItemFinding[] {
  return findingsOf(
    item,
    { path, text, isUtf8: true, stamp: { size: 0, mtimeMs: 0, ctimeMs: 0, ino: 0 }, racy: false },
    parseSpec(text),
  );
}

function findingsOf(item: string, file: TextFile, parsed: ParsedSpec): ItemFinding[] {
  const { outline } = parsed;
  const index = outline.headings.findIndex(({ text, tight }) => !tight && text.toLowerCase() === 'requirements');
  const subject: SpecSubject = {
    parsed,
    outline,
    requirements: outline.headings[index],
    children: index === -1 ? [] : childrenOf(outline, index),
    section: requirementsSection(outline),
    at: (line, section) => ({ item, file: file.path, line, ...(section === undefined ? {} : { section }) }),
  };
  return [
    ...checkSections(subject),
    ...checkStructure(subject),
    ...checkRequirements(subject),
    ...checkScenarios(subject, parsed.requirements),
    ...checkText(subject, file),
  ];
}

/** The direct children of a heading, and for each how many of its own children have a body. */
function childrenOf(outline: Outline, index: number): RequirementChild[] {
  const children: RequirementChild[] = [];
  const level = outline.headings[index]?.level ?? 0;
  let child: RequirementChild | undefined;
  let scenario: { level: number; from: number } | undefined;
  const endScenario = (line: number): void => {
    if (child && scenario && hasInk(outline, scenario.from, line)) child.scenarioCount += 1;
    scenario = undefined;
  };
  for (let next = index + 1; next <= outline.headings.length; next++) {
    const heading = outline.headings[next];
    if (heading?.tight) continue;
    const line = heading?.line ?? outline.lines.length;
    if (child && child.to === -1) child.to = line;
    if (!heading || heading.level <= level) {
      endScenario(line);
      break;
    }
    if (heading.text === '') continue;
    if (!child || heading.level <= child.heading.level) {
      endScenario(line);
      child = { heading, from: line + 1, to: -1, scenarioCount: 0 };
      children.push(child);
    } else if (!scenario || heading.level <= scenario.level) {
      endScenario(line);
      scenario = { level: heading.level, from: line + 1 };
    }
  }
  return children;
}

function hasInk(outline: Outline, from: number, to: number): boolean {
  for (let index = from; index < to; index++) if ((outline.lines[index] ?? '').trim() !== '') return true;
  return false;
}
