import type { Outline } from '../../core/headings.ts';
import type { Role } from '../clauses.ts';
import { clausesOf, type Requirement, type Scenario } from '../parse-spec.ts';
import { defineAdvice, type FindingPlace, type ItemCode, type ItemFinding } from './finding.ts';

const whenMissing = defineAdvice({
  code: 'scenario-when-missing',
  severity: 'warning',
  title: 'A scenario has no WHEN',
  about: 'OpenSpec does not look into scenarios, but a reader needs to know what sets the behavior off.',
  fix: 'Add a line "- **WHEN** …".',
});

const thenMissing = defineAdvice({
  code: 'scenario-then-missing',
  severity: 'warning',
  title: 'A scenario has no THEN',
  about: 'OpenSpec does not look into scenarios, but one without an outcome can neither be tested nor built.',
  fix: 'Add a line "- **THEN** …".',
});

const scenarioDuplicate = defineAdvice({
  code: 'scenario-duplicate',
  severity: 'warning',
  title: 'Two scenarios of one requirement have the same name',
  about: 'A scenario is asked for by its name, and only the first of the two is found.',
  fix: 'Rename one of the two.',
});

const scenarioEmpty = defineAdvice({
  code: 'scenario-empty',
  severity: 'warning',
  title: 'A scenario has no body',
  about: 'A scenario heading with nothing below it does not count as a scenario.',
  fix: 'Add "- **WHEN** …" and "- **THEN** …" below the heading, or remove it.',
});

export const SCENARIO_CODES: readonly ItemCode[] = [whenMissing, thenMissing, scenarioDuplicate, scenarioEmpty];

/** Looks into the scenarios of some requirements, of a spec or of a delta. */
export function* checkScenarios(
  subject: { outline: Outline; at(line: number, section?: string): FindingPlace },
  requirements: readonly Requirement[],
): Iterable<ItemFinding> {
  for (const requirement of requirements) {
    const seen = new Set<string>();
    for (const scenario of requirement.scenarios) {
      const place = (): FindingPlace => subject.at(scenario.line, `${requirement.name} > ${scenario.name}`);
      const clauses = hasUsualClauses(subject.outline, scenario) ? USUAL_CLAUSES : clausesOf(subject, scenario).clauses;
      if (!clauses.some(({ role }) => role === 'when'))
        yield whenMissing.at(place(), `scenario "${scenario.name}" has no WHEN`);
      if (!clauses.some(({ role }) => role === 'then'))
        yield thenMissing.at(place(), `scenario "${scenario.name}" has no THEN`);
      if (seen.has(scenario.name))
        yield scenarioDuplicate.at(place(), `"${requirement.name}" has another scenario called "${scenario.name}"`);
      seen.add(scenario.name);
    }
    for (const scenario of requirement.emptyScenarios) {
      yield scenarioEmpty.at(
        subject.at(scenario.line, `${requirement.name} > ${scenario.name}`),
        `scenario "${scenario.name}" has no body`,
      );
    }
  }
}

const USUAL_CLAUSES: readonly { role: Role }[] = [{ role: 'when' }, { role: 'then' }];

/** Most scenarios are written in the one documented way, and then there is no need to take them apart. */
function hasUsualClauses({ lines, fenced }: Outline, { from, to }: Scenario): boolean {
  let hasWhen = false;
  for (let index = from; index < to; index++) {
    if (fenced[index] === 1) continue;
    if (lines[index]?.startsWith('- **WHEN** ')) hasWhen = true;
    else if (hasWhen && lines[index]?.startsWith('- **THEN** ')) return true;
  }
  return false;
}
