/** Everything there is to say about one main spec. */
import { type Diagnostic, runRules } from '../core/diagnostics.ts';
import { type Outline, sectionEnd, textOf } from '../core/headings.ts';
import { blockText, requirementsSection } from './blocks.ts';
import type { Role } from './clauses.ts';
import { clausesOf, type ParsedSpec, parseSpec, type Requirement, type Scenario } from './parse-spec.ts';
import { SPEC_RULES } from './rules/index.ts';
import type { DocumentSubject, RequirementChild, SpecSubject } from './rules/subject.ts';
import type { SpecFile } from './spec-file.ts';

export function validateSpec({ file, parsed }: SpecFile): Diagnostic[] {
  return runRules(SPEC_RULES, subjectOf(parsed, file.isUtf8), { path: file.path });
}

/** The same for a text that is not in the catalog, such as the outcome of an archive run. */
export function validateSpecText(path: string, text: string): Diagnostic[] {
  return runRules(SPEC_RULES, subjectOf(parseSpec(text), true), { path });
}

function subjectOf({ outline, title, requirements }: ParsedSpec, isUtf8: boolean): SpecSubject {
  const index = headingCalled(outline, 'requirements');
  const section = requirementsSection(outline);
  return {
    ...documentOf(outline, requirements, isUtf8),
    title,
    purpose: purposeOf(outline, headingCalled(outline, 'purpose')),
    requirementsHeading: outline.headings[index],
    children: index === -1 ? [] : childrenOf(outline, index),
    section,
    blocks: (section?.blocks ?? []).map((block) => ({ block, text: blockText(outline, block) })),
  };
}

/** What the rules for specs and for deltas have in common. */
export function documentOf(outline: Outline, requirements: readonly Requirement[], isUtf8: boolean): DocumentSubject {
  const scenarios = requirements.flatMap(({ name, scenarios: own }) =>
    own.map((scenario) => ({ requirement: name, scenario, roles: rolesOf(outline, scenario) })),
  );
  return { outline, isUtf8, requirements, scenarios };
}

const USUAL_ROLES: readonly Role[] = ['when', 'then'];

/** Most scenarios are written in the one documented way, and then there is no need to take them apart. */
function rolesOf(outline: Outline, scenario: Scenario): readonly Role[] {
  let hasWhen = false;
  for (let index = scenario.from; index < scenario.to; index++) {
    if (outline.fenced[index] === 1) continue;
    if (outline.lines[index]?.startsWith('- **WHEN** ')) hasWhen = true;
    else if (hasWhen && outline.lines[index]?.startsWith('- **THEN** ')) return USUAL_ROLES;
  }
  return clausesOf({ outline }, scenario).clauses.map(({ role }) => role);
}

function headingCalled(outline: Outline, name: string): number {
  return outline.headings.findIndex(({ text, tight }) => !tight && text.toLowerCase() === name);
}

function purposeOf(outline: Outline, index: number): SpecSubject['purpose'] {
  const heading = outline.headings[index];
  if (!heading) return undefined;
  const [from, to] = [heading.line + 1, sectionEnd(outline, index)];
  const prose = outline.lines.slice(from, to).filter((_, offset) => outline.fenced[from + offset] !== 1);
  return { heading, text: textOf(outline, from, to), prose: prose.join('\n').trim() };
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
