import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { archiveChange, type ArchiveOptions, planArchive } from '../../src/specs/archive.ts';
import { reportOf } from '../../src/core/report.ts';
import { judgeChanges } from '../../src/specs/validate.ts';
import type { ChangeFolder } from '../../src/specs/change-folder.ts';
import { project, type Project } from '../support/project.ts';
import { CAP, requirement } from '../support/spec-text.ts';

const TODAY = '2026-11-20';

function changeOf(target: Project, id = 'go'): ChangeFolder {
  const found = target.specs().findChange(id);
  if (found.kind !== 'found') throw new Error(`no change ${id}`);
  return found.item;
}

function archive(target: Project, { id = 'go', ...options }: Partial<ArchiveOptions> & { id?: string } = {}) {
  return archiveChange(() => target.specs(), changeOf(target, id), { today: TODAY, ...options, disk: target.disk });
}

function filesWith(
  delta: string,
  {
    capability = 'cap',
    spec = CAP,
    tasks = '- [x] 1.1 done\n',
    extra = {},
  }: { capability?: string; spec?: string; tasks?: string; extra?: Record<string, string> } = {},
): Record<string, string> {
  return {
    'project/openspec/specs/cap/spec.md': spec,
    [`project/openspec/changes/go/specs/${capability}/spec.md`]: delta,
    'project/openspec/changes/go/proposal.md': '# Go\n\n## Why\n\nBecause.\n\n## What Changes\n\n- x\n',
    'project/openspec/changes/go/tasks.md': tasks,
    ...extra,
  };
}

const CASES: Record<string, { delta: string; capability?: string; spec?: string }> = {
  added: { delta: `## ADDED Requirements\n\n${requirement('Gamma')}\n` },
  'added twice': {
    delta: `## ADDED Requirements\n${requirement('Gamma')}\n\n## ADDED Requirements\n${requirement('Delta')}`,
  },
  modified: {
    delta: `## MODIFIED Requirements\n\n${requirement('Alpha', { text: 'The system SHALL do alpha well.', scenarios: ['One', 'Two', 'Three'] })}\n`,
  },
  'removed by header': {
    delta: '## REMOVED Requirements\n\n### Requirement: Alpha\n**Reason**: old\n**Migration**: none\n',
  },
  'removed by bullet': { delta: '## REMOVED Requirements\n\n- `### Requirement: Beta`\n' },
  renamed: { delta: '## RENAMED Requirements\n\n- FROM: `### Requirement: Alpha`\n- TO: `### Requirement: Omega`\n' },
  'renamed and modified': {
    delta: `## RENAMED Requirements\n- FROM: \`### Requirement: Beta\`\n- TO: \`### Requirement: Omega\`\n\n## MODIFIED Requirements\n${requirement('Omega', { scenarios: ['B', 'C'] })}\n`,
  },
  everything: {
    delta: `## ADDED Requirements\n${requirement('Gamma')}\n\n## MODIFIED Requirements\n${requirement('Omega', { scenarios: ['B'] })}\n\n## REMOVED Requirements\n### Requirement: Alpha\n\n## RENAMED Requirements\nFROM: ### Requirement: Beta\nTO: ### Requirement: Omega\n`,
  },
  'new capability': {
    delta: `## ADDED Requirements\n\n${requirement('Gamma')}\n\n${requirement('Delta')}\n`,
    capability: 'area/fresh',
  },
  'new capability with a purpose': {
    delta: `## Purpose\nA purpose for the new capability, in a sentence that is long enough.\n\n## ADDED Requirements\n${requirement('Gamma')}\n`,
    capability: 'fresh',
  },
  'sections after the requirements': {
    delta: `## ADDED Requirements\n${requirement('Gamma')}\n`,
    spec: `${CAP}\n## Notes\n\nKept.\n`,
  },
  'text before the first requirement': {
    delta: '## REMOVED Requirements\n### Requirement: Alpha\n',
    spec: CAP.replace('## Requirements\n', '## Requirements\n\nSome words.\n'),
  },
  'a spec in CRLF': { delta: `## ADDED Requirements\n${requirement('Gamma')}\n`, spec: CAP.replaceAll('\n', '\r\n') },
  'a delta in CRLF': { delta: `## ADDED Requirements\n${requirement('Gamma')}\n`.replaceAll('\n', '\r\n') },
  'blank lines in a fence': {
    delta: `## ADDED Requirements\n${requirement('Gamma')}\n`,
    spec: CAP.replace('The system SHALL do alpha.', 'The system SHALL do alpha.\n\n```\na\n\n\n\nb\n```'),
  },
};

function withoutBlankLines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

describe('archiving gives the specs that OpenSpec gives, blank lines aside', () => {
  test.each(Object.entries(CASES))('%s', (_, { delta, capability = 'cap', spec = CAP }) => {
    using ours = project(filesWith(delta, { capability, spec }));
    using theirs = project(filesWith(delta, { capability, spec }), 'disk');
    archive(ours);
    execFileSync(
      process.execPath,
      [path.resolve('node_modules/@fission-ai/openspec/bin/openspec.js'), 'archive', 'go', '--yes'],
      {
        cwd: theirs.at('project'),
        env: {
          ...process.env,
          OPENSPEC_TELEMETRY: '0',
          DO_NOT_TRACK: '1',
          HOME: theirs.at('home'),
          XDG_CONFIG_HOME: theirs.at('home'),
          XDG_DATA_HOME: theirs.at('home'),
        },
        stdio: 'pipe',
      },
    );
    for (const file of new Set(['cap', capability])) {
      const name = `project/openspec/specs/${file}/spec.md`;
      expect(withoutBlankLines(ours.read(name))).toEqual(withoutBlankLines(theirs.read(name)));
    }
    expect(ours.exists('project/openspec/changes/go')).toBe(false);
    expect(theirs.exists('project/openspec/changes/go')).toBe(false);
  });
});

describe('content that archiving keeps', () => {
  test('every byte that the delta does not name', () => {
    const spec = `\uFEFF# cap\r\n\r\n\r\n## Purpose\r\n  This purpose is long enough, with blanks at its end.  \r\n\r\n## Requirements\r\n\r\n\r\n${requirement('Alpha').replaceAll('\n', '\r\n')}\r\n\r\n\r\n${requirement('Beta').replaceAll('\n', '\r\n')}`;
    using target = project(filesWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, { spec }));
    archive(target);
    expect(target.read('project/openspec/specs/cap/spec.md')).toBe(
      `${spec}\r\n\r\n${requirement('Gamma').replaceAll('\n', '\r\n')}`,
    );
  });

  test('the folder moves under its date, and a name that has one keeps it', () => {
    using target = project(
      filesWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, {
        extra: {
          'project/openspec/changes/2026-01-02-old/specs/cap/spec.md': `## ADDED Requirements\n${requirement('Delta')}\n`,
        },
      }),
    );
    expect(archive(target).archivedAs).toBe('2026-11-20-go');
    expect(archive(target, { id: '2026-01-02-old' }).archivedAs).toBe('2026-01-02-old');
    expect(target.specs().archived.map(({ id }) => id)).toEqual(['2026-01-02-old', '2026-11-20-go']);
    expect(target.specs().diagnostics).toEqual([]);
  });

  test('a plan shows the difference and writes nothing', () => {
    using target = project(filesWith(`## ADDED Requirements\n${requirement('Gamma')}\n`));
    const before = target.state();
    const plan = planArchive(target.specs(), changeOf(target), { today: TODAY });
    expect(plan.specs[0]).toMatchObject({
      capability: 'cap',
      action: 'updated',
      counts: { added: 1, modified: 0, removed: 0, renamed: 0 },
    });
    expect(plan.specs[0]?.diff).toContain('+### Requirement: Gamma');
    expect(target.state()).toEqual(before);
  });

  test('boxes inside a closed fence do not block archiving, and a note mentions that OpenSpec counts them', () => {
    const tasks = '- [x] 1.1 done\n\n```md\n- [ ] an example\n```\n';
    using target = project(filesWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, { tasks }));
    const { tasks: progress, notes } = archive(target);
    expect(progress).toEqual({ completed: 1, total: 1 });
    expect(notes).toEqual([
      expect.stringMatching(
        /1 box inside code fences \(line 4\) left out of the count; for OpenSpec, 1 of 2 tasks are done/u,
      ),
    ]);
  });

  test('a requirement that the spec already has is not written again', () => {
    using target = project(
      filesWith(
        `## ADDED Requirements\n\n${requirement('Beta', { text: 'The system SHALL beta.', scenarios: ['B'] })}\n`,
      ),
    );
    expect(archive(target).specs[0]?.action).toBe('unchanged');
    expect(target.read('project/openspec/specs/cap/spec.md')).toBe(CAP);
  });

  test('a capability is retired only if the change declares it, and only if nothing else is lost', () => {
    const delta = '## REMOVED Requirements\n### Requirement: Alpha\n### Requirement: Beta\n';
    using silent = project(filesWith(delta));
    expect(() => archive(silent)).toThrow(/without requirements/u);
    const extra = { 'project/openspec/changes/go/.openspec.yaml': 'schema: spec-driven\nretire_capabilities: true\n' };
    using noted = project(filesWith(delta, { spec: `${CAP}\n## Notes\nx\n`, extra }));
    expect(() => archive(noted)).toThrow(/line 26 "## Notes", line 27 "x"\./u);
    using declared = project(filesWith(delta, { extra }));
    expect(archive(declared).specs[0]?.action).toBe('retired');
    expect(declared.exists('project/openspec/specs/cap')).toBe(false);
  });
});

describe('a capability is not retired while its spec has', () => {
  const REMOVED = '## REMOVED Requirements\n### Requirement: Alpha\n### Requirement: Beta\n';
  const extra = { 'project/openspec/changes/go/.openspec.yaml': 'schema: spec-driven\nretire_capabilities: true\n' };
  const PURPOSE = 'This capability exists so that the deltas have something to change.';
  const ALPHA = 'The system SHALL do alpha.';
  const below = (line: string, text: string): string => CAP.replace(line, `${line}\n${text}`);

  test.each<[string, string, RegExp]>([
    ['a second Requirements section', `${CAP}\n## Requirements\n\nKept by hand.\n`, /line 26 "## Requirements"/u],
    ['a second title after the Purpose', below(PURPOSE, '\n# Runbook\n\nCall the team.'), /line 6 "# Runbook"/u],
    ['text before the title', `Read this first.\n\n${CAP}`, /line 1 "Read this first\."/u],
    ['text below the title', below('# cap Specification', '\nA note.'), /line 3 "A note\."/u],
    ['a comment', below(PURPOSE, '<!-- ## Requirements -->'), /line 5 "<!-- ##/u],
    ['a comment that hides a boundary', below(PURPOSE, '<!--\n### Notes\n-->'), /line 5 "<!--"/u],
    ['an underlined heading in the Purpose', below(PURPOSE, '\nRunbook\n-------\nCall.'), /line 6 "Runbook", line 7/u],
    ['an HTML heading in the Purpose', below(PURPOSE, '\n<h2>Runbook</h2>'), /line 6 "<h2>Runbook<\/h2>"/u],
    ['an indented heading in the Purpose', below(PURPOSE, '\n  ## Runbook'), /line 6 "## Runbook"/u],
    ['an underlined heading in a requirement', below(ALPHA, '\nRunbook\n======='), /line 11 "Runbook", line 12/u],
    ['an HTML heading in a requirement', below(ALPHA, '\n<H3>Runbook</H3>'), /line 11 "<H3>Runbook/u],
    [
      'an indented requirement',
      below(ALPHA, '\n ### Requirement: Hidden\nIt SHALL stay.'),
      /line 11 "### Requirement/u,
    ],
    ['a table in a requirement', below(ALPHA, '\n| a | b |'), /line 11/u],
    [
      'a runbook below the scenarios',
      below('- **THEN** d', '\nRestart the service.'),
      /line 19 "Restart the service\."/u,
    ],
    ['a bulleted note below the scenarios', below('- **THEN** d', '\n- Ask the team.'), /line 19 "- Ask the team\."/u],
    ['text inside a scenario', below('#### Scenario: Two', 'Since 2019.'), /line 16 "Since 2019\."/u],
    ['a heading after the last requirement', `${CAP}\n### Notes\nKept.\n`, /line 26 "### Notes", line 27 "Kept\."/u],
    ['text above the first requirement', below('## Requirements', '\nRead all of them.'), /line 8 "Read all/u],
    ['an open code fence', `${CAP}\n\`\`\`\n## Notes\nKept.\n`, /line 26 "```", line 27 "## Notes", line 28/u],
    [
      'a heading that ends the list item of a fence',
      below('- **THEN** d', '  ```\n## Notes\n  ```'),
      /line 19 "## Notes"/u,
    ],
    ['more lines than a message can name', `${CAP}\n## Notes\n${'x\n'.repeat(9)}`, /line 28 "x" and 7 more lines/u],
    ['a line that is too long to quote', `${CAP}\n## ${'x'.repeat(999)}\n`, /line 26 "## x{50,60}…"\.$/u],
  ])('%s', (_, spec, message) => {
    using target = project(filesWith(REMOVED, { spec, extra }));
    const before = target.state();
    expect(() => archive(target)).toThrow(message);
    expect(target.state()).toEqual(before);
  });

  test('another problem than the lack of requirements', () => {
    using target = project(filesWith(REMOVED, { spec: CAP.replace(`## Purpose\n${PURPOSE}\n\n`, ''), extra }));
    expect(() => archive(target)).toThrow(/cannot be retired before it is valid: .*Purpose/u);
  });

  test('and the refusal leads to the first of the lines', () => {
    using target = project(filesWith(REMOVED, { spec: `${CAP}\n## Notes\n`, extra }));
    const error = thrownBy(() => archive(target));
    expect(error).toMatchObject({ code: 'REFUSED', path: target.at('project/openspec/specs/cap/spec.md'), line: 26 });
  });

  test.each<[string, string]>([
    ['wrapped bullets', below('- **THEN** d', '  over two lines\nand a third')],
    ['nested bullets and numbers', below('- **THEN** d', '  - e\n  1. f')],
    ['examples in code fences', below(ALPHA, '\n```md\n## Notes\n```')],
    [
      'a list in the statement and in the Purpose',
      below(ALPHA, '\n- one\n- two').replace(PURPOSE, `${PURPOSE}\n\n- x`),
    ],
    ['CRLF and a byte order mark', `\uFEFF${CAP.replaceAll('\n', '\r\n')}`],
  ])('but %s may be removed with it', (_, spec) => {
    using target = project(filesWith(REMOVED, { spec, extra }));
    expect(archive(target).specs[0]?.action).toBe('retired');
  });
});

function thrownBy(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe('archiving refuses', () => {
  test.each([
    ['a lost scenario', `## MODIFIED Requirements\n${requirement('Alpha', { scenarios: ['One'] })}\n`, /lacks "Two"/u],
    ['a missing target', `## MODIFIED Requirements\n${requirement('Omega')}\n`, /no such requirement/u],
    [
      'an added name with another text',
      `## ADDED Requirements\n${requirement('Beta')}\n`,
      /already has it with a different text/u,
    ],
    ['a near spelling', `## ADDED Requirements\n${requirement('beta')}\n`, /"Beta", which differs only in case/u],
    [
      'an invalid change',
      '## ADDED Requirements\n### Requirement: Gamma\nNo scenario, though it SHALL have one.\n',
      /has no scenario/u,
    ],
    ['half a rename', '## RENAMED Requirements\n- FROM: `### Requirement: Alpha`\n', /not valid/u],
  ])('%s', (_, delta, message) => {
    using target = project(filesWith(delta));
    const before = target.state();
    expect(() => archive(target)).toThrow(message);
    expect(target.state()).toEqual(before);
  });

  test.each([
    ['removed', '## REMOVED Requirements\n### Requirement: Beta\n'],
    ['modified', `## MODIFIED Requirements\n${requirement('Beta', { scenarios: ['B', 'C'] })}\n`],
  ])('to delete a heading that is below a requirement when that is %s', (_, delta) => {
    using target = project(filesWith(delta, { spec: `${CAP}\n ### Notes\nImportant.\n` }));
    expect(() => archive(target)).toThrow(/line 26 "### Notes", line 27 "Important\."/u);
  });

  test('a metadata switch that cannot be used, with the reason', () => {
    const delta = '## REMOVED Requirements\n### Requirement: Alpha\n### Requirement: Beta\n';
    const extra = {
      'project/openspec/schemas/own/schema.yaml': 'name: [own\n',
      'project/openspec/changes/go/.openspec.yaml': 'schema: own\nretire_capabilities: true\n',
    };
    using target = project(filesWith(delta, { extra }));
    expect(() => archive(target)).toThrow(/without requirements\..*"own" cannot be used: not valid YAML/u);
  });

  test('to remove from a spec that no longer exists, unless the change retires capabilities', () => {
    const files = filesWith('## REMOVED Requirements\n### Requirement: Alpha\n', { capability: 'old' });
    using target = project(files);
    expect(() => archive(target)).toThrow('old: the spec no longer exists, so there is nothing to remove.');
    const report = reportOf(judgeChanges(target.specs()), { strict: true });
    expect(report.warnings.map(({ code }) => code)).toContain('delta-spec-gone');
    expect(report.valid).toBe(true);
    using declared = project({
      ...files,
      'project/openspec/changes/go/.openspec.yaml': 'schema: spec-driven\nretire_capabilities: true\n',
    });
    expect(archive(declared).specs[0]).toMatchObject({
      action: 'unchanged',
      notes: [expect.stringContaining('no longer exists')],
    });
    expect(declared.exists('project/openspec/specs/old')).toBe(false);
  });

  test('open tasks, unless they are allowed', () => {
    using target = project(
      filesWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, {
        tasks: '- [ ] 1.1 open\n- [x] 1.2 done\n',
      }),
    );
    expect(() => archive(target)).toThrow('1 of 2 tasks of "go" are open');
    expect(archive(target, { allowOpenTasks: true }).tasks).toEqual({ completed: 1, total: 2 });
  });

  test('open tasks below an unclosed code fence, with the reason they count', () => {
    const tasks = '- [x] 1.1 done\n\n```sh\nnpm test\n\n- [ ] 1.2 open\n';
    using target = project(filesWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, { tasks }));
    expect(() => archive(target)).toThrow(/1 of 2 tasks of "go" are open\..*fence of line 3 is never closed/u);
  });

  test('a target that exists', () => {
    using target = project(
      filesWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, {
        extra: { [`project/openspec/changes/archive/${TODAY}-go/proposal.md`]: 'x' },
      }),
    );
    expect(() => archive(target)).toThrow(/already has "2026-11-20-go"/u);
  });

  test('a spec that is not UTF-8', () => {
    using target = project(filesWith(`## ADDED Requirements\n${requirement('Gamma')}\n`));
    target.write({
      'project/openspec/specs/cap/spec.md': Buffer.concat([Buffer.from(CAP), Buffer.from([0xff, 0xfe])]),
    });
    expect(() => archive(target)).toThrow(/not UTF-8/u);
  });
});

describe('HTML comments', () => {
  const SPEC = 'project/openspec/specs/cap/spec.md';
  const DRAFT = `<!--\n${requirement('Draft')}\n-->`;

  test('a commented-out entry of a delta is not applied, and no part of the comment is written', () => {
    const other = DRAFT.replaceAll('Draft', 'Other draft');
    const removed = '<!--\n### Requirement: Old\n-->\n### Requirement: Beta';
    const renamed = '<!--\n- FROM: `### Requirement: Older`\n- TO: `### Requirement: Oldest`\n-->';
    const delta = `## ADDED Requirements\n\n${DRAFT}\n\n${requirement('Gamma')}\n\n${other}\n\n${requirement('Delta')}\n<!-- a note -->\n\n## REMOVED Requirements\n\n${removed}\n\n## RENAMED Requirements\n\n${renamed}\n`;
    using target = project(filesWith(delta));
    const { specs } = archive(target);
    expect(specs[0]).toMatchObject({ counts: { added: 2, removed: 1, renamed: 0 } });
    expect(specs[0]?.notes).toEqual(['commented out, so not applied: "Draft", "Other draft", "Old", "Older"']);
    const alpha = CAP.slice(0, CAP.indexOf('### Requirement: Beta'));
    expect(target.read(SPEC)).toBe(`${alpha}${requirement('Gamma')}\n\n${requirement('Delta')}\n<!-- a note -->\n`);
  });

  test('a commented-out requirement of a spec is neither modified nor removed, and it stays where it is', () => {
    const spec = CAP.replace('### Requirement: Beta', `${DRAFT}\n\n### Requirement: Beta`);
    const modified = `## MODIFIED Requirements\n\n${requirement('Draft', { scenarios: ['S', 'T'] })}\n`;
    using draft = project(filesWith(modified, { spec }));
    expect(() => archive(draft)).toThrow(/MODIFIED "Draft": the spec has no such requirement/u);
    using beta = project(filesWith('## REMOVED Requirements\n\n### Requirement: Beta\n', { spec }));
    archive(beta);
    expect(beta.read(SPEC)).toContain(DRAFT);
    using alpha = project(filesWith('## REMOVED Requirements\n\n### Requirement: Alpha\n', { spec }));
    expect(() => archive(alpha)).toThrow(/would delete text of cap that the delta does not remove: .*Draft/u);
    expect(alpha.read(SPEC)).toBe(spec);
  });

  test('an example of a comment in a code fence or in a sentence hides nothing', () => {
    const example = '```html\n<!--\n```\n\nWrite `<!--` to begin a comment.';
    const delta = `## ADDED Requirements\n\n${requirement('Gamma', { text: `The system SHALL show it.\n\n${example}` })}\n\n${requirement('Delta')}\n`;
    using target = project(filesWith(delta));
    expect(archive(target).specs[0]).toMatchObject({ counts: { added: 2 } });
  });

  test('reading keeps the verdict of OpenSpec about a commented-out entry', () => {
    using target = project(filesWith(`## ADDED Requirements\n\n${DRAFT}\n`));
    const { valid } = reportOf(judgeChanges(target.specs(), { only: changeOf(target), archived: false }), {
      strict: false,
      noun: 'change',
    });
    expect(valid).toBe(true);
    expect(() => archive(target)).toThrow(/there is nothing to apply/u);
  });
});
