import { describe, expect, test } from 'vitest';
import { parseDelta } from '../../src/specs/parse-delta.ts';

function read(text: string) {
  const delta = parseDelta(text);
  const mark = (canonical: boolean, name: string): string => (canonical ? name : `(${name})`);
  const blocks = (operation: string): string[] =>
    delta.blocks.filter((block) => block.operation === operation).map(({ canonical, name }) => mark(canonical, name));
  return {
    added: blocks('added'),
    modified: blocks('modified'),
    removed: delta.removed.map(({ canonical, name }) => mark(canonical, name)),
    renamed: delta.renamed.map(({ canonical, from, to }) => mark(canonical, `${from} to ${to}`)),
  };
}

const nothing = { added: [], modified: [], removed: [], renamed: [] };
const body = '\nIt SHALL x.\n#### Scenario: S\n- WHEN a\n- THEN b\n';

/** In brackets stands what is read but not in the form that may be applied. */
describe('deltas', () => {
  test.each([
    ['added', `## ADDED Requirements\n### Requirement: A${body}### Requirement: B${body}`, { added: ['A', 'B'] }],
    ['any case', `## Added requirements\n### requirement: A${body}`, { added: ['A'] }],
    ['CRLF', `## MODIFIED Requirements\r\n### Requirement: A${body.replaceAll('\n', '\r\n')}`, { modified: ['A'] }],
    ['no blank after the marks', `## MODIFIED Requirements\n###Requirement: A${body}`, { modified: ['A'] }],
    [
      'a section twice',
      `## ADDED Requirements\n### Requirement: A${body}## ADDED Requirements\n### Requirement: B${body}`,
      { added: ['A', 'B'] },
    ],
    ['two blanks in the section', `## ADDED  Requirements\n### Requirement: A${body}`, { added: ['(A)'] }],
    ['words behind the section', `## ADDED Requirements (v2)\n### Requirement: A${body}`, { added: ['(A)'] }],
    [
      'removed',
      '## REMOVED Requirements\n### Requirement: A\n- `### Requirement: B`\n* ### Requirement: C\n- `D`\n- E\n',
      { removed: ['A', 'B', 'C', '(D)'] },
    ],
    [
      'renamed',
      '## RENAMED Requirements\n- FROM: `### Requirement: A`\n- TO: `### Requirement: B`\nFROM: ### Requirement: C\nTO: ### Requirement: D\n',
      { renamed: ['A to B', 'C to D'] },
    ],
    ['renamed, bold', '## RENAMED Requirements\n- **FROM**: A\n- **TO:** `B`\n', { renamed: ['(A to B)'] }],
    [
      'renamed by an arrow',
      '## RENAMED Requirements\n- `Old name` → `New name`\n- ### Requirement: C -> ### Requirement: D\n',
      { renamed: ['(Old name to New name)', '(C to D)'] },
    ],
    [
      'Chinese',
      `## 新增需求\n### 需求：登录${body}## 移除需求\n### 需求：旧的\n`,
      { added: ['(登录)'], removed: ['(旧的)'] },
    ],
    [
      'Chinese entries in English sections',
      `## MODIFIED Requirements\n### 需求: 登录${body}`,
      { modified: ['(登录)'] },
    ],
    ['Spanish', `## Requisitos añadidos\n### Requisito: Entrar${body}`, { added: ['(Entrar)'] }],
    ['unknown sections', `## CHANGED Requirements\n### Requirement: A${body}`, {}],
    [
      'fences',
      `## ADDED Requirements\n\`\`\`\n### Requirement: A\n## REMOVED Requirements\n\`\`\`\n### Requirement: B${body}`,
      { added: ['B'] },
    ],
  ])('%s', (_, text, expected) => {
    expect(read(text)).toEqual({ ...nothing, ...expected });
  });

  test('reason and migration of a removal are kept', () => {
    const [entry] = parseDelta(
      '## REMOVED Requirements\n### Requirement: A\n**Reason**: too old\n**Migration:** use B\n',
    ).removed;
    expect(entry).toMatchObject({ name: 'A', reason: 'too old', migration: 'use B' });
  });

  test('requirements outside every section are remembered with their lines', () => {
    const delta = parseDelta(
      `### Requirement: Early${body}## Notes\n### Requirement: Late${body}## ADDED Requirements\n### Notes\n`,
    );
    expect(delta.orphans.map(({ name, line, section }) => [name, line, section])).toEqual([
      ['Early', 0, undefined],
      ['Late', 6, 'Notes'],
    ]);
  });
});
