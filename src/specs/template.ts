/** The texts of a new change. Lines to be replaced are listed once, so that a forgotten one is recognized later. */
import type { Outline } from '../core/headings.ts';

const WHY = 'Describe what is missing or wrong today, and for whom.';
const WHAT = '- Describe what will be different.';
const CODE = '- Affected code: the parts that will be touched';
const REQUIREMENT = 'The system SHALL do what this change is about.';
const WHEN = '- **WHEN** something happens';
const THEN = '- **THEN** the outcome can be observed';
/** Text before and after the name of the capability. */
const PURPOSE = ['Describe what ', ' is for. This section is used only if the capability is new.'] as const;

const LINES: ReadonlySet<string> = new Set([WHY, WHAT, CODE, REQUIREMENT, WHEN, THEN]);

/** Returns the indexes of lines that still have the text of the template. Code fences are skipped. */
export function templateLines({ lines, fenced }: Outline): number[] {
  return lines.flatMap((line, index) => (fenced[index] !== 1 && isTemplate(line.trim()) ? [index] : []));
}

function isTemplate(line: string): boolean {
  const [before, after] = PURPOSE;
  return LINES.has(line) || (line.startsWith(before) && line.endsWith(after));
}

export function proposalText(title: string, capability: string): string {
  return `# ${title}

## Why

${WHY}

## What Changes

${WHAT}

## Impact

- Affected specs: ${capability}
${CODE}
`;
}

/** These tasks fit every change, so they do not have to be replaced. */
export function tasksText(): string {
  return `## 1. Implementation

- [ ] 1.1 Write the tests for the scenarios
- [ ] 1.2 Make them pass
- [ ] 1.3 Update the documentation
`;
}

export function deltaText(title: string, capability: string): string {
  return `## Purpose

${PURPOSE.join(capability)}

## ADDED Requirements

### Requirement: ${title}

${REQUIREMENT}

#### Scenario: The usual case

${WHEN}
${THEN}
`;
}
