import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { archiveChange, type ArchiveOptions, planArchive } from '../../src/specs/archive.ts';
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

describe('what archiving keeps', () => {
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

  test('what the spec holds already is not written again', () => {
    using target = project(
      filesWith(
        `## ADDED Requirements\n\n${requirement('Beta', { text: 'The system SHALL beta.', scenarios: ['B'] })}\n`,
      ),
    );
    expect(archive(target).specs[0]?.action).toBe('unchanged');
    expect(target.read('project/openspec/specs/cap/spec.md')).toBe(CAP);
  });

  test('a capability is retired only when the change says so, and only when nothing else is lost', () => {
    const delta = '## REMOVED Requirements\n### Requirement: Alpha\n### Requirement: Beta\n';
    using silent = project(filesWith(delta));
    expect(() => archive(silent)).toThrow(/without requirements/u);
    const extra = { 'project/openspec/changes/go/.openspec.yaml': 'schema: spec-driven\nretire_capabilities: true\n' };
    using noted = project(filesWith(delta, { spec: `${CAP}\n## Notes\nx\n`, extra }));
    expect(() => archive(noted)).toThrow(/would lose "Notes"/u);
    using declared = project(filesWith(delta, { extra }));
    expect(archive(declared).specs[0]?.action).toBe('retired');
    expect(declared.exists('project/openspec/specs/cap')).toBe(false);
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
    using target = project(filesWith(delta));
    const before = target.state();
    expect(() => archive(target)).toThrow(message);
    expect(target.state()).toEqual(before);
  });

  test('open tasks, unless it is told to go on', () => {
    using target = project(
      filesWith(`## ADDED Requirements\n${requirement('Gamma')}\n`, {
        tasks: '- [ ] 1.1 open\n- [x] 1.2 done\n',
      }),
    );
    expect(() => archive(target)).toThrow('1 of 2 tasks of "go" are open');
    expect(archive(target, { allowOpenTasks: true }).tasks).toEqual({ completed: 1, total: 2 });
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
