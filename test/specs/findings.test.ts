import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { SpecCatalog } from '../../src/specs/catalog.ts';
import { type Report, reportOf } from '../../src/core/report.ts';
import { judgeChanges, judgeSpecs } from '../../src/specs/validate.ts';
import { SPEC_CODES } from '../../src/specs/rules/index.ts';
import { CAP, requirement } from '../support/spec-text.ts';

function judge(files: Record<string, string | Uint8Array>, { strict = false, archived = false } = {}): Report {
  const catalog = new SpecCatalog(memoryDisk(files), { projectDir: '/', ancestors: ['/'] });
  return reportOf([...judgeSpecs(catalog), ...judgeChanges(catalog, { archived })], { strict });
}

/** `severity code:line` for every finding. */
function findings(report: Report): string[] {
  const list = (severity: string, of: Report['errors']): string[] =>
    of.map(({ code, line }) => `${severity} ${code}:${line}`);
  return [...list('error', report.errors), ...list('warning', report.warnings), ...list('info', report.info)];
}

const HEAD =
  '# T\n\n## Purpose\nThis purpose is long enough to please the validator, as it should.\n\n## Requirements\n';
const GOOD = `\n${requirement('A')}\n`;

describe('findings about a spec', () => {
  test.each<[string, string, string[], boolean, boolean]>([
    ['a good one', HEAD + GOOD, [], true, true],
    ['no purpose', `# T\n\n## Requirements\n${GOOD}`, ['error spec-purpose-missing:1'], false, false],
    ['an empty purpose', `# T\n## Purpose\n\n## Requirements\n${GOOD}`, ['error spec-purpose-missing:2'], false, false],
    [
      'a short purpose',
      `# T\n## Purpose\nShort.\n\n## Requirements\n${GOOD}`,
      ['warning spec-purpose-short:3'],
      true,
      false,
    ],
    [
      'a placeholder',
      `# T\n## Purpose\nTBD\n\n## Requirements\n${GOOD}`,
      ['warning spec-purpose-placeholder:3'],
      true,
      false,
    ],
    [
      'no requirements section',
      '# T\n## Purpose\nThis purpose is long enough to please the validator, as it should.\n',
      ['error spec-requirements-missing:1'],
      false,
      false,
    ],
    ['no requirement', HEAD, ['error spec-requirements-empty:6'], false, false],
    [
      'a requirement without scenario',
      `${HEAD}### Requirement: A\nIt SHALL a.\n`,
      ['error requirement-scenario-missing:7'],
      false,
      false,
    ],
    [
      'a requirement without text',
      `${HEAD}### Requirement: A\n#### Scenario: S\n- WHEN a\n- THEN b\n`,
      ['error requirement-text-missing:7'],
      false,
      false,
    ],
    [
      'no keyword',
      `${HEAD}${requirement('A', { text: 'It does.' })}\n`,
      ['warning requirement-keyword-missing:7'],
      true,
      false,
    ],
    [
      'a long text',
      `${HEAD}${requirement('A', { text: `It SHALL ${'x'.repeat(500)}.` })}\n`,
      ['info requirement-text-long:7'],
      true,
      true,
    ],
    [
      'a requirement elsewhere',
      `${HEAD}${GOOD}\n## More\n### Requirement: B\n`,
      ['error requirement-outside-section:16'],
      false,
      false,
    ],
    [
      'two of one name',
      `${HEAD}${requirement('A')}\n\n${requirement('A')}\n`,
      ['error requirement-duplicate:14'],
      false,
      false,
    ],
    ['a delta header', `${HEAD}${GOOD}\n## ADDED Requirements\n`, ['error spec-delta-header:15'], false, false],
    ['no title', HEAD.slice(4) + GOOD, ['info spec-title-missing:1'], true, true],
    [
      'no WHEN',
      `${HEAD}### Requirement: A\nIt SHALL a.\n#### Scenario: S\n- **THEN** b\n`,
      ['warning scenario-when-missing:9'],
      true,
      true,
    ],
    [
      'no THEN',
      `${HEAD}### Requirement: A\nIt SHALL a.\n#### Scenario: S\n- **WHEN** b\n`,
      ['warning scenario-then-missing:9'],
      true,
      true,
    ],
    [
      'two scenarios of one name',
      `${HEAD}${requirement('A', { scenarios: ['S', 'S'] })}\n`,
      ['warning scenario-duplicate:14'],
      true,
      true,
    ],
    ['an open fence', `${HEAD}${GOOD}\n\`\`\`\n`, ['warning fence-unclosed:15'], true, true],
    [
      'an empty scenario beside a good one',
      `${HEAD}${GOOD}\n#### Scenario: T\n`,
      ['warning scenario-empty:15'],
      true,
      true,
    ],
    [
      'a scenario at the wrong level',
      `${HEAD}${GOOD}\n##### Scenario: T\n- WHEN a\n- THEN b\n### Scenario: U\n- x\n`,
      [
        'error requirement-scenario-missing:18',
        'warning requirement-heading-level:18',
        'warning scenario-then-missing:18',
        'warning scenario-when-missing:18',
      ],
      false,
      false,
    ],
  ])('%s', (_, text, expected, valid, strictValid) => {
    const report = judge({ '/openspec/specs/a/spec.md': text });
    expect(findings(report)).toEqual(expected);
    expect([report.valid, judge({ '/openspec/specs/a/spec.md': text }, { strict: true }).valid]).toEqual([
      valid,
      strictValid,
    ]);
  });

  test('a delta dump is reported as such', () => {
    expect(findings(judge({ '/openspec/specs/a/spec.md': `# T\n\n## ADDED Requirements\n${GOOD}` }))).toContain(
      'warning spec-delta-dump:3',
    );
  });

  test('a spec in another language is read, and the verdict stays that of OpenSpec', () => {
    const report = judge({
      '/openspec/specs/a/spec.md':
        '# 登录\n\n## 目的\n用户可以登录。\n\n## 需求\n### 需求：登录\n系统必须登录。\n#### 场景：成功\n- **当** a\n- **那么** b\n',
    });
    expect(report.valid).toBe(false);
    expect(findings(report).filter((finding) => finding.includes('dialect'))).toEqual([
      'info spec-dialect-heading:3',
      'info spec-dialect-heading:6',
    ]);
  });

  test('bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from(HEAD + GOOD), Buffer.from([0xff])]);
    expect(findings(judge({ '/openspec/specs/a/spec.md': bytes }))).toEqual(['warning spec-not-utf8:14']);
  });

  test('each finding has a location, a description and a fix', () => {
    const [finding] = judge({ '/openspec/specs/a/spec.md': `${HEAD}### Requirement: Login\nIt SHALL a.\n` }).errors;
    expect(finding).toEqual({
      code: 'requirement-scenario-missing',
      item: 'a',
      file: '/openspec/specs/a/spec.md',
      line: 7,
      section: 'Requirements > Login',
      description: 'requirement "Login" has no scenario',
      fix: 'Add "#### Scenario: name" with "- **WHEN** …" and "- **THEN** …" below the requirement.',
      docs: 'docs/reference/diagnostics.md#requirement-scenario-missing',
    });
  });
});

describe('findings about a change', () => {
  const at = (delta: string, more: Record<string, string> = {}) => ({
    '/openspec/specs/cap/spec.md': CAP,
    '/openspec/changes/go/proposal.md': '# Go\n## Why\nx\n## What Changes\nx\n',
    '/openspec/changes/go/tasks.md': '- [ ] 1.1 a\n',
    '/openspec/changes/go/specs/cap/spec.md': delta,
    ...more,
  });

  test.each<[string, Record<string, string>, string[], boolean, boolean]>([
    ['a good one', at(`## ADDED Requirements\n${requirement('G')}\n`), [], true, true],
    [
      'no delta',
      {
        '/openspec/changes/go/proposal.md': '# G\n## Why\n## What Changes\n',
        '/openspec/changes/go/tasks.md': '- [ ] a\n',
      },
      ['error change-deltas-missing:1'],
      false,
      false,
    ],
    [
      'specs skipped on purpose',
      {
        '/openspec/changes/go/.openspec.yaml': 'schema: spec-driven\nskip_specs: true\n',
        '/openspec/changes/go/proposal.md': '# G\n## Why\n## What Changes\n',
        '/openspec/changes/go/tasks.md': '- [ ] a\n',
      },
      ['info change-specs-skipped:1'],
      true,
      true,
    ],
    [
      'specs skipped, yet there',
      at(`## ADDED Requirements\n${requirement('G')}\n`, {
        '/openspec/changes/go/.openspec.yaml': 'schema: spec-driven\nskip_specs: true\n',
      }),
      ['error change-skip-conflict:1'],
      false,
      false,
    ],
    [
      'metadata that does not count',
      at(`## ADDED Requirements\n${requirement('G')}\n`, {
        '/openspec/changes/go/.openspec.yaml': 'skip_specs: true\n',
      }),
      ['error change-metadata-invalid:1'],
      false,
      false,
    ],
    ['no section', at('# Notes\n'), ['error change-deltas-missing:1', 'error delta-sections-missing:1'], false, false],
    [
      'a section without entries',
      at('## ADDED Requirements\n\nSome words.\n'),
      ['error change-deltas-missing:1', 'error delta-entries-missing:1'],
      false,
      false,
    ],
    [
      'a delta beside the capability',
      at(`## ADDED Requirements\n${requirement('G')}\n`, {
        '/openspec/changes/go/specs/cap/more.md': '## ADDED Requirements\n',
      }),
      ['error delta-misplaced:1'],
      false,
      false,
    ],
    [
      'no text',
      at('## ADDED Requirements\n### Requirement: G\n#### Scenario: S\n- WHEN a\n- THEN b\n'),
      ['error delta-text-missing:2'],
      false,
      false,
    ],
    [
      'no keyword',
      at(`## ADDED Requirements\n${requirement('G', { text: 'It does.' })}\n`),
      ['warning delta-keyword-missing:2'],
      true,
      false,
    ],
    [
      'no scenario',
      at('## ADDED Requirements\n### Requirement: G\nIt SHALL g.\n'),
      ['error delta-scenario-missing:2'],
      false,
      false,
    ],
    [
      'the same twice',
      at(`## ADDED Requirements\n${requirement('G')}\n\n${requirement('G')}\n`),
      ['error delta-duplicate:9'],
      false,
      false,
    ],
    [
      'a contradiction',
      at(`## ADDED Requirements\n${requirement('G')}\n\n## REMOVED Requirements\n### Requirement: G\n`),
      ['error delta-conflict:2'],
      false,
      false,
    ],
    [
      'half a rename',
      at('## RENAMED Requirements\n- FROM: `### Requirement: Alpha`\n'),
      ['error change-deltas-missing:1', 'error delta-entries-missing:1', 'error delta-rename-unpaired:2'],
      false,
      false,
    ],
    [
      'an orphan',
      at(`## ADDED Requirements\n${requirement('G')}\n\n## Notes\n${requirement('H')}\n`),
      ['warning delta-requirement-orphan:10'],
      true,
      false,
    ],
    [
      'another heading',
      at(`## ADDED Requirements\n### Notes\n${requirement('G')}\n`),
      ['info delta-heading-ignored:2'],
      true,
      true,
    ],
    [
      'a lost scenario',
      at(`## MODIFIED Requirements\n${requirement('Alpha', { scenarios: ['One'] })}\n`),
      ['error delta-scenario-lost:2'],
      false,
      false,
    ],
    [
      'an unknown target',
      at(`## MODIFIED Requirements\n${requirement('Omega')}\n`),
      ['warning delta-target-missing:2'],
      true,
      true,
    ],
    [
      'an existing name',
      at(`## ADDED Requirements\n${requirement('Beta')}\n`),
      ['info delta-archive-refused:2'],
      true,
      true,
    ],
    [
      'tasks without boxes',
      at(`## ADDED Requirements\n${requirement('G')}\n`, { '/openspec/changes/go/tasks.md': '# Tasks\n- a\n- b\n' }),
      ['warning tasks-without-boxes:2'],
      true,
      false,
    ],
    [
      'task numbers',
      at(`## ADDED Requirements\n${requirement('G')}\n`, {
        '/openspec/changes/go/tasks.md': '## 1. A\n- [ ] 1.1 a\n- [ ] 2.1 b\n- [ ] 1.1 c\n',
      }),
      ['warning task-number-group:3', 'warning task-number-duplicate:4'],
      true,
      false,
    ],
    [
      'no proposal and no tasks',
      {
        '/openspec/specs/cap/spec.md': CAP,
        '/openspec/changes/go/specs/cap/spec.md': `## ADDED Requirements\n${requirement('G')}\n`,
      },
      ['info change-proposal-missing:1', 'info change-tasks-missing:1'],
      true,
      true,
    ],
    [
      'a folder of changes',
      { '/openspec/changes/go/inner/proposal.md': '# X\n' },
      ['error change-nested:1'],
      false,
      false,
    ],
    [
      'another dialect',
      at(`## 新增需求\n### 需求：登录\n系统必须。\n#### 场景：成功\n- 当 a\n- 则 b\n`),
      [
        'error change-deltas-missing:1',
        'error delta-sections-missing:1',
        'info delta-heading-ignored:1',
        'info delta-dialect:2',
      ],
      false,
      false,
    ],
  ])('%s', (_, files, expected, valid, strictValid) => {
    const report = judge(files);
    expect(findings(report)).toEqual(expected);
    expect([report.valid, judge(files, { strict: true }).valid]).toEqual([valid, strictValid]);
    for (const { file, section } of report.errors.filter(({ code }) => code !== 'change-nested'))
      expect([file, section].every(Boolean)).toBe(true);
  });

  test('two active changes that touch one requirement are both reported', () => {
    const other = {
      '/openspec/changes/other/specs/cap/spec.md': '## REMOVED Requirements\n- `### Requirement: alpha`\n',
    };
    const report = judge(
      at(`## MODIFIED Requirements\n${requirement('Alpha', { scenarios: ['One', 'Two'] })}\n`, other),
    );
    expect(report.warnings.map(({ code, item, description }) => [code, item, description])).toEqual([
      ['requirement-contested', 'go', '"Alpha" of cap is also touched by other'],
      ['requirement-contested', 'other', '"Alpha" of cap is also touched by go'],
    ]);
  });

  test('open tasks in the archive are a warning', () => {
    const report = judge(
      {
        '/openspec/changes/archive/2026-01-01-old/specs/cap/spec.md': `## ADDED Requirements\n${requirement('G')}\n`,
        '/openspec/changes/archive/2026-01-01-old/tasks.md': '- [x] a\n- [ ] b\n',
        '/openspec/changes/archive/2026-01-01-old/proposal.md': '## Why\n## What Changes\n',
      },
      { archived: true },
    );
    expect(findings(report)).toEqual(['warning archive-open-tasks:2']);
  });
});

describe('the codes', () => {
  test('have names of their own, in one style', () => {
    const names = SPEC_CODES.map(({ code }) => code);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^[a-z0-9]+(?:-[a-z0-9]+)+$/u.test(name))).toEqual([]);
  });

  test('are these: scripts refer to them', () => {
    expect(SPEC_CODES.map(({ code, severity }) => `${severity} ${code}`).sort()).toMatchSnapshot();
  });
});

test('metadata of a change that is too large for a YAML parser is refused', () => {
  const { errors } = judge({
    '/openspec/changes/go/.openspec.yaml': `${'\n'.repeat(2_000_000)}skip_specs: [`,
    '/openspec/changes/go/proposal.md': '# G\n## Why\n## What Changes\n',
    '/openspec/changes/go/tasks.md': '- [ ] a\n',
  });
  expect(errors.map(({ code, description }) => `${code}: ${description}`)).toContainEqual(
    expect.stringMatching(/^change-metadata-invalid: .*too large: it is longer than 65536 bytes/u),
  );
});
