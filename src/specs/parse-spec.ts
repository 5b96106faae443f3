/**
 * A spec as a forgiving reader sees it. Nothing hides a spec: a missing title, Purpose or Requirements section leaves that
 * part empty, requirements are found wherever they stand, and a text that is no spec at all is a spec without requirements.
 * What OpenSpec would say about it is the business of `rules/`.
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
  /** Index of the heading's line. */
  line: number;
  level: number;
  /** The lines of the body: `[from, to)`. */
  from: number;
  to: number;
}

export interface Requirement {
  name: string;
  line: number;
  level: number;
  /** False for a heading that is a requirement only by its place. */
  labeled: boolean;
  /** The lines of the description: `[from, to)`. */
  from: number;
  to: number;
  scenarios: Scenario[];
  /** Scenario headings with nothing below them. */
  emptyScenarios: Scenario[];
}

export interface ParsedSpec {
  /** The first level-one heading; empty when there is none. */
  title: string;
  purpose: string;
  requirements: Requirement[];
  outline: Outline;
}

export function parseSpec(text: string): ParsedSpec {
  const outline = outlineOf(text);
  return { title: titleOf(outline), purpose: purposeOf(outline), requirements: requirementsOf(outline), outline };
}

/** Most specs say what they are and what they are for within their first lines. */
const SUMMARY_CHARACTERS = 1_024;

export function parseTitle(text: string): string {
  return titleOf(outlineOf(beginningOf(text) ?? text)) || titleOf(outlineOf(text));
}

/** The first lines of a long text; undefined for a short one. */
function beginningOf(text: string): string | undefined {
  const end = text.length > SUMMARY_CHARACTERS ? text.lastIndexOf('\n', SUMMARY_CHARACTERS) : -1;
  return end === -1 ? undefined : text.slice(0, end);
}

/** How nearly every spec begins: a title, then a Purpose in plain words. One pattern reads it, and no line needs to be looked at. */
const USUAL_BEGINNING = /^# ([^\n\r]*\S[^\n\r]*)\n\n?## Purpose\n([^#`~\r]*)\n## /u;

/** Title and purpose, as `parseSpec` would give them, without looking at the rest of the text where that is not needed. */
export function parseSummary(text: string): Pick<ParsedSpec, 'title' | 'purpose'> {
  const usual = USUAL_BEGINNING.exec(text);
  if (usual && sectionOf(usual[1] ?? '') !== 'purpose')
    return { title: titleFrom(usual[1] ?? ''), purpose: (usual[2] ?? '').trim() };
  const beginning = beginningOf(text);
  const outline = outlineOf(beginning ?? text);
  const title = titleOf(outline);
  const purpose = purposeSection(outline);
  const isWhole =
    beginning === undefined || (title !== '' && purpose !== undefined && purpose.to < outline.lines.length);
  if (isWhole) return { title, purpose: purpose ? textOf(outline, purpose.from, purpose.to) : '' };
  const whole = outlineOf(text);
  return { title: titleOf(whole), purpose: purposeOf(whole) };
}

/** The text between a requirement's heading and its first scenario. */
export function describeRequirement(spec: { outline: Outline }, requirement: Requirement): string {
  return textOf(spec.outline, requirement.from, requirement.to);
}

export function clausesOf(spec: { outline: Outline }, scenario: Scenario): Clauses {
  return readClauses(spec.outline, scenario.from, scenario.to);
}

const TITLE_LABEL = /^(?:capability|spec|specification|能力|规范|规格|capacidad|especificación)\s*[:：]\s*/iu;

function titleOf(outline: Outline): string {
  const heading = outline.headings.find(({ level, tight }) => level === 1 && !tight);
  return heading ? titleFrom(heading.text) : '';
}

function titleFrom(heading: string): string {
  return withoutClosingMarks(heading.trim()).replace(TITLE_LABEL, '');
}

function purposeOf(outline: Outline): string {
  const section = purposeSection(outline);
  return section ? textOf(outline, section.from, section.to) : '';
}

function purposeSection(outline: Outline): { from: number; to: number } | undefined {
  const index = outline.headings.findIndex((heading) => !heading.tight && sectionOf(heading.text) === 'purpose');
  const heading = outline.headings[index];
  return heading && { from: heading.line + 1, to: sectionEnd(outline, index) };
}

/**
 * One pass over the headings. Inside a Requirements section every child heading is a requirement, as it is to OpenSpec;
 * elsewhere only a labeled one is. A labeled scenario belongs to the requirement before it, whatever its level.
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
      // An unlabeled heading above requirements groups them; it is none itself.
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
