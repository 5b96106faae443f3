import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { doctor } from '../../src/operations/doctor.ts';
import { clearIndex } from '../../src/operations/clear-index.ts';
import { indexStatus } from '../../src/operations/index-status.ts';
import type { GivenTo } from '../../src/operations/perform.ts';
import { rebuildIndex } from '../../src/operations/rebuild-index.ts';
import { search } from '../../src/operations/search.ts';
import { searchSpecs } from '../../src/operations/search-specs.ts';
import type { OpenOptions } from '../../src/workspace/settings.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { HOME, PROJECT } from '../support/project.ts';
import { ask } from '../support/ask.ts';

const skill = (name: string, description: string, body = ''): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`;

const SKILLS: Record<string, string> = {
  [`${PROJECT}/.agents/skills/pdf/SKILL.md`]: skill('pdf', 'Fill interactive forms.', 'Flatten with pdftk.'),
  [`${PROJECT}/.agents/skills/git-bisect/SKILL.md`]: skill('git-bisect', 'Find the commit that broke something.'),
  [`${PROJECT}/.claude/skills/pdf/SKILL.md`]: skill('pdf', 'An older way to fill forms.'),
};

let server: http.Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function open(
  files: Record<string, string> = SKILLS,
  options: Partial<OpenOptions> = {},
  disk = memoryDisk(),
): Promise<Workspace> {
  for (const [file, text] of Object.entries({ [`${HOME}/.profile`]: '', ...files })) disk.replace(file, text);
  return Workspace.open({ projectDir: PROJECT, userDir: HOME, ...options }, disk);
}

const find = (workspace: Workspace, input: GivenTo<typeof search, 'library'>) => ask(search, input, workspace);
const build = (workspace: Workspace) => ask(rebuildIndex, { full: false }, workspace);

const ids = ({ results }: { results: readonly { id: string }[] }): string[] => results.map(({ id }) => id);

describe('searching a workspace', () => {
  test('works immediately, by words and meaning, and names the model', async () => {
    const answer = await find(await open(), { query: 'which revision made it fail' });
    expect(answer).toMatchObject({
      mode: 'auto',
      model: 'lectern-words-2',
      total: 1,
      results: [{ id: 'agents:git-bisect' }],
    });
    expect(await find(await open(), { query: 'forms', mode: 'keyword' })).toMatchObject({ mode: 'keyword', total: 2 });
  });

  test('the modes of earlier versions mean auto, and the answer notes it', async () => {
    for (const mode of ['semantic', 'hybrid'] as const)
      expect(await find(await open(), { query: 'forms', mode })).toMatchObject({
        mode: 'auto',
        reason: expect.stringContaining(`The mode ${mode} is now part of auto`),
      });
  });

  test('copies of a skill are found side by side', async () => {
    const answer = await find(await open(), { query: 'fill forms' });
    expect(ids(answer).slice(0, 2).sort()).toEqual(['agents:pdf', 'claude:pdf']);
  });

  test('filters hold, whatever was prepared before', async () => {
    const disk = memoryDisk();
    await build(await open(SKILLS, {}, disk));
    const filtered = await open(SKILLS, { exclude: ['claude'] }, disk);
    expect(ids(await find(filtered, { query: 'fill forms' }))).not.toContain('claude:pdf');
    expect(await ask(indexStatus, {}, filtered)).toMatchObject({ state: 'ready', ready: 3 });
  });

  test('only skills, only specs', async () => {
    const workspace = await open();
    expect((await find(workspace, { query: 'forms', mode: 'keyword', in: ['skills'] })).total).toBe(2);
    expect((await find(workspace, { query: 'forms', in: ['specs', 'changes'] })).total).toBe(0);
  });

  test('a damaged cache costs nothing but time', async () => {
    const disk = memoryDisk();
    const before = await find(await open(SKILLS, {}, disk), { query: 'forms' });
    for (const file of disk.files().keys()) if (file.endsWith('.pack')) disk.replace(file, new Uint8Array(1));
    const workspace = await open(SKILLS, {}, disk);
    expect(await find(workspace, { query: 'forms' })).toEqual(before);
    expect(await ask(indexStatus, {}, await open(SKILLS, {}, disk))).toMatchObject({ state: 'ready' });
  });
});

describe('specs and changes', () => {
  const SPECS: Record<string, string> = {
    ...SKILLS,
    [`${PROJECT}/openspec/specs/auth/spec.md`]: `# auth Specification

## Purpose
Who may come in.

## Requirements

### Requirement: Session Expiry
The system SHALL end a session after thirty minutes of inactivity.

#### Scenario: Idle
- **WHEN** nothing happens
- **THEN** the token is revoked

### Requirement: Lockout
The system SHALL lock an account after failed attempts.

#### Scenario: Five failures
- **WHEN** five attempts fail
- **THEN** the account is locked
`,
    [`${PROJECT}/openspec/changes/add-passkeys/proposal.md`]:
      '# Change: Sign in with passkeys\n\n## Why\nPasswords are phished.\n\n## What Changes\n- WebAuthn\n',
    [`${PROJECT}/openspec/changes/add-passkeys/tasks.md`]: '- [ ] Recovery flow\n',
  };

  test('keyword search finds requirements with their scenarios, and changes with their tasks', async () => {
    const workspace = await open(SPECS);
    expect((await find(workspace, { query: 'revoked token', mode: 'keyword' })).results).toMatchObject([
      {
        kind: 'requirement',
        id: 'auth/Session Expiry',
        spec_id: 'auth',
        requirement: 'Session Expiry',
        path: `${PROJECT}/openspec/specs/auth/spec.md`,
      },
    ]);
    expect((await find(workspace, { query: 'passwords recovery', mode: 'keyword' })).results).toMatchObject([
      { kind: 'change', id: 'add-passkeys', name: 'Sign in with passkeys' },
    ]);
    expect((await find(workspace, { query: 'passwords', mode: 'keyword', in: ['skills', 'specs'] })).total).toBe(0);
  });

  test('search_specs gives requirements, best first, with spec, name, score and snippet', async () => {
    const workspace = await open(SPECS);
    const { results } = await ask(searchSpecs, { query: 'lock an account', limit: 10 }, workspace);
    expect(results[0]).toMatchObject({
      spec_id: 'auth',
      requirement: 'Lockout',
      snippet: expect.stringContaining('lock an account'),
    });
    expect(results[0]?.score).toBeGreaterThan(0);
  });

  test('a query without a known word, or a least score that nothing reaches, is an empty list', async () => {
    expect((await ask(searchSpecs, { query: 'zzqqxx' }, await open(SPECS))).results).toEqual([]);
    const strict = await open(SPECS, { search: { minScore: 0.9 } });
    expect((await ask(searchSpecs, { query: 'lock an account' }, strict)).results).toEqual([]);
  });

  test('without automatic indexing search_specs fails until the index was built for this project', async () => {
    const disk = memoryDisk();
    const options = { autoIndex: false };
    const refused = {
      code: 'NO_INDEX',
      hint: expect.stringContaining('lectern index'),
      hintForModels: expect.stringContaining('rebuild_index'),
    };
    const question = { query: 'lock an account' };
    await expect(ask(searchSpecs, question, await open(SPECS, options, disk))).rejects.toMatchObject(refused);
    expect((await find(await open(SPECS, options, disk), question)).mode).toBe('auto');
    await build(await open(SPECS, options, disk));
    expect((await ask(searchSpecs, question, await open(SPECS, options, disk))).results[0]).toMatchObject({
      requirement: 'Lockout',
    });
    const other = await open({ '/other/openspec/specs/a/spec.md': '# a' }, { ...options, projectDir: '/other' }, disk);
    await expect(ask(searchSpecs, question, other)).rejects.toMatchObject(refused);
    await ask(clearIndex, {}, await open(SPECS, options, disk));
    await expect(ask(searchSpecs, question, await open(SPECS, options, disk))).rejects.toMatchObject(refused);
  });

  test('an index that was built counts for as long as the server runs, if the cache cannot be written', async () => {
    const workspace = await open(SPECS, { autoIndex: false, userDir: undefined } as never);
    await build(workspace);
    expect((await ask(searchSpecs, { query: 'lock an account' }, workspace)).results).not.toEqual([]);
  });
});

describe('the search cache', () => {
  test('only changed documents are prepared again', async () => {
    const disk = memoryDisk();
    expect(await build(await open(SKILLS, {}, disk))).toMatchObject({ documents: 3, added: 3 });
    const changed = { ...SKILLS, [`${PROJECT}/.agents/skills/pdf/SKILL.md`]: skill('pdf', 'Something else entirely.') };
    const workspace = await open(changed, {}, disk);
    expect(await ask(indexStatus, {}, workspace)).toMatchObject({ state: 'partly', ready: 2, documents: 3 });
    expect(await build(workspace)).toMatchObject({ added: 1 });
    expect(await ask(indexStatus, {}, workspace)).toMatchObject({ state: 'ready' });
  });

  test('is shared by all projects, and cleared for one or for all', async () => {
    const disk = memoryDisk();
    await build(await open(SKILLS, {}, disk));
    const elsewhere = { '/other/.agents/skills/pdf/SKILL.md': SKILLS[`${PROJECT}/.agents/skills/pdf/SKILL.md`] ?? '' };
    const other = await open(elsewhere, { projectDir: '/other' }, disk);
    expect(await build(other)).toMatchObject({ documents: 1, added: 0 });
    expect(await ask(clearIndex, {}, other)).toMatchObject({ cleared: 1 });
    expect(await ask(indexStatus, {}, await open(SKILLS, {}, disk))).toMatchObject({ state: 'partly', ready: 2 });
    expect(await ask(clearIndex, { everything: true }, await open(SKILLS, {}, disk))).toMatchObject({ cleared: 2 });
    expect(await ask(indexStatus, {}, await open(SKILLS, {}, disk))).toMatchObject({ state: 'empty', bytes: 0 });
  });

  test('an index that an earlier version left in the project is ignored and named', async () => {
    const old = { ...SKILLS, [`${PROJECT}/.lectern/index/current.json`]: '{}' };
    expect(await ask(indexStatus, {}, await open(old))).toMatchObject({ oldIndex: `${PROJECT}/.lectern/index` });
    expect((await ask(doctor, {}, await open(old))).index).toMatchObject({ oldIndex: `${PROJECT}/.lectern/index` });
  });
});

describe('an endpoint by configuration', () => {
  async function serve(): Promise<{ url: string; keys: (string | undefined)[] }> {
    const keys: (string | undefined)[] = [];
    server = http.createServer((request, response) => {
      keys.push(request.headers.authorization);
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { input } = JSON.parse(Buffer.concat(chunks).toString()) as { input: string[] };
        const data = input.map((text, i) => ({
          index: i,
          embedding: [/broke|revision/u.test(text) ? 1 : 0, /form/u.test(text) ? 1 : 0, 0.1],
        }));
        response.end(JSON.stringify({ data }));
      });
    });
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, keys };
  }
  const userConfig = (endpoint: object): Record<string, string> => ({
    ...SKILLS,
    [`${HOME}/.config/lectern/config.json`]: JSON.stringify({ search: { embeddings: 'endpoint', endpoint } }),
  });

  test('texts go there with the key of the environment, and the answer names the model', async () => {
    const { url, keys } = await serve();
    const workspace = await open(userConfig({ url, model: 'tiny' }), { environment: { LECTERN_EMBEDDINGS_KEY: 'k' } });
    expect(await build(workspace)).toMatchObject({ model: 'tiny', added: 3, url: `${url}/v1/embeddings` });
    expect(new Set(keys)).toEqual(new Set(['Bearer k']));
    const answer = await find(workspace, { query: 'which revision' });
    expect(answer).toMatchObject({ model: 'tiny', mode: 'auto' });
    expect(answer.results[0]).toMatchObject({ name: 'git-bisect' });
  });

  test('a failing endpoint is a build error, and prepared data is kept', async () => {
    const { url } = await serve();
    const disk = memoryDisk();
    await build(await open(userConfig({ url, model: 'tiny' }), {}, disk));
    server?.closeAllConnections();
    await new Promise((resolve) => server?.close(resolve));
    const more = {
      ...userConfig({ url, model: 'tiny', timeoutMs: 100 }),
      [`${PROJECT}/.agents/skills/new/SKILL.md`]: skill('new', 'New.'),
    };
    const workspace = await open(more, {}, disk);
    await expect(build(workspace)).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      message: expect.stringContaining(url),
    });
    expect(await ask(indexStatus, {}, workspace)).toMatchObject({
      state: 'partly',
      ready: 3,
      documents: 4,
      model: 'tiny',
    });
    expect(await find(workspace, { query: 'interactive forms' })).toMatchObject({
      mode: 'auto',
      model: null,
      reason: expect.stringContaining('the connection is refused'),
    });
  });

  test('an endpoint without an address is a configuration error', async () => {
    const workspace = await open({
      ...SKILLS,
      [`${HOME}/.config/lectern/config.json`]: JSON.stringify({ search: { embeddings: 'endpoint' } }),
    });
    await expect(build(workspace)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining('search.endpoint'),
    });
  });
});
