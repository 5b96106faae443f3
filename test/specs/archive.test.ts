import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { archiveChange, type ArchiveOptions, planArchive } from '../../src/specs/archive.ts';
import type { ChangeFolder } from '../../src/specs/change-folder.ts';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { CAP, requirement, TempProject } from './temp-project.ts';

const TODAY = '2026-11-20';

function changeOf(project: TempProject, id = 'go'): ChangeFolder {
  const found = project.open().findChange(id);
  if (found.kind !== 'found') throw new Error(`no change ${id}`);
  return found.item;
}

function archive(project: TempProject, { id = 'go', ...options }: Partial<ArchiveOptions> & { id?: string } = {}) {
  return archiveChange(() => project.open(), changeOf(project, id), { today: TODAY, ...options, disk: nodeDisk });
}

function projectWith(
  delta: string,
  {
    capability = 'cap',
    spec = CAP,
    tasks = '- [x] 1.1 done\n',
    extra = {},
  }: { capability?: string; spec?: string; tasks?: string; extra?: Record<string, string> } = {},
): TempProject {
  return new TempProject({
    'openspec/specs/cap/spec.md': spec,
    [`openspec/changes/go/specs/${capability}/spec.md`]: delta,
    'openspec/changes/go/proposal.md': '# Go\n\n## Why\n\nBecause.\n\n## What Changes\n\n- x\n',
    'openspec/changes/go/tasks.md': tasks,
    ...extra,
  });
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
    using ours = projectWith(delta, { capability, spec });
    using theirs = projectWith(delta, { capability, spec });
    archive(ours);
    execFileSync(
      process.execPath,
      [path.resolve('node_modules/@fission-ai/openspec/bin/openspec.js'), 'archive', 'go', '--yes'],
      {
        cwd: theirs.dir,
        env: {
          ...process.env,
          OPENSPEC_TELEMETRY: '0',
          DO_NOT_TRACK: '1',
          HOME: theirs.dir,
          XDG_CONFIG_HOME: theirs.dir,
          XDG_DATA_HOME: theirs.dir,
        },
        stdio: 'pipe',
      },
    );
    for (const file of new Set(['cap', capability])) {
      const name = `openspec/specs/${file}/spec.md`;
      expect(withoutBlankLines(ours.read(name))).toEqual(withoutBlankLines(theirs.read(name)));
    }
    expect(ours.exists('openspec/changes/go')).toBe(false);
    expect(theirs.exists('openspec/changes/go')).toBe(false);
  });
});

describe('what archiving keeps', () => {
  test('every byte that the delta does not name', () => {
    const spec = `\uFEFF# cap\r\n\r\n\r\n## Purpose\r\n  This purpose is long enough, with blanks at its end.  \r\n\r\n## Requirements\r\n\r\n\r\n${requirement('Alpha').replaceAll('\n', '\r\n')}\r\n\r\n\r\n${requirement('Beta').replaceAll('\n', '\r\n')}`;
    using project = projectWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, { spec });
    archive(project);
    expect(project.read('openspec/specs/cap/spec.md')).toBe(
      `${spec}\r\n\r\n${requirement('Gamma').replaceAll('\n', '\r\n')}`,
    );
  });

  test('the folder moves under its date, and a name that has one keeps it', () => {
    using project = projectWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, {
      extra: {
        'openspec/changes/2026-01-02-old/specs/cap/spec.md': `## ADDED Requirements\n${requirement('Delta')}\n`,
      },
    });
    expect(archive(project).archivedAs).toBe('2026-11-20-go');
    expect(archive(project, { id: '2026-01-02-old' }).archivedAs).toBe('2026-01-02-old');
    expect(project.open().archived.map(({ id }) => id)).toEqual(['2026-01-02-old', '2026-11-20-go']);
    expect(project.open().diagnostics).toEqual([]);
  });

  test('a plan shows the difference and writes nothing', () => {
    using project = projectWith(`## ADDED Requirements\n${requirement('Gamma')}\n`);
    const before = project.state();
    const plan = planArchive(project.open(), changeOf(project), { today: TODAY });
    expect(plan.specs[0]).toMatchObject({
      capability: 'cap',
      action: 'updated',
      counts: { added: 1, modified: 0, removed: 0, renamed: 0 },
    });
    expect(plan.specs[0]?.diff).toContain('+### Requirement: Gamma');
    expect(project.state()).toEqual(before);
  });

  test('what the spec holds already is not written again', () => {
    using project = projectWith(
      `## ADDED Requirements\n\n${requirement('Beta', { text: 'The system SHALL beta.', scenarios: ['B'] })}\n`,
    );
    expect(archive(project).specs[0]?.action).toBe('unchanged');
    expect(project.read('openspec/specs/cap/spec.md')).toBe(CAP);
  });

  test('a capability is retired only when the change says so, and only when nothing else is lost', () => {
    const delta = '## REMOVED Requirements\n### Requirement: Alpha\n### Requirement: Beta\n';
    using silent = projectWith(delta);
    expect(() => archive(silent)).toThrow(/without requirements/u);
    const extra = { 'openspec/changes/go/.openspec.yaml': 'schema: spec-driven\nretire_capabilities: true\n' };
    using noted = projectWith(delta, { spec: `${CAP}\n## Notes\nx\n`, extra });
    expect(() => archive(noted)).toThrow(/would lose "Notes"/u);
    using declared = projectWith(delta, { extra });
    expect(archive(declared).specs[0]?.action).toBe('retired');
    expect(declared.exists('openspec/specs/cap')).toBe(false);
  });
});

describe('what archiving refuses', () => {
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
    using project = projectWith(delta);
    const before = project.state();
    expect(() => archive(project)).toThrow(message);
    expect(project.state()).toEqual(before);
  });

  test('open tasks, unless it is told to go on', () => {
    using project = projectWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, {
      tasks: '- [ ] 1.1 open\n- [x] 1.2 done\n',
    });
    expect(() => archive(project)).toThrow('1 of 2 tasks of "go" are open');
    expect(archive(project, { allowOpenTasks: true }).tasks).toEqual({ completed: 1, total: 2 });
  });

  test('a target that exists', () => {
    using project = projectWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, {
      extra: { [`openspec/changes/archive/${TODAY}-go/proposal.md`]: 'x' },
    });
    expect(() => archive(project)).toThrow(/already has "2026-11-20-go"/u);
  });

  test('a spec that is not UTF-8', () => {
    using project = projectWith(`## ADDED Requirements\n${requirement('Gamma')}\n`);
    project.write('openspec/specs/cap/spec.md', Buffer.concat([Buffer.from(CAP), Buffer.from([0xff, 0xfe])]));
    expect(() => archive(project)).toThrow(/not UTF-8/u);
  });
});
