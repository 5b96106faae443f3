import { expect, test } from 'vitest';
import { addGrant, addTeam } from '../../src/operations/shared-admin.ts';
import {
  renderAudit,
  renderDatabaseStatus,
  renderHistory,
  renderPruned,
  renderPublished,
  renderRolledBack,
  renderSources,
  renderSourceUsage,
  renderTokenAdded,
  renderTokens,
} from '../../src/render/shared.ts';
import { renderSentence } from '../../src/render/sentence.ts';
import { makeStyle } from '../../src/render/style.ts';
import { reflow } from '../../src/render/width.ts';

const PLAIN = makeStyle({ color: false });
const REFERENCE = { fix: 'f', docs: 'd' };
const NOTHING = { added: [], changed: [], removed: [], skipped: [], findings: [] };

test('a publication shows its changes and its version', () => {
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

test('a dry run with an error shows that it would be refused and lists every problem', () => {
  const text = renderPublished(
    {
      source: 'a/skills',
      outcome: 'planned',
      number: 0,
      files: 1,
      uploaded: 0,
      ...NOTHING,
      findings: [
        {
          ...REFERENCE,
          severity: 'error',
          code: 'description-missing',
          path: 'x/SKILL.md',
          message: 'no \u001bdescription',
        },
      ],
    },
    PLAIN,
  );
  expect(text).toMatch(/^✗ a\/skills would be refused: 1 error\n/u);
  expect(text).toContain('  error x/SKILL.md description-missing: no ');
  expect(text).not.toContain('\u001b');
  expect(text.endsWith('Nothing was published.\n')).toBe(true);
});

test('a dry run shows whether anything would change', () => {
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
    '✓ a/skills was rolled back: version 7 (2 replicas serve it)\n  ~ x\n',
  );
});

test('a publication names skipped skills with the reason', () => {
  const data = { source: 'a/skills', outcome: 'published' as const, number: 8, files: 3, uploaded: 0, ...NOTHING };
  const skipped = Array.from({ length: 21 }, (_, at) => ({
    name: `s${at}`,
    path: `s${at}/SKILL.md`,
    reason: 'bad\u001b',
  }));
  const text = renderPublished({ ...data, skipped }, PLAIN);
  expect(text).toContain('! Skipped 21 skills; --strict would refuse the publication:\n    s0: bad');
  expect(text).toContain('(s19/SKILL.md)\n    and 1 more\n');
  expect(text).not.toContain('\u001b');
});

test('a publication counts its warnings and lists omitted folders', () => {
  const data = { source: 'a/skills', outcome: 'published' as const, number: 8, files: 3, uploaded: 0, ...NOTHING };
  const warning = { ...REFERENCE, severity: 'warning' as const, code: 'a-code', path: 'x', message: 'm' };
  const omitted = { count: 6, first: [{ path: 'a/node_modules', reason: 'it belongs to another tool' }] };
  expect(renderPublished({ ...data, findings: [warning, { ...warning, severity: 'info' }], omitted }, PLAIN)).toBe(
    [
      '✓ a/skills is published: version 8 (3 files, 0 uploaded)',
      '! 1 warning; --dry-run shows more',
      '! Omitted from skill and spec folders:',
      '    a/node_modules (it belongs to another tool)',
      '    and 5 more',
      '',
    ].join('\n'),
  );
});

test('a publication lists omitted SKILL.md files', () => {
  const data = { source: 'a/skills', outcome: 'unchanged' as const, number: 8, files: 3, uploaded: 0, ...NOTHING };
  const text = renderPublished({ ...data, leftOut: { count: 3, first: ['x/SKILL.md', 'y/SKILL.md'] } }, PLAIN);
  expect(text).toContain(
    '\n! Not published (outside the skill folders): 3 SKILL.md files\n    x/SKILL.md\n    y/SKILL.md\n    and 1 more\n',
  );
});

test('a dry run with many warnings shows every error and counts the remaining warnings', () => {
  const finding = (severity: 'error' | 'warning', index: number) => ({
    ...REFERENCE,
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

test('the secret of a token is on a separate line', () => {
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

test('a new token is shown with the uses of its scopes', () => {
  const useOf = (...scopes: ('read' | 'publish' | 'admin')[]): string | undefined =>
    renderTokenAdded({ id: 1, token: 'lct_abc', team: 'a', scopes, expiresAt: WHO.at }, PLAIN).split('\n')[2];
  const once = 'This is the only time it is shown.';
  expect(useOf('read')).toBe(`${once} Agents send it as their bearer token.`);
  expect(useOf('publish')).toBe(`${once} Set it as LECTERN_PUBLISH_TOKEN in CI. Agents cannot read with it.`);
  expect(useOf('publish', 'admin')).toBe(
    `${once} Set as LECTERN_PUBLISH_TOKEN, it can publish for every team. Agents cannot read with it.`,
  );
  expect(useOf('read', 'publish')).toBe(
    `${once} Agents send it as their bearer token. Set it as LECTERN_PUBLISH_TOKEN in CI.`,
  );
});

test('the database status shows the command to run, or which replicas are behind', () => {
  const state = { done: 3, known: 5, snapshot: 7, replicas: [{ id: 'r1', number: 5, seenSecondsAgo: 3 }] };
  expect(renderDatabaseStatus({ ...state, migrated: false }, PLAIN)).toContain('Run lectern db migrate.');
  expect(renderDatabaseStatus({ ...state, migrated: true }, PLAIN)).toContain(
    '  r1 serves 5 2 behind (seen 3 s ago)\n',
  );
});

test('tables newer than this version require an update of Lectern, not a migration', () => {
  const state = { migrated: false, done: 40, known: 31, snapshot: 0, replicas: [] };
  const text = renderDatabaseStatus(state, PLAIN);
  expect(text).toContain('Update Lectern');
  expect(text).not.toContain('db migrate');
});

test('a result of one sentence is shown with the command that follows, without control characters', () => {
  expect(addGrant.sentence?.({ source: 'a/skills', reader: '*' })).toBe('Every team can now read a/skills');
  const team = { team: 'a\u001bb' };
  expect(renderSentence(addTeam.sentence?.(team) ?? '', addTeam.next?.(team), PLAIN)).toMatch(
    /^✓ Added team a[^\u001b]+b\n {2}next: lectern source add a[^\u001b]+b\/skills\n$/u,
  );
  expect(renderSentence('Done', undefined, PLAIN)).toBe('✓ Done\n');
});

test('a dry run of pruning shows the amount', () => {
  const pruned = { before: '', versions: 2, contents: 1, bytes: 1_500, sources: [] };
  expect(renderPruned({ ...pruned, dryRun: true }, PLAIN)).toBe(
    '2 versions and 1 stored file (2 kB) would be removed\nNothing was removed.\n',
  );
});

const WHO = { at: '2026-01-31T12:34:56.789Z', actor: 'payments/publish' };

test('history shows each version on one line of an ordinary terminal, with the target of a rollback', () => {
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
    '  number  at                 actor             files      action',
    '    1236  2026-01-31 12:34Z  payments/publish  +12 ~3 -0  rollback to 1234',
    '    1235  2026-01-31 12:34Z  payments/publish  +12 ~3 -0  publish 0123456789ab',
    '    1234  2026-01-31 12:34Z  payments/publish  +12 ~3 -0  publish (pruned)',
    '',
  ]);
});

test('one long subject in an audit does not widen other entries', () => {
  const entry = { ...WHO, id: 1, action: 'publish', subject: 'payments/skills', number: 1234 };
  const entries = [entry, { ...entry, subject: `payments/${'x'.repeat(60)}` }, { ...entry, number: undefined }];
  const lines = reflow(renderAudit({ entries, next: 7 }, PLAIN, { input: { limit: 3 } }), 80).split('\n');
  expect(lines).toContain('      1234  2026-01-31 12:34Z  payments/publish  publish payments/skills');
  expect(lines).toHaveLength(8);
});

test('an audit with more entries ends with the command to show them', () => {
  const entries = [{ ...WHO, id: 7, action: 'publish', subject: 'a/b', number: 12 }];
  const text = renderAudit({ entries, next: 7 }, PLAIN, { input: { source: 'a/b', limit: 1 } });
  expect(text.endsWith('\nEarlier entries: lectern audit --source a/b --limit 1 --before 7\n')).toBe(true);
  expect(renderAudit({ entries }, PLAIN, { input: { limit: 1 } })).not.toContain('Earlier');
});

test('usage lists the most loaded skills and counts the others', () => {
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

test('the token list marks expired tokens', () => {
  const token = { id: 1, name: 'ci', team: 'a', scopes: ['publish'], expiresAt: WHO.at };
  expect(renderTokens({ tokens: [token] }, PLAIN)).not.toContain('expired');
  expect(renderTokens({ tokens: [token, { ...token, id: 2, expired: true }] }, PLAIN)).toMatch(/^ +2 .* expired$/mu);
});

test('the source list shows each source on one line of an ordinary terminal', () => {
  const source = { source: 'payments/skills', version: 1234, files: 120, bytes: 1_234_567 };
  const published = { publishedAt: WHO.at, publishedBy: WHO.actor, commit: '0123456789abcdef0123456789abcdef01234567' };
  const text = renderSources({ sources: [{ ...source, ...published }] }, PLAIN);
  expect(reflow(text, 80)).toBe(text);
});
