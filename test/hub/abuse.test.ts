import fs from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PublishClient } from '../../src/hub/publish-client.ts';
import { companyOn } from '../support/company.ts';
import { times } from '../support/effort.ts';
import { hasPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { callTool, post, startReplica, type Told } from '../support/replica.ts';
import { sourceFiles } from '../support/shared.ts';
import { skillText } from '../support/skill-text.ts';

let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.[Symbol.asyncDispose]());

/** Ten levels of ten aliases each: a few lines that would become ten thousand million texts. */
const BOMB = [
  'a: &a [x, x, x, x, x, x, x, x, x, x]',
  ...'bcdefghij'.split('').map((letter, index) => {
    const before = 'abcdefghi'[index] ?? '';
    return `${letter}: &${letter} [${`*${before}, `.repeat(9)}*${before}]`;
  }),
].join('\n');

describe.skipIf(!hasPostgres)('a malicious publisher', () => {
  test('cannot bring a replica down with file contents', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'), [], {
      node: ['--max-old-space-size=200'],
    });
    const client = new PublishClient({ url: replica.url, token: shop.tokens.payments.publish });
    const publish = async (files: Record<string, string | Uint8Array>): Promise<Told> => {
      const { files: stored, contents } = sourceFiles(files);
      const { base, missing } = await client.check('payments/skills', stored);
      for (const sha256 of missing) await client.upload(contents.get(sha256) ?? new Uint8Array());
      return client
        .publish('payments/skills', { base, files: stored, commit: undefined })
        .catch((error: unknown) => error);
    };
    const header = (more: string): string => `---\nname: pdf\ndescription: D.\n${more}\n---\n\nText.\n`;
    for (const text of [
      header(BOMB),
      header(`x: ${'['.repeat(30_000)}`),
      header(`x: ${'y'.repeat(70_000)}`),
      header('x: !!js/function "function () { process.exit(1) }"'),
      `---js\n{ name: (() => process.exit(1))() }\n---\n`,
      `${header('x: y')}${'z'.repeat(2 * 1024 * 1024)}`,
    ]) {
      const told = await publish({ 'skills/pdf/SKILL.md': text });
      // What can be read in spite of it is published; all else is refused, with its place.
      if (told.outcome !== 'published')
        expect(told).toMatchObject({ code: 'REFUSED', message: expect.stringContaining('skills/pdf/SKILL.md') });
    }
    // Harmless to read, however odd.
    const odd = {
      'skills/pdf/SKILL.md': header(''),
      'skills/pdf/zeros.bin': new Uint8Array(1024 * 1024),
      'skills/pdf/bomb.gz': gzipSync(Buffer.alloc(4 * 1024 * 1024)),
      'skills/pdf/\u202eevil.txt': '\u001b[2J',
      'openspec/specs/deep/spec.md': `${'#'.repeat(50_000)} x\n${'- '.repeat(50_000)}`,
    };
    expect(await publish(odd)).toMatchObject({ outcome: 'published' });
    await expect
      .poll(async () => (await callTool(replica.url, shop.tokens.payments.read, 'skills_list')).body.result)
      .toMatchObject({ structuredContent: { total: 1 } });
    expect(replica.process.exitCode).toBeNull();
    // oxlint-disable-next-line no-control-regex -- what must not reach a terminal
    expect(replica.log()).not.toMatch(/[\u001b\u202e]/u);
  });

  test('cannot bring a replica down with a request', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'), [], {
      node: ['--max-old-space-size=200'],
    });
    const { publish } = shop.tokens.payments;
    const send = async (path: string, body: string | Buffer, headers: Record<string, string> = {}): Promise<number> => {
      const answer = await fetch(`${replica.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${publish}`, 'content-type': 'application/json', ...headers },
        body,
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    const api = '/api/sources/payments/skills';
    expect(await send(`${api}/check`, '['.repeat(1_000_000))).toBe(400);
    expect(await send(`${api}/check`, `{"files":${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toBe(422);
    expect(
      await send(`${api}/check`, gzipSync(Buffer.alloc(50_000_000, ' ')), { 'content-encoding': 'gzip' }),
    ).not.toBe(200);
    expect(await send(`${api}/check`, JSON.stringify({ files: 'x'.repeat(1_000_000) }))).toBe(400);
    const huge = { path: 'x'.repeat(2_000_000), sha256: 'ab'.repeat(32), size: 1 };
    expect(await send(`${api}/publish`, JSON.stringify({ base: 0, files: [huge] }))).toBe(422);
    expect(await send(`/api/sources/${'..%2f'.repeat(20)}/skills/check`, '{"files":[]}')).toBe(404);
    expect(await send('/api/sources/payments/skills%00/check', '{"files":[]}')).toBe(404);
    const many = Array.from({ length: times(30_000, 100_000) }, (_, index) => ({
      path: `skills/s${index}/SKILL.md`,
      sha256: 'ab'.repeat(32),
      size: 1,
    }));
    // Many paths with one content, many folders, deep ones, and names that no index takes.
    const named = (paths: readonly string[], size: number): string =>
      JSON.stringify({ base: 0, files: paths.map((path) => ({ path, sha256: 'ab'.repeat(32), size })) });
    const each = (count: number, pathOf: (index: number) => string): string[] =>
      Array.from({ length: count }, (_, index) => pathOf(index));
    for (const [body, why] of [
      [
        named(
          each(2_000, (index) => `openspec/specs/s${index}/spec.md`),
          8_000_000,
        ),
        'specs and changes',
      ],
      [
        named(
          each(100, (index) => `skills/s${index}/SKILL.md`),
          1_000_000,
        ),
        'SKILL.md files',
      ],
      [
        named(
          each(200, (index) => `skills/s/${index}.bin`),
          8_000_000,
        ),
        'the source has',
      ],
      [
        named(
          each(4_000, (index) => `${index.toString(36)}/${'a/'.repeat(505)}x`),
          0,
        ),
        'folders',
      ],
      [
        named(
          each(2_000, (index) => `${index.toString(36)}/${'a/'.repeat(30)}x`),
          0,
        ),
        'exceeds the limit of',
      ],
      [named([`${'\u4e2d'.repeat(80)}/`.repeat(9) + 'x'], 0), 'too long'],
    ] as const)
      for (const action of ['check', 'publish']) {
        const told = await post(`${replica.url}${api}/${action}`, publish, JSON.parse(body));
        expect([told.status, told.body.error.message]).toEqual([422, expect.stringContaining(why)]);
      }
    // A list that is too long is refused before it was read, so the rest of it may find nobody to take it.
    const refused = await send(`${api}/publish`, JSON.stringify({ base: 0, files: many })).catch(() => 413);
    expect([413, 422]).toContain(refused);
    expect((await post(`${replica.url}${api}/check`, publish, { files: [] })).status).toBe(200);
    expect(replica.process.exitCode).toBeNull();
  });
});

describe.skipIf(!hasPostgres)('a curious publisher', () => {
  test('learns nothing of contents that others have, and cannot publish them by their hash', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const secret = 'DB_PASSWORD=summer\n';
    const files = { 'skills/pay/SKILL.md': skillText({ name: 'pay' }), 'skills/pay/notes.txt': secret };
    expect(await shop.publish(replica.url, 'payments', files)).toMatchObject({ outcome: 'published' });
    const { files: wanted } = sourceFiles({ 'skills/mine/notes.txt': secret });
    const ask = async (action: string, size: number): Promise<Told> =>
      post(`${replica.url}/api/sources/checkout/skills/${action}`, shop.tokens.checkout.publish, {
        base: 0,
        files: wanted.map((file) => ({ ...file, size })),
      });
    expect((await ask('check', 1)).body.missing).toEqual(wanted.map(({ sha256 }) => sha256));
    const refused = await ask('publish', 1);
    expect(refused.status).toBe(422);
    expect(refused.body.error.message).toContain('was not uploaded');
    expect(refused.body).toEqual((await ask('publish', secret.length)).body);
  });

  test('gets a reason for a skill that is too large, also if it is at the top, and for a commit that is no text', async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const client = new PublishClient({ url: replica.url, token: shop.tokens.payments.publish });
    const big = new Uint8Array(8 * 1024 * 1024);
    const top = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`${index}.bin`, big]));
    const { files, contents } = sourceFiles({ 'SKILL.md': skillText({ name: 'skills' }), ...top });
    for (const content of contents.values()) await client.upload(content);
    const publish = (list: typeof files, commit: string): Promise<Told> =>
      client.publish('payments/skills', { base: 0, files: list, commit }).catch((error: unknown) => error);
    expect(await publish(files, 'abc')).toMatchObject({ code: 'REFUSED', message: expect.stringContaining('in all') });
    expect(await publish(files.slice(0, 1), 'a\u0000\ud800b')).toMatchObject({ outcome: 'published' });
  });
});

test.skipIf(!hasPostgres)(
  'lectern publish sends nothing from outside the folder, and skips a skill with too many files',
  async () => {
    using shop = await companyOn(postgres);
    await using replica = await startReplica(shop.database, shop.folder.at('cache'));
    const env = { LECTERN_PUBLISH_TOKEN: shop.tokens.payments.publish };
    shop.folder.write({
      'secret/key.txt': 'PRIVATE',
      'secret/hidden/SKILL.md': skillText({ name: 'hidden' }),
      'repo/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
      'repo/openspec/specs/auth/spec.md': '# auth\n',
    });
    const link = (place: string, to: string): void => fs.symlinkSync(shop.folder.at(to), shop.folder.at(place));
    link('repo/skills/pdf/key.txt', 'secret/key.txt');
    link('repo/skills/pdf/all', 'secret');
    link('repo/skills/hidden', 'secret/hidden');
    link('repo/openspec/specs/key', 'secret');
    const words = ['publish', shop.folder.at('repo'), '--to', replica.url, '--source', 'payments/skills'];
    const hidden = { name: 'hidden', path: 'skills/hidden/SKILL.md', reason: 'it is a link out of the folder' };
    expect(await shop.run([...words, '--strict'], env)).toMatchObject({
      code: 2,
      error: { code: 'REFUSED', message: expect.stringContaining(`${hidden.path}: ${hidden.reason}`) },
    });
    expect(await shop.run(words, env)).toMatchObject({ code: 2, error: { code: 'UNSAFE' } });
    const accepting = [...words, '--accept-findings'];
    const published = await shop.run(accepting, env);
    expect(published).toMatchObject({ outcome: 'published', skipped: [hidden] });
    expect(published.added).toEqual(['openspec/specs/auth/spec.md', 'skills/pdf/SKILL.md']);
    const count = times(20_001, 100_000);
    fs.mkdirSync(shop.folder.at('repo/skills/pdf/many'));
    for (let index = 0; index < count; index++) fs.writeFileSync(shop.folder.at(`repo/skills/pdf/many/${index}`), '');
    expect(await shop.run([...accepting, '--strict'], env)).toMatchObject({ code: 2, error: { code: 'REFUSED' } });
    expect(await shop.run(accepting, env)).toMatchObject({
      outcome: 'published',
      removed: ['skills/pdf/SKILL.md'],
      skipped: [hidden, { name: 'pdf', reason: 'it has more than 5,000 files' }],
    });
  },
);
