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
  const reader = new RequirementReader(outline);
  for (const heading of outline.headings) reader.add(heading);
  reader.endRequirement(outline.lines.length);
  return reader.found;
}

class RequirementReader {
  readonly found: Requirement[] = [];
  readonly #outline: Outline;
  #section: Heading | undefined;
  #open: Requirement | undefined;
  #scenario: Scenario | undefined;

  constructor(outline: Outline) {
    this.#outline = outline;
  }

  add(heading: Heading): void {
    const requirement = requirementLabel(heading.text);
    if (requirement !== undefined) {
      if (this.#isGroupAbove(heading)) this.found.pop();
      this.#startRequirement(heading, requirement, true);
    } else if (!heading.tight && heading.text !== '') this.#addUnlabeled(heading);
  }

  endRequirement(line: number): void {
    this.#endScenario(line);
    this.#endDescription(line);
    this.#open = undefined;
  }

  /** An unlabeled heading above requirements is a group, not a requirement. */
  #isGroupAbove({ level }: Heading): boolean {
    const open = this.#open;
    return open !== undefined && !open.labeled && level > open.level && open.scenarios.length === 0 && !this.#scenario;
  }

  #addUnlabeled(heading: Heading): void {
    const open = this.#open;
    const label = scenarioLabel(heading.text);
    if (open && label !== undefined) {
      this.#startScenario(heading, label);
    } else if (open && heading.level > open.level) {
      if (!this.#scenario || heading.level <= this.#scenario.level)
        this.#startScenario(heading, withoutClosingMarks(heading.text));
    } else {
      this.endRequirement(heading.line);
      this.#addOutside(heading);
    }
  }

  /** Adds a heading that does not belong to the requirement before it. */
  #addOutside(heading: Heading): void {
    const section = this.#section;
    const kind = sectionOf(heading.text);
    if (kind !== undefined && kind !== 'purpose') this.#section = heading;
    else if (section && heading.level <= section.level) this.#section = undefined;
    else if (section) this.#startRequirement(heading, withoutClosingMarks(heading.text), false);
  }

  #startRequirement({ line, level }: Heading, name: string, labeled: boolean): void {
    this.endRequirement(line);
    this.#open = { name, line, level, labeled, from: line + 1, to: -1, scenarios: [], emptyScenarios: [] };
    this.found.push(this.#open);
  }

  #startScenario({ line, level }: Heading, name: string): void {
    this.#endScenario(line);
    this.#endDescription(line);
    this.#scenario = { name, line, level, from: line + 1, to: -1 };
  }

  #endDescription(line: number): void {
    if (this.#open?.to === -1) this.#open.to = line;
  }

  #endScenario(line: number): void {
    const open = this.#open;
    const scenario = this.#scenario;
    if (!open || !scenario) return;
    scenario.to = line;
    const isEmpty = lastInk(this.#outline, scenario.from, scenario.to) === scenario.from;
    (isEmpty ? open.emptyScenarios : open.scenarios).push(scenario);
    this.#scenario = undefined;
  }
}
