/** Rules for the scenarios of a spec or a delta. OpenSpec does not check their content. Every export is a rule. */
import { defineRule } from '../../core/diagnostics.ts';
import { at, type DocumentSubject } from './subject.ts';

export const whenMissing = defineRule<DocumentSubject>({
  code: 'scenario-when-missing',
  severity: 'warning',
  advice: true,
  title: 'A scenario has no WHEN',
  about: 'OpenSpec does not look inside scenarios, but readers need the trigger of the behavior.',
  fix: 'Add a line "- **WHEN** …".',
  bad: '### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **THEN** they are let in',
  good: '### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in',
  *check({ scenarios }) {
    for (const { requirement, scenario, roles } of scenarios)
      if (!roles.includes('when'))
        yield {
          message: `scenario "${scenario.name}" has no WHEN`,
          ...at(scenario.line, `${requirement} > ${scenario.name}`),
        };
  },
});

export const thenMissing = defineRule<DocumentSubject>({
  code: 'scenario-then-missing',
  severity: 'warning',
  advice: true,
  title: 'A scenario has no THEN',
  about: 'OpenSpec does not look inside scenarios, but one without an outcome can be neither tested nor built.',
  fix: 'Add a line "- **THEN** …".',
  bad: '### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **WHEN** they sign in',
  good: '### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in',
  *check({ scenarios }) {
    for (const { requirement, scenario, roles } of scenarios)
      if (!roles.includes('then'))
        yield {
          message: `scenario "${scenario.name}" has no THEN`,
          ...at(scenario.line, `${requirement} > ${scenario.name}`),
        };
  },
});

export const scenarioDuplicate = defineRule<DocumentSubject>({
  code: 'scenario-duplicate',
  severity: 'warning',
  advice: true,
  title: 'Two scenarios of one requirement have the same name',
  about: 'Scenarios are looked up by name, and only the first of the two is found.',
  fix: 'Rename one of the two.',
  bad: '### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: User\n- **WHEN** they sign in\n- **THEN** they are let in\n\n#### Scenario: User\n- **WHEN** they are blocked\n- **THEN** they are not let in',
  good: '### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in\n\n#### Scenario: Blocked user\n- **WHEN** they are blocked\n- **THEN** they are not let in',
  *check({ requirements }) {
    for (const { name, scenarios } of requirements) {
      const seen = new Set<string>();
      for (const scenario of scenarios) {
        if (seen.has(scenario.name))
          yield {
            message: `"${name}" has another scenario called "${scenario.name}"`,
            ...at(scenario.line, `${name} > ${scenario.name}`),
          };
        seen.add(scenario.name);
      }
    }
  },
});

export const scenarioEmpty = defineRule<DocumentSubject>({
  code: 'scenario-empty',
  severity: 'warning',
  advice: true,
  title: 'A scenario has no body',
  about: 'A scenario heading with nothing below it does not count as a scenario.',
  fix: 'Add "- **WHEN** …" and "- **THEN** …" below the heading, or remove it.',
  bad: '### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user',
  good: '### Requirement: Login\nThe system SHALL let users in.\n\n#### Scenario: Known user\n- **WHEN** they sign in\n- **THEN** they are let in',
  *check({ requirements }) {
    for (const { name, emptyScenarios } of requirements)
      for (const scenario of emptyScenarios)
        yield {
          message: `scenario "${scenario.name}" has no body`,
          ...at(scenario.line, `${name} > ${scenario.name}`),
        };
  },
});
