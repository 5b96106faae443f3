// A store of specs and changes as large teams have it: about eighteen scenarios a spec, deltas of all four kinds.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const AREAS = ['identity', 'billing', 'catalog', 'search', 'delivery', 'support', 'reports', 'admin'];
const NOUNS = [
  'login',
  'invoice',
  'basket',
  'refund',
  'export',
  'ticket',
  'session',
  'address',
  'coupon',
  'stock',
  'alert',
  'audit',
];
const VERBS = ['create', 'close', 'retry', 'hide', 'merge', 'split', 'assign', 'confirm', 'reject', 'restore'];

const pick = (list, number) => list[number % list.length];

function requirement(spec, number, more = 0) {
  const name = `${pick(VERBS, number + spec)} ${pick(NOUNS, number * 7 + spec)} ${number}`;
  const scenarios = Array.from(
    { length: 2 + ((spec + number) % 2) + more },
    (_, index) => `
#### Scenario: ${pick(VERBS, index + number)} by way ${index + 1}

- **GIVEN** a ${pick(NOUNS, index + spec)} that was changed within the last ${index + 2} days
- **WHEN** a member of staff asks to ${pick(VERBS, number + index)} it
- **AND** nobody else works on it
- **THEN** the ${pick(NOUNS, number)} is kept for ${spec + 30} days
- **AND** the customer is told by e-mail, at most once a day
`,
  );
  return `### Requirement: ${name}

The system SHALL ${name}, and MUST keep a record of who did it, when, and for which reason, so that it can be undone later.
${scenarios.join('')}`;
}

const specId = (number) =>
  number % 3 === 0 ? `${pick(AREAS, number)}/${pick(NOUNS, number)}-${number}` : `${pick(NOUNS, number)}-${number}`;

export function makeSpecCorpus(dir, { specs, changes }) {
  if (existsSync(join(dir, 'done'))) return dir;
  rmSync(dir, { recursive: true, force: true });
  const write = (name, text) => {
    const file = join(dir, 'openspec', name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  write('config.yaml', 'schema: spec-driven\n');
  for (let spec = 0; spec < specs; spec++) {
    const body = Array.from({ length: 8 }, (_, number) => requirement(spec, number)).join('\n');
    write(
      `specs/${specId(spec)}/spec.md`,
      `# ${specId(spec)} Specification\n\n## Purpose\n\nDescribes how the ${pick(NOUNS, spec)} is handled from its first mention until it is deleted again.\n\n## Requirements\n\n${body}`,
    );
  }
  for (let change = 0; change < changes; change++) {
    const id = `${pick(VERBS, change)}-${pick(NOUNS, change)}-${change}`;
    const spec = change % specs;
    write(
      `changes/${id}/proposal.md`,
      `# ${id}\n\n## Why\n\nCustomers have asked for it ${change} times, and the work-around takes a day.\n\n## What Changes\n\n- One thing more, one thing less.\n`,
    );
    const tasks = Array.from(
      { length: 18 },
      (_, index) =>
        `- [${index < change % 19 ? 'x' : ' '}] ${Math.floor(index / 6) + 1}.${(index % 6) + 1} do part ${index} of it`,
    );
    write(
      `changes/${id}/tasks.md`,
      [0, 1, 2]
        .map((group) => `## ${group + 1}. Part\n\n${tasks.slice(group * 6, group * 6 + 6).join('\n')}\n`)
        .join('\n'),
    );
    write(`changes/${id}/.openspec.yaml`, 'schema: spec-driven\ncreated: 2026-01-01\n');
    write(
      `changes/${id}/specs/${specId(spec)}/spec.md`,
      `## ADDED Requirements\n\n${requirement(spec, 100 + change)}\n## MODIFIED Requirements\n\n${requirement(spec, change % 8, 1)}`,
    );
    write(`changes/${id}/specs/fresh-${change}/spec.md`, `## ADDED Requirements\n\n${requirement(change, 1)}`);
  }
  writeFileSync(join(dir, 'done'), '');
  return dir;
}
