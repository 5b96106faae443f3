/** Runs every rule for main specs. */
import { type Diagnostic, runRules } from '../core/diagnostics.ts';
import { lastInk, type Outline, sectionEnd, textOf } from '../core/headings.ts';
import { blockText } from './blocks.ts';
import { clausesOf, type ParsedSpec, parseSpec, type Requirement } from './parse-spec.ts';
import { SPEC_RULES } from './rules/index.ts';
import type { DocumentSubject, RequirementChild, SpecSubject } from './rules/subject.ts';
import type { SpecFile } from './spec-file.ts';
import { type EditableSpec, editableSpec } from './structure.ts';

export function validateSpec({ file, parsed, editable }: SpecFile): Diagnostic[] {
  return runRules(SPEC_RULES, subjectOf(parsed, editable, file.isUtf8), { path: file.path });
}

/** Validates a text that is not in the catalog, such as the result of an archive run. */
export function validateSpecText(path: string, text: string): Diagnostic[] {
  const parsed = parseSpec(text);
  return runRules(SPEC_RULES, subjectOf(parsed, editableSpec(text, parsed.outline), true), { path });
}

function subjectOf({ outline, title, requirements }: ParsedSpec, editable: EditableSpec, isUtf8: boolean): SpecSubject {
  const index = headingCalled(outline, 'requirements');
  const { section, problems } = editable;
  return {
    ...documentOf(outline, requirements, isUtf8),
    title,
    purpose: purposeOf(outline, headingCalled(outline, 'purpose')),
    requirementsHeading: outline.headings[index],
    children: index === -1 ? [] : childrenOf(outline, index),
    section,
    blocks: (section?.blocks ?? []).map((block) => ({ block, text: blockText(outline, block) })),
    problems,
  };
}

/** Returns the common input of the rules for specs and for deltas. */
export function documentOf(outline: Outline, requirements: readonly Requirement[], isUtf8: boolean): DocumentSubject {
  const scenarios = requirements.flatMap(({ name, scenarios: own }) =>
    own.map((scenario) => ({
      requirement: name,
      scenario,
      roles: clausesOf({ outline }, scenario).clauses.map(({ role }) => role),
    })),
  );
  return { outline, isUtf8, requirements, scenarios };
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

/** Returns the direct children of a heading, each with the number of its children that have a body. */
function childrenOf(outline: Outline, index: number): RequirementChild[] {
  const children: RequirementChild[] = [];
  const level = outline.headings[index]?.level ?? 0;
  let child: RequirementChild | undefined;
  let scenario: { level: number; from: number } | undefined;
  const endScenario = (line: number): void => {
    if (child && scenario && lastInk(outline, scenario.from, line) > scenario.from) child.scenarioCount += 1;
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
