/** A small project with specs and a change, for the tests of the spec tools. */
export const LOGIN = `# Login

## Purpose
People prove who they are before they reach anything that belongs to them.

## Requirements

### Requirement: Password check
The system SHALL compare the password with the stored hash.

#### Scenario: Right password
- **GIVEN** a known person
- **WHEN** the right password is sent
- **AND** the account is open
- **THEN** a session begins
- **AND** the failure counter is cleared

#### Scenario: Wrong password
- **WHEN** a wrong password is sent
- **THEN** the request is refused

### Requirement: Lock after failures
The system SHALL lock the account after five failures in a row.

#### Scenario: Fifth failure
- **WHEN** the fifth wrong password is sent
- **THEN** the account is locked
`;

export const BILLING = `# Billing

## Purpose
Invoices are written once a month and sent to whoever ordered something.

## Requirements

### Requirement: Monthly invoice
The system SHALL write one invoice for each customer and month.

#### Scenario: End of the month
- **WHEN** the month ends
- **THEN** every customer with orders gets an invoice
`;

const DELTA = `## ADDED Requirements

### Requirement: One-time code
The system SHALL ask for a one-time code.

#### Scenario: Code asked
- **WHEN** the password was right
- **THEN** a code is asked for

## MODIFIED Requirements

### Requirement: Lock after failures
The system SHALL lock the account after three failures in a row.

#### Scenario: Fifth failure
- **WHEN** the third wrong password is sent
- **THEN** the account is locked
`;

export const SPECS = {
  'project/openspec/specs/identity/login/spec.md': LOGIN,
  'project/openspec/specs/billing/spec.md': BILLING,
};

export const PROPOSAL =
  '# Change: Ask for a code\n\n## Why\nPasswords leak.\n\n## What Changes\n- A one-time code after the password.\n';

export const CHANGES = {
  'project/openspec/changes/add-code/proposal.md': PROPOSAL,
  'project/openspec/changes/add-code/tasks.md':
    '## 1. Code\n- [x] 1.1 Send it\n- [ ] 1.2 Check it\n- [ ] 1.3 Let it expire\n',
  'project/openspec/changes/add-code/design.md': 'By mail.\n',
  'project/openspec/changes/add-code/specs/identity/login/spec.md': DELTA,
};

/** Words alone are indexed, so that no test waits for a model. */
export const WORDS_ONLY = { 'home/.config/lectern/config.json': '{"search":{"embeddings":"none"}}' };
