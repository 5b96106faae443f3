import { describe, expect, test } from 'vitest';
import { ignoredHeadings } from '../../src/specs/ignored-headings.ts';
import { parseDelta } from '../../src/specs/parse-delta.ts';
import { archiveChange } from '../../src/operations/archive-change.ts';
import { diffChange } from '../../src/operations/diff-change.ts';
import { showChange } from '../../src/operations/show-change.ts';
import { validateChange } from '../../src/operations/validate-specs.ts';
import { ask } from '../support/ask.ts';
import { project } from '../support/project.ts';
import { CAP, requirement } from '../support/spec-text.ts';

const ADDED = `## ADDED Requirements\n${requirement('Gamma')}\n`;

/** `line text` of everything that is ignored. */
function ignored(delta: string): string[] {
  return ignoredHeadings(parseDelta(delta)).map(({ line, text }) => `${line + 1} ${text}`);
}

describe('a delta that OpenSpec reads as a whole', () => {
  test.each([
    ['blocks', ADDED],
    ['a title, a Purpose and notes', `# Delta\n\n## Purpose\nBecause.\n\n## Notes\n\n### Details\nx\n\n${ADDED}`],
    ['removed by heading', '## REMOVED Requirements\n### Requirement: Alpha\n**Reason**: old\n'],
    ['removed by bullet', '## REMOVED Requirements\n- `### Requirement: Alpha`\n- because it is old\n'],
    ['renamed', '## RENAMED Requirements\n- FROM: `### Requirement: Alpha`\n- TO: `### Requirement: Omega`\n'],
    ['headings in a closed fence', `${ADDED}\n\`\`\`\n## MODIFIED Requirements\n### Requirement: X\n\`\`\`\n`],
    ['deeper headings in a block', `${ADDED}\n#### Edge case\n- x\n\n##### Detail\n`],
  ])('%s: nothing is ignored', (_, delta) => {
    expect(ignored(delta)).toEqual([]);
  });
});

describe('ignored headings in a delta', () => {
  test.each<[string, string, string[]]>([
    ['a heading without its label', `## MODIFIED Requirements\n### Alpha\nIt SHALL.\n`, ['2 ### Alpha']],
    ['the same under REMOVED', '## REMOVED Requirements\n### Alpha\n', ['2 ### Alpha']],
    ['a section with more words', '## MODIFIED Requirements (v2)\n', ['1 ## MODIFIED Requirements (v2)']],
    ['a section with fewer words', '## Modified\n', ['1 ## Modified']],
    ['a section at another level', `${ADDED}\n### MODIFIED Requirements\n`, ['9 ### MODIFIED Requirements']],
    ['a section as a title', '# REMOVED Requirements\n', ['1 # REMOVED Requirements']],
    ['an indented section', '  ## MODIFIED Requirements\n', ['1 ## MODIFIED Requirements']],
    ['a section without a space', '##MODIFIED Requirements\n', ['1 ##MODIFIED Requirements']],
    ['an underlined section', 'MODIFIED Requirements\n---\n', ['1 MODIFIED Requirements']],
    ['an HTML section', '<h2>MODIFIED Requirements</h2>\n', ['1 <h2>MODIFIED Requirements</h2>']],
    ['a requirement at another level', '## ADDED Requirements\n#### Requirement: A\n', ['2 #### Requirement: A']],
    ['a requirement as a section', '## Requirement: A\n', ['1 ## Requirement: A']],
    ['an indented requirement', '## ADDED Requirements\n ### Requirement: A\n', ['2 ### Requirement: A']],
    ['a requirement outside the sections', '## Notes\n### Requirement: A\n', ['2 ### Requirement: A']],
    ['a section in another language', '## 新增需求\n### 需求：登录\n', ['1 ## 新增需求', '2 ### 需求：登录']],
    ['a bullet with a bare name', '## REMOVED Requirements\n- `Alpha`\n', ['2 - `Alpha`']],
    ['an arrow', '## RENAMED Requirements\n### Requirement: A -> B\n', ['2 ### Requirement: A -> B']],
    [
      'what an open fence hides',
      `${ADDED}\n\`\`\`\n## MODIFIED Requirements\n### Requirement: Alpha\n`,
      ['10 ## MODIFIED Requirements', '11 ### Requirement: Alpha'],
    ],
  ])('%s', (_, delta, expected) => {
    expect(ignored(delta)).toEqual(expected);
  });
});

const LOST = `${ADDED}\n## MODIFIED Requirements\n\n### Alpha\nThe system SHALL do alpha well.\n\n### Beta\nIt SHALL.\n`;

function filesWith(delta: string): Record<string, string> {
  return {
    'project/openspec/specs/cap/spec.md': CAP,
    'project/openspec/changes/go/specs/cap/spec.md': delta,
    'project/openspec/changes/go/proposal.md': '# Go\n\n## Why\n\nBecause.\n\n## What Changes\n\n- x\n',
  };
}

describe('requirements that lack their label', () => {
  test('stop the archive, which names them, also in a dry run', async () => {
    using target = project(filesWith(LOST));
    const before = target.state();
    for (const dry_run of [false, true]) {
      await expect(ask(archiveChange, { change_id: 'go', dry_run }, await target.open())).rejects.toMatchObject({
        code: 'REFUSED',
        message: expect.stringContaining('line 11 "### Alpha", line 14 "### Beta"'),
        hint: expect.stringContaining('--allow-ignored'),
        path: target.at('project/openspec/changes/go/specs/cap/spec.md'),
        line: 11,
      });
    }
    expect(target.state()).toEqual(before);
  });

  test('are noted if they may be ignored', async () => {
    using target = project(filesWith(LOST));
    const done = await ask(archiveChange, { change_id: 'go', allow_ignored: true }, await target.open());
    expect(done).toMatchObject({
      specs: [
        {
          action: 'updated',
          notes: [expect.stringMatching(/^ignored: line 11 "### Alpha" /u), expect.stringContaining('### Beta')],
        },
      ],
    });
  });

  test('are reported by show, diff and validate', async () => {
    using target = project(filesWith(LOST));
    const lines = [{ line: 11 }, { line: 14 }];
    expect(await ask(showChange, { change_id: 'go' }, await target.open())).toMatchObject({ ignored: lines });
    expect(await ask(diffChange, { change_id: 'go' }, await target.open())).toMatchObject({
      capabilities: [{ ignored: lines }],
    });
    const { info } = (await ask(validateChange, { change_id: 'go' }, await target.open())) as {
      info: { code: string }[];
    };
    expect(info.filter(({ code }) => code === 'delta-heading-ignored')).toMatchObject(lines);
  });
});

test('the fix for a rename with an arrow shows the FROM and TO lines', async () => {
  using target = project(filesWith('## RENAMED Requirements\n\n### Requirement: Alpha -> Omega\n'));
  const fix = 'Write "- FROM: `### Requirement: Alpha`" and right below it "- TO: `### Requirement: Omega`".';
  const report = await ask(validateChange, { change_id: 'go' }, await target.open());
  expect(report).toMatchObject({ valid: false });
  const { errors } = report as { errors: { code: string; fix: string }[] };
  expect(errors.find(({ code }) => code === 'delta-entries-missing')).toMatchObject({ fix });
  await expect(ask(archiveChange, { change_id: 'go' }, await target.open())).rejects.toMatchObject({ code: 'REFUSED' });
});
