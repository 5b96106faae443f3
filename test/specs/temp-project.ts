import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { SpecCatalog } from '../../src/specs/catalog.ts';

const PAST = new Date('2026-01-01T00:00:00Z');

/** A real folder for one test; gone when the test is over. */
export class TempProject implements Disposable {
  readonly dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-specs-')));

  constructor(files: Record<string, string | Uint8Array> = {}) {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  write(name: string, content: string | Uint8Array): void {
    const file = path.join(this.dir, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, content);
    // A file that was written a moment ago is read again next time; most tests are not about that.
    fs.utimesSync(file, PAST, PAST);
  }

  read(name: string): string {
    return fs.readFileSync(path.join(this.dir, name), 'utf8');
  }

  exists(name: string): boolean {
    return fs.existsSync(path.join(this.dir, name));
  }

  open(): SpecCatalog {
    return new SpecCatalog(nodeFiles, { projectDir: this.dir, ancestors: [this.dir] });
  }

  /** Every file with its content, hidden ones included, to compare two states. */
  state(): Record<string, string> {
    const state: Record<string, string> = {};
    for (const entry of fs.readdirSync(this.dir, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = path.join(entry.parentPath, entry.name);
      state[path.relative(this.dir, file)] = fs.readFileSync(file, 'utf8');
    }
    return state;
  }

  [Symbol.dispose](): void {
    fs.rmSync(this.dir, { recursive: true, force: true });
  }
}

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
