import { forTerminal } from '../core/text.ts';
import type { ObjectOf } from '../core/fields/field.ts';
import type { REQUIREMENT, SCENARIO } from '../specs/shapes.ts';
import { safe, type Style } from './style.ts';

/** Renders a requirement with its scenarios, one clause per line. */
export function renderRequirement(requirement: ObjectOf<typeof REQUIREMENT>, indent: string, style: Style): string {
  const text = requirement.description === '' ? [] : block(requirement.description, `${indent}  `);
  const scenarios = requirement.scenarios.map((scenario) => renderScenario(scenario, `${indent}  `, style));
  return [`${indent}${style.bold(safe(requirement.name))}`, ...text, ...scenarios].join('\n');
}

function renderScenario(scenario: ObjectOf<typeof SCENARIO>, indent: string, style: Style): string {
  const clauses = (word: string, texts: readonly string[]): string[] =>
    texts.flatMap((text, index) => {
      const [first = '', ...rest] = forTerminal(text).split('\n');
      const keyword = (index === 0 ? word : 'and').padStart(5);
      return [`${indent}  ${style.dim(keyword)} ${first}`, ...rest.map((line) => `${indent}        ${line}`)];
    });
  return [
    `${indent}${style.cyan('▸')} ${safe(scenario.name)}`,
    ...(scenario.notes === undefined ? [] : block(scenario.notes, `${indent}  `)),
    ...clauses('given', scenario.given),
    ...clauses('when', scenario.when_clauses),
    ...clauses('then', scenario.then),
  ].join('\n');
}

function block(text: string, indent: string): string[] {
  return forTerminal(text)
    .split('\n')
    .map((line) => (line === '' ? '' : indent + line));
}
