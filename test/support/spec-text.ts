/** Texts of specs. */
export const CAP = `# cap Specification

## Purpose
This capability exists so that the deltas have something to change.

## Requirements

### Requirement: Alpha
The system SHALL do alpha.

#### Scenario: One
- **WHEN** a
- **THEN** b

#### Scenario: Two
- **WHEN** c
- **THEN** d

### Requirement: Beta
The system SHALL beta.

#### Scenario: B
- **WHEN** a
- **THEN** b
`;

export function requirement(
  name: string,
  { text = `The system SHALL ${name}.`, scenarios = ['S'] }: { text?: string; scenarios?: string[] } = {},
): string {
  return [
    `### Requirement: ${name}`,
    text,
    ...scenarios.flatMap((scenario) => ['', `#### Scenario: ${scenario}`, '- **WHEN** a', '- **THEN** b']),
  ].join('\n');
}
