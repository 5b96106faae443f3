/**
 * Tolerant spec parser. It accepts any text: a missing title, Purpose or Requirements section leaves that
 * part empty, requirements are found anywhere in the text, and a text without any of these is a spec without requirements.
 * The rules in `rules/` check whether OpenSpec accepts it.
 */
import {
  type Heading,
  lastInk,
  type Outline,
  outlineOf,
  sectionEnd,
  textOf,
  withoutClosingMarks,
} from '../core/headings.ts';
import { type Clauses, readClauses } from './clauses.ts';
import { requirementLabel, scenarioLabel, sectionOf } from './words.ts';

export interface Scenario {
  name: string;
  /** Line index of the heading. */
  line: number;
  level: number;
  /** Line range of the body: `[from, to)`. */
  from: number;
  to: number;
}

export interface Requirement {
  name: string;
  line: number;
  level: number;
  /** False for a heading that is a requirement only because it is below Requirements. */
  labeled: boolean;
  /** Line range of the description: `[from, to)`. */
  from: number;
  to: number;
  scenarios: Scenario[];
  /** Scenario headings with nothing below them. */
  emptyScenarios: Scenario[];
}

export interface ParsedSpec {
  /** The first level-one heading. Empty if there is none. */
  title: string;
  purpose: string;
  requirements: Requirement[];
  outline: Outline;
}

export function parseSpec(text: string): ParsedSpec {
  const outline = outlineOf(text);
  return { title: titleOf(outline), purpose: purposeOf(outline), requirements: requirementsOf(outline), outline };
}

/** Usual beginning of a spec. It spares a list from scanning the whole text: 2 ms instead of 38 for 380 specs. */
const USUAL_BEGINNING = /^# (?=[^\n\r]*\S)([^\n\r]*)\n\n?## Purpose\n([^#`~\r]*)\n## /u;

/** Returns the same title and purpose as `parseSpec`. */
export function parseSummary(text: string): Pick<ParsedSpec, 'title' | 'purpose'> {
  const [, title, purpose = ''] = USUAL_BEGINNING.exec(text) ?? [];
  if (title !== undefined && sectionOf(title) !== 'purpose')
    return { title: titleFrom(title), purpose: purpose.trim() };
  const outline = outlineOf(text);
  return { title: titleOf(outline), purpose: purposeOf(outline) };
}

/** Returns the text between the heading of a requirement and its first scenario. */
export function describeRequirement(spec: { outline: Outline }, requirement: Requirement): string {
  return textOf(spec.outline, requirement.from, requirement.to);
}

export function clausesOf(spec: { outline: Outline }, scenario: Scenario): Clauses {
  return readClauses(spec.outline, scenario.from, scenario.to);
}

const TITLE_LABEL = /^(?:capability|spec|specification|能力|规范|规格|capacidad|especificación)\s*[:：]\s*/iu;

/** Returns the first level-one heading without its label. Empty if there is none. */
export function titleOf(outline: Outline): string {
  const heading = outline.headings.find(({ level, tight }) => level === 1 && !tight);
  return heading ? titleFrom(heading.text) : '';
}

function titleFrom(heading: string): string {
  return withoutClosingMarks(heading.trim()).replace(TITLE_LABEL, '');
}

function purposeOf(outline: Outline): string {
  const index = outline.headings.findIndex((heading) => !heading.tight && sectionOf(heading.text) === 'purpose');
  const heading = outline.headings[index];
  return heading ? textOf(outline, heading.line + 1, sectionEnd(outline, index)) : '';
}

/**
 * Finds requirements in one pass over the headings. Below a Requirements heading every child heading is a requirement, as in
 * OpenSpec. Elsewhere only labeled headings are. A labeled scenario belongs to the requirement before it, at any level.
 */
export function requirementsOf(outline: Outline): Requirement[] {
  const found: Requirement[] = [];
  let section: Heading | undefined;
  let open: Requirement | undefined;
  let scenario: Scenario | undefined;

  const endScenario = (line: number): void => {
    if (!open || !scenario) return;
    scenario.to = line;
    const isEmpty = lastInk(outline, scenario.from, scenario.to) === scenario.from;
    (isEmpty ? open.emptyScenarios : open.scenarios).push(scenario);
    scenario = undefined;
  };
  const endRequirement = (line: number): void => {
    endScenario(line);
    if (open && open.to === -1) open.to = line;
    open = undefined;
  };
  const startScenario = (heading: Heading, name: string): void => {
    endScenario(heading.line);
    if (open && open.to === -1) open.to = heading.line;
    scenario = { name, line: heading.line, level: heading.level, from: heading.line + 1, to: -1 };
  };
  const startRequirement = (heading: Heading, name: string, labeled: boolean): void => {
    endRequirement(heading.line);
    open = {
      name,
      line: heading.line,
      level: heading.level,
      labeled,
      from: heading.line + 1,
      to: -1,
      scenarios: [],
      emptyScenarios: [],
    };
    found.push(open);
  };

  for (const heading of outline.headings) {
    const requirement = requirementLabel(heading.text);
    if (requirement !== undefined) {
      // An unlabeled heading above requirements is a group, not a requirement.
      if (open && !open.labeled && heading.level > open.level && open.scenarios.length === 0 && !scenario) found.pop();
      startRequirement(heading, requirement, true);
      continue;
    }
    if (heading.tight || heading.text === '') continue;
    const label = scenarioLabel(heading.text);
    if (open && label !== undefined) {
      startScenario(heading, label);
    } else if (open && heading.level > open.level) {
      if (!scenario || heading.level <= scenario.level) startScenario(heading, withoutClosingMarks(heading.text));
    } else {
      endRequirement(heading.line);
      const kind = sectionOf(heading.text);
      if (kind !== undefined && kind !== 'purpose') section = heading;
      else if (section && heading.level <= section.level) section = undefined;
      else if (section) startRequirement(heading, withoutClosingMarks(heading.text), false);
    }
  }
  endRequirement(outline.lines.length);
  return found;
}
