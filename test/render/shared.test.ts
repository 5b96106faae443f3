import { expect, test } from 'vitest';
import {
  renderAudit,
  renderDatabaseStatus,
  renderGranted,
  renderHistory,
  renderPruned,
  renderPublished,
  renderRolledBack,
  renderSources,
  renderSourceUsage,
  renderTokenAdded,
  renderTokens,
} from '../../src/render/shared.ts';
import { makeStyle } from '../../src/render/style.ts';
import { reflow } from '../../src/render/width.ts';

const PLAIN = makeStyle({ color: false });
const NOTHING = { added: [], changed: [], removed: [], findings: [] };

test('a publication says what it changed, and which version it is', () => {
  const data = { source: 'a/skills', outcome: 'published' as const, number: 8, files: 3, uploaded: 1, replicas: 1 };
  expect(
    renderPublished({ ...data, ...NOTHING, added: ['new.md'], changed: ['b.md'], removed: ['old.md'] }, PLAIN),
  ).toBe(
    '✓ a/skills is published: version 8 (3 files, 1 uploaded; 1 replica serves it)\n  + new.md\n  ~ b.md\n  - old.md\n',
  );
  const many = Array.from({ length: 25 }, (_, index) => `${index}.md`);
  expect(renderPublished({ ...data, ...NOTHING, added: many }, PLAIN)).toContain(
    '\n  + 19.md\n  and 5 more: 25 added, 0 changed, 0 removed\n',
  );
});

test('a dry run with an error says that it would be refused, and names every problem', () => {
  const text = renderPublished(
    {
      source: 'a/skills',
      outcome: 'planned',
      number: 0,
      files: 1,
      uploaded: 0,
      ...NOTHING,
      findings: [
        { severity: 'error', code: 'description-missing', path: 'x/SKILL.md', message: 'no \u001bdescription' },
      ],
    },
    PLAIN,
  );
  expect(text).toMatch(/^✗ a\/skills would be refused: 1 error\n/u);
  expect(text).toContain('  error x/SKILL.md description-missing: no ');
  expect(text).not.toContain('\u001b');
  expect(text.endsWith('Nothing was published.\n')).toBe(true);
});

test('a dry run says whether anything would change', () => {
  const data = { source: 'a/skills', outcome: 'planned' as const, number: 7, files: 1, uploaded: 0, ...NOTHING };
  expect(renderPublished(data, PLAIN)).toBe(
    'a/skills would not change; version 7 is current\nNothing was published.\n',
  );
  expect(renderPublished({ ...data, number: 0, added: ['x'] }, PLAIN)).toBe(
    'a/skills would have 1 file; nothing was published yet\n  + x\nNothing was published.\n',
  );
  const plan = { source: 'a/skills', outcome: 'planned' as const, number: 7, added: [], changed: ['x'], removed: [] };
  expect(renderRolledBack(plan, PLAIN)).toBe(
    'a/skills would change; version 7 is current\n  ~ x\nNothing was published.\n',
  );
  expect(renderRolledBack({ ...plan, outcome: 'published', replicas: 2 }, PLAIN)).toBe(
    '✓ a/skills is as it was then: version 7 (2 replicas serve it)\n  ~ x\n',
  );
});

test('a publication counts its warnings, and names what it left out of a folder', () => {
  const data = { source: 'a/skills', outcome: 'published' as const, number: 8, files: 3, uploaded: 0, ...NOTHING };
  const warning = { severity: 'warning' as const, code: 'a-code', path: 'x', message: 'm' };
  const omitted = { count: 6, first: [{ path: 'a/node_modules', reason: 'it belongs to another tool' }] };
  expect(renderPublished({ ...data, findings: [warning, { ...warning, severity: 'info' }], omitted }, PLAIN)).toBe(
    [
      '✓ a/skills is published: version 8 (3 files, 0 uploaded)',
      '! 1 warning; --dry-run shows more',
      '! Left out of the folders of skills and specs:',
      '    a/node_modules (it belongs to another tool)',
      '    and 5 more',
      '',
    ].join('\n'),
  );
});

test('a publication says which SKILL.md files it left out', () => {
  const data = { source: 'a/skills', outcome: 'unchanged' as const, number: 8, files: 3, uploaded: 0, ...NOTHING };
  const text = renderPublished({ ...data, leftOut: { count: 3, first: ['x/SKILL.md', 'y/SKILL.md'] } }, PLAIN);
  expect(text).toContain(
    '\n! Not published, because no folder for skills has them: 3 SKILL.md files\n    x/SKILL.md\n    y/SKILL.md\n    and 1 more\n',
  );
});

test('a dry run with much advice shows every error, and how much advice is left', () => {
  const finding = (severity: 'error' | 'warning', index: number) => ({
    severity,
    code: 'a-code',
    path: `${severity}-${index}`,
    message: 'm',
  });
  const findings = [
    ...Array.from({ length: 30 }, (_, index) => finding('warning', index)),
    ...Array.from({ length: 30 }, (_, index) => finding('error', index)),
  ];
  const data = { source: 'a/skills', outcome: 'planned' as const, number: 1, files: 60, uploaded: 0, ...NOTHING };
  const text = renderPublished({ ...data, findings }, PLAIN);
  expect(text.match(/^ {2}error /gmu)).toHaveLength(30);
  expect(text.match(/^ {2}warning /gmu)).toHaveLength(20);
  expect(text).toContain('\n  and 10 more; lectern validate shows them all\n');
  const scanned = findings.map((each) => ({ ...each, scan: true }));
  expect(renderPublished({ ...data, findings: scanned }, PLAIN)).toContain(
    '\n  and 10 more; lectern validate --scan shows them all\n',
  );
});

test('the secret of a token has a line of its own', () => {
  const token = {
    id: 1,
    token: 'lct_abc',
    team: 'a',
    scopes: ['read' as const],
    expiresAt: '2027-02-14T20:26:39.070Z',
  };
  expect(renderTokenAdded(token, PLAIN).split('\n').slice(0, 2)).toEqual([
    '✓ Token 1 of a: read, until 2027-02-14',
    'lct_abc',
  ]);
});

test('a token says what its scopes are good for', () => {
  const useOf = (...scopes: ('read' | 'publish' | 'admin')[]): string | undefined =>
    renderTokenAdded({ id: 1, token: 'lct_abc', team: 'a', scopes, expiresAt: WHO.at }, PLAIN).split('\n')[2];
  const once = 'This is the only time it is shown.';
  expect(useOf('read')).toBe(`${once} Agents send it as their bearer token.`);
  expect(useOf('publish')).toBe(`${once} Set it as LECTERN_PUBLISH_TOKEN in CI. Agents cannot read with it.`);
  expect(useOf('publish', 'admin')).toBe(
    `${once} As LECTERN_PUBLISH_TOKEN it publishes for every team. Agents cannot read with it.`,
  );
  expect(useOf('read', 'publish')).toBe(
    `${once} Agents send it as their bearer token. Set it as LECTERN_PUBLISH_TOKEN in CI.`,
  );
});

test('the state of the database says what to run, or who is behind', () => {
  const state = { done: 3, known: 5, snapshot: 7, replicas: [{ id: 'r1', number: 5, seenSecondsAgo: 3 }] };
  expect(renderDatabaseStatus({ ...state, migrated: false }, PLAIN)).toContain('Run lectern db migrate.');
  expect(renderDatabaseStatus({ ...state, migrated: true }, PLAIN)).toContain(
    '  r1 serves 5 2 behind (seen 3 s ago)\n',
  );
});

test('tables that are newer than this version ask for a newer version, and not for a migration', () => {
  const state = { migrated: false, done: 40, known: 31, snapshot: 0, replicas: [] };
  const text = renderDatabaseStatus(state, PLAIN);
  expect(text).toContain('Update Lectern');
  expect(text).not.toContain('db migrate');
});

test('everyone is called every team, and pruning says what it would take', () => {
  expect(renderGranted({ source: 'a/skills', reader: '*' }, PLAIN)).toBe('✓ Every team may read a/skills\n');
  const pruned = { before: '', versions: 2, contents: 1, bytes: 1_500, sources: [] };
  expect(renderPruned({ ...pruned, dryRun: true }, PLAIN)).toBe(
    '2 versions and 1 content (2 kB) would be removed\nNothing was removed.\n',
  );
});

const WHO = { at: '2026-01-31T12:34:56.789Z', actor: 'payments/publish' };

test('a history takes one line of an ordinary terminal for each version, and says what a rollback went back to', () => {
  const counts = { added: 12, changed: 3, removed: 0 };
  const text = renderHistory(
    {
      source: 'payments/skills',
      versions: [
        { ...WHO, ...counts, number: 1236, action: 'rollback', restored: 1234 },
        { ...WHO, ...counts, number: 1235, action: 'publish', commit: '0123456789abcdef0123456789abcdef01234567' },
        { ...WHO, ...counts, number: 1234, action: 'publish', pruned: true },
      ],
    },
    PLAIN,
  );
  expect(reflow(text, 80)).toBe(text);
  expect(text.split('\n').slice(2)).toEqual([
    '  number  at                 actor             files      what',
    '    1236  2026-01-31 12:34Z  payments/publish  +12 ~3 -0  rollback to 1234',
    '    1235  2026-01-31 12:34Z  payments/publish  +12 ~3 -0  publish 0123456789ab',
    '    1234  2026-01-31 12:34Z  payments/publish  +12 ~3 -0  publish (pruned)',
    '',
  ]);
});

test('one long subject of an audit makes no other entry longer', () => {
  const entry = { ...WHO, id: 1, action: 'publish', subject: 'payments/skills', number: 1234 };
  const entries = [entry, { ...entry, subject: `payments/${'x'.repeat(60)}` }, { ...entry, number: undefined }];
  const lines = reflow(renderAudit({ entries, next: 7 }, PLAIN, { input: { limit: 3 } }), 80).split('\n');
  expect(lines).toContain('      1234  2026-01-31 12:34Z  payments/publish  publish payments/skills');
  expect(lines).toHaveLength(8);
});

test('an audit with more entries ends with the command that shows them', () => {
  const entries = [{ ...WHO, id: 7, action: 'publish', subject: 'a/b', number: 12 }];
  const text = renderAudit({ entries, next: 7 }, PLAIN, { input: { source: 'a/b', limit: 1 } });
  expect(text.endsWith('\nearlier ones: lectern audit --source a/b --limit 1 --before 7\n')).toBe(true);
  expect(renderAudit({ entries }, PLAIN, { input: { limit: 1 } })).not.toContain('earlier');
});

test('usage shows the most loaded skills, and counts the others', () => {
  const skills = Array.from({ length: 416 }, (_, index) => ({
    loads: Math.max(0, 60 - index),
    source: 'a/b',
    folder: `skills/s${index}`,
  }));
  const text = renderSourceUsage({ skills }, PLAIN);
  expect(text.split('\n')).toHaveLength(1 + 1 + 50 + 1 + 1);
  expect(text).toContain('\nand 366 more skills, 356 of them never loaded; --json lists them all\n');
  expect(renderSourceUsage({ skills: skills.slice(0, 50) }, PLAIN)).not.toContain('more');
});

test('a list of tokens marks those that have expired', () => {
  const token = { id: 1, name: 'ci', team: 'a', scopes: ['publish'], expiresAt: WHO.at };
  expect(renderTokens({ tokens: [token] }, PLAIN)).not.toContain('expired');
  expect(renderTokens({ tokens: [token, { ...token, id: 2, expired: true }] }, PLAIN)).toMatch(/^ +2 .* expired$/mu);
});

test('a list of sources takes one line of an ordinary terminal for each', () => {
  const source = { source: 'payments/skills', version: 1234, files: 120, bytes: 1_234_567 };
  const published = { publishedAt: WHO.at, publishedBy: WHO.actor, commit: '0123456789abcdef0123456789abcdef01234567' };
  const text = renderSources({ sources: [{ ...source, ...published }] }, PLAIN);
  expect(reflow(text, 80)).toBe(text);
});
