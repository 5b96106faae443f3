import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
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

const opened: Workspace[] = [];
let server: http.Server | undefined;
afterEach(async () => {
  await Promise.all(opened.splice(0).map((workspace) => workspace.close()));
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

async function open(
  files: Record<string, string> = SKILLS,
  options: Partial<OpenOptions> = {},
  disk = memoryDisk(),
): Promise<Workspace> {
  for (const [file, text] of Object.entries(files)) disk.replace(file, text);
  const workspace = await Workspace.open({ projectDir: PROJECT, userDir: HOME, ...options }, disk);
  opened.push(workspace);
  return workspace;
}

const WORDS_ONLY = { search: { embeddings: 'none' } } as const;
const find = (workspace: Workspace, input: GivenTo<typeof search, 'library'>) => ask(search, input, workspace);
const build = (workspace: Workspace) => ask(rebuildIndex, { full: false }, workspace);

describe('searching a workspace', () => {
  test('without an index it goes by words and says why', async () => {
    const answer = await find(await open(), { query: 'forms' });
    expect(answer).toMatchObject({
      mode: 'keyword',
      model: null,
      reason: expect.stringContaining('lectern index'),
      total: 2,
    });
    expect((await find(await open(), { query: 'forms', mode: 'keyword' })).reason).toBeUndefined();
  });

  test('asking for meaning without an index is an error with a next step', async () => {
    await expect(find(await open(), { query: 'forms', mode: 'hybrid' })).rejects.toMatchObject({ code: 'NO_INDEX' });
    await expect(ask(searchSpecs, { query: 'forms' }, await open())).rejects.toMatchObject({
      code: 'NO_INDEX',
      hint: expect.stringContaining('lectern index'),
      hintForModels: expect.stringContaining('rebuild_index'),
    });
  });

  test('copies of a skill are found side by side, and with an index hybrid is the default', async () => {
    const workspace = await open(SKILLS, WORDS_ONLY);
    expect(await build(workspace)).toMatchObject({ written: true, documents: 3, added: 3, model: null });
    const answer = await find(workspace, { query: 'fill forms' });
    expect(answer).toMatchObject({ mode: 'lexical', reason: expect.stringContaining('No embedding model') });
    expect(answer.results.map(({ id }) => id).sort()).toEqual(['agents:pdf', 'claude:pdf']);
  });

  test('filters of the view hold for the index too', async () => {
    const disk = memoryDisk();
    await build(await open(SKILLS, WORDS_ONLY, disk));
    const filtered = await open(SKILLS, { ...WORDS_ONLY, exclude: ['claude'] }, disk);
    expect((await find(filtered, { query: 'fill forms', mode: 'hybrid' })).results.map(({ id }) => id)).toEqual([
      'agents:pdf',
    ]);
    expect(await ask(indexStatus, {}, filtered)).toMatchObject({ state: 'ready' });
  });

  test('only skills, only specs', async () => {
    const workspace = await open();
    expect((await find(workspace, { query: 'forms', in: ['skills'] })).total).toBe(2);
    expect((await find(workspace, { query: 'forms', in: ['specs', 'changes'] })).total).toBe(0);
  });

  test('a damaged index does not stop a search that did not ask for it', async () => {
    const disk = memoryDisk();
    await build(await open(SKILLS, WORDS_ONLY, disk));
    for (const file of disk.files().keys()) if (file.endsWith('postings.bin')) disk.replace(file, new Uint8Array(1));
    const workspace = await open(SKILLS, WORDS_ONLY, disk);
    expect(await find(workspace, { query: 'forms' })).toMatchObject({
      mode: 'keyword',
      reason: expect.stringContaining('postings.bin'),
      total: 2,
    });
    await expect(find(workspace, { query: 'forms', mode: 'hybrid' })).rejects.toMatchObject({ code: 'NO_INDEX' });
    expect(await build(workspace)).toMatchObject({ written: true });
    expect(await ask(indexStatus, {}, workspace)).toMatchObject({ state: 'ready' });
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
    expect((await find(workspace, { query: 'revoked token' })).results).toMatchObject([
      {
        kind: 'requirement',
        id: 'auth/Session Expiry',
        spec_id: 'auth',
        requirement: 'Session Expiry',
        path: `${PROJECT}/openspec/specs/auth/spec.md`,
      },
    ]);
    expect((await find(workspace, { query: 'passwords recovery' })).results).toMatchObject([
      { kind: 'change', id: 'add-passkeys', name: 'Sign in with passkeys' },
    ]);
    expect((await find(workspace, { query: 'passwords', in: ['skills', 'specs'] })).total).toBe(0);
  });

  test('search_specs gives requirements, best first, with spec, name, score and snippet', async () => {
    const workspace = await open(SPECS, WORDS_ONLY);
    expect(await build(workspace)).toMatchObject({ documents: 6 });
    const { results } = await ask(searchSpecs, { query: 'lock an account', limit: 10 }, workspace);
    expect(results[0]).toMatchObject({
      spec_id: 'auth',
      requirement: 'Lockout',
      snippet: expect.stringContaining('lock an account'),
    });
    expect(results[0]?.score).toBeGreaterThan(0);
  });

  test('nothing near is an empty list', async () => {
    const workspace = await open(SPECS, WORDS_ONLY);
    await build(workspace);
    expect((await ask(searchSpecs, { query: 'quantum chromodynamics', limit: 10 }, workspace)).results).toEqual([]);
  });

  test('a workspace of specs alone leaves the skills in the index as they are', async () => {
    const disk = memoryDisk();
    await build(await open(SPECS, WORDS_ONLY, disk));
    const specs = {
      ...SPECS,
      [`${PROJECT}/openspec/changes/add-passkeys/proposal.md`]:
        '# Change: Sign in with keys\n\n## Why\nOther reasons.\n',
    };
    const alone = await open(specs, { ...WORDS_ONLY, skills: false }, disk);
    expect(await ask(indexStatus, {}, alone)).toMatchObject({
      state: 'stale',
      differences: { changed: 1, removed: 0 },
    });
    expect(await build(alone)).toMatchObject({ documents: 6, changed: 1, removed: 0 });
    const all = await open(specs, WORDS_ONLY, disk);
    expect(await ask(indexStatus, {}, all)).toMatchObject({ state: 'ready', documents: 6 });
    expect((await find(all, { query: 'interactive forms', mode: 'hybrid' })).results[0]).toMatchObject({
      id: 'agents:pdf',
    });
  });
});

describe('the index of a workspace', () => {
  test('is stale when skills change, and refreshed by another build', async () => {
    const disk = memoryDisk();
    await build(await open(SKILLS, WORDS_ONLY, disk));
    const changed = { ...SKILLS, [`${PROJECT}/.agents/skills/pdf/SKILL.md`]: skill('pdf', 'Something else entirely.') };
    const workspace = await open(changed, WORDS_ONLY, disk);
    expect(await ask(indexStatus, {}, workspace)).toMatchObject({
      state: 'stale',
      differences: { added: 0, changed: 1, removed: 0 },
    });
    expect(await build(workspace)).toMatchObject({ changed: 1, added: 0 });
    expect(await ask(indexStatus, {}, workspace)).toMatchObject({ state: 'ready' });
  });

  test('lies in the outermost folder of the repository, and can be cleared', async () => {
    const disk = memoryDisk();
    const workspace = await open(
      { ...SKILLS, [`${PROJECT}/.git/HEAD`]: '', [`${PROJECT}/packages/a/x`]: '' },
      { ...WORDS_ONLY, projectDir: `${PROJECT}/packages/a` },
      disk,
    );
    await build(workspace);
    expect(disk.look(path.join(PROJECT, '.lectern/index/current.json'))).toBeDefined();
    expect(await ask(clearIndex, {}, workspace)).toMatchObject({ cleared: true });
    expect(await ask(clearIndex, {}, workspace)).toMatchObject({ cleared: false });
    expect(await ask(indexStatus, {}, workspace)).toMatchObject({ state: 'missing' });
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
    expect(await build(workspace)).toMatchObject({ model: 'tiny', embedded: 3, url: `${url}/v1/embeddings` });
    expect(new Set(keys)).toEqual(new Set(['Bearer k']));
    expect(await find(workspace, { query: 'which revision', mode: 'semantic' })).toMatchObject({
      model: 'tiny',
      mode: 'semantic',
      results: [{ name: 'git-bisect' }],
    });
  });

  test('one that fails is an error of the build, and the index in place stays', async () => {
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
    expect(await ask(indexStatus, {}, workspace)).toMatchObject({ state: 'stale', documents: 3, model: 'tiny' });
    expect(await find(workspace, { query: 'interactive forms', mode: 'hybrid' })).toMatchObject({
      mode: 'lexical',
      reason: expect.stringContaining('no connection'),
    });
  });

  test('an endpoint without an address is said', async () => {
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
