/** Skills as resources and prompts, and the official extension. */
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { doctor } from '../../src/operations/doctor.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { skillText } from '../support/skill-text.ts';
import { connect, type Session, type Way } from '../support/connect.ts';

const PNG = Buffer.from('89504e470d0a1a0a00ff', 'hex');
const FILES = {
  'project/.claude/skills/kit/SKILL.md': skillText({
    name: 'kit',
    description: 'A kit',
    more: ['license: MIT', 'metadata:', '  author: someone'],
  }),
  'project/.claude/skills/kit/references/guide.md': '# Guide\n',
  'project/.claude/skills/kit/references/deep/more.md': 'More.\n',
  'project/.claude/skills/kit/logo.png': PNG,
  'project/.claude/skills/kit/secret.md': { link: '../../../../outside' },
  'project/.codex/skills/kit/SKILL.md': skillText({ name: 'kit' }),
  'project/skills/Odd Name/SKILL.md': skillText({ name: 'Odd Name' }),
  'project/skills/repaired/SKILL.md': skillText({ name: 'repaired', description: 'Use when: always' }),
  'home/.claude/plugins/installed_plugins.json': JSON.stringify({
    version: 2,
    plugins: { 'tools@market': [{ scope: 'user', installPath: '{home}/.claude/plugins/tools', version: '1.0.0' }] },
  }),
  'home/.claude/plugins/tools/skills/chart/SKILL.md': skillText({ name: 'chart' }),
  outside: 'CANARY-7f3a91',
};

const Entry = z.object({
  uri: z.string(),
  frontmatter: z.record(z.string(), z.unknown()),
  resources: z.array(z.object({ uri: z.string(), digest: z.string(), size: z.int() })),
});
const SkillsPage = z.looseObject({
  skills: z.array(Entry),
  nextCursor: z.string().optional(),
  ttlMs: z.int().optional(),
  cacheScope: z.string().optional(),
});

function skillsList(session: Session, params: Record<string, unknown> = {}) {
  return session.client.request({ method: 'skills/list', params }, SkillsPage);
}

const BOTH_ERAS: Way[] = ['memory', 'http, modern'];

describe.each(BOTH_ERAS)('over %s', (way) => {
  test('every skill that a full name leads to is a resource', async () => {
    await using session = await connect(way, FILES);
    const { resources } = await session.client.listResources();
    expect(resources.map(({ uri, title }) => [uri, title])).toEqual([
      ['skill://claude/kit/SKILL.md', 'claude:kit'],
      ['skill://claude/tools/chart/SKILL.md', 'claude:tools:chart'],
      ['skill://codex/kit/SKILL.md', 'codex:kit'],
      ['skill://repo/Odd%20Name/SKILL.md', 'repo:Odd Name'],
      ['skill://repo/repaired/SKILL.md', 'repo:repaired'],
    ]);
    expect(resources[0]).toMatchObject({ mimeType: 'text/markdown', description: 'A kit' });
    for (const { uri } of resources)
      expect((await session.client.readResource({ uri })).contents).toMatchObject([
        { uri, text: expect.stringMatching(/^---\nname: /u) },
      ]);
  });

  test('an agent’s view is a resource, and its id is completed', async () => {
    await using session = await connect(way, FILES);
    const { contents } = await session.client.readResource({ uri: 'agent://claude' });
    const [{ text = '' } = {}] = contents as { text?: string }[];
    expect(JSON.parse(text)).toMatchObject({
      agent: { id: 'claude', found: true },
      entries: expect.arrayContaining([
        expect.objectContaining({ name: 'kit', fullName: 'claude:kit', status: 'seen' }),
      ]),
      hidden: expect.arrayContaining([expect.objectContaining({ fullName: 'codex:kit', status: 'not-read' })]),
    });
    const request = await session.client.readResource({ uri: 'context://claude' });
    expect(JSON.parse((request.contents as { text?: string }[])[0]?.text ?? '')).toMatchObject({
      agent: 'claude',
      items: expect.arrayContaining([expect.objectContaining({ kind: 'skills', status: 'loaded' })]),
    });
    for (const uri of ['agent://nobody', 'context://nobody'])
      await expect(session.client.readResource({ uri })).rejects.toThrow();
    const { completion } = await session.client.complete({
      ref: { type: 'ref/resource', uri: 'agent://{agent}' },
      argument: { name: 'agent', value: 'cod' },
    });
    expect(completion.values).toEqual(['codex']);
  });

  test('bundled files are read as text or blob; nothing else is', async () => {
    await using session = await connect(way, FILES);
    expect((await session.client.readResource({ uri: 'skill://claude/kit/references/guide.md' })).contents).toEqual([
      { uri: 'skill://claude/kit/references/guide.md', mimeType: 'text/markdown', text: '# Guide\n' },
    ]);
    expect((await session.client.readResource({ uri: 'skill://claude/kit/logo.png' })).contents).toMatchObject([
      { blob: PNG.toString('base64'), mimeType: 'image/png' },
    ]);
    const wrong = [
      'skill://claude/kit/secret.md',
      'skill://claude/kit/../../outside',
      'skill://claude/kit/..%2f..%2f..%2f..%2foutside',
      'skill://claude/kit/%2e%2e/%2e%2e/outside',
      'skill://claude/kit/..%252f..%252foutside',
      'skill://claude/kit/references',
      'skill://claude/kit',
      'skill://claude/nothing/SKILL.md',
      'skill:///etc/passwd',
      'file:///etc/passwd',
    ];
    for (const uri of wrong) {
      const error: unknown = await session.client.readResource({ uri }).then(
        ({ contents }) => contents,
        (reason: unknown) => reason,
      );
      expect([uri, error]).toMatchObject([uri, { code: -32602 }]);
    }
  });

  test('the extension publishes clean skills with every file, its size and digest', async () => {
    await using session = await connect(way, FILES);
    expect(session.client.getServerCapabilities()?.extensions).toEqual({
      'io.modelcontextprotocol/skills': { directoryRead: true },
    });
    const { skills, ttlMs, cacheScope } = await skillsList(session);
    expect(skills.map(({ uri }) => uri)).toEqual([
      'skill://claude/kit/SKILL.md',
      'skill://claude/tools/chart/SKILL.md',
      'skill://codex/kit/SKILL.md',
    ]);
    if (way.endsWith('modern')) expect([ttlMs, cacheScope]).toEqual([30_000, 'private']);
    expect(skills[0]?.frontmatter).toEqual({
      name: 'kit',
      description: 'A kit',
      license: 'MIT',
      metadata: { author: 'someone' },
    });
    expect(skills[0]?.resources.map(({ uri }) => uri)).toEqual([
      'skill://claude/kit/SKILL.md',
      'skill://claude/kit/logo.png',
      'skill://claude/kit/references/deep/more.md',
      'skill://claude/kit/references/guide.md',
    ]);
    for (const { uri, digest, size } of skills[0]?.resources ?? []) {
      const [content] = (await session.client.readResource({ uri })).contents;
      const bytes =
        content && 'text' in content ? Buffer.from(content.text) : Buffer.from(content?.blob ?? '', 'base64');
      expect([uri, digest, size]).toEqual([
        uri,
        `sha256:${createHash('sha256').update(bytes).digest('hex')}`,
        bytes.length,
      ]);
    }
  });

  test('an entry is as fresh as the file, and unknown ones are refused', async () => {
    await using session = await connect(way, FILES);
    const get = (uri: string) =>
      session.client.request({ method: 'skills/get', params: { uri } }, z.looseObject({ skill: Entry }));
    await skillsList(session);
    session.folder.write({
      'project/.claude/skills/kit/SKILL.md': skillText({ name: 'kit', description: 'Another kit' }),
    });
    expect((await get('skill://claude/kit/SKILL.md')).skill).toMatchObject({
      frontmatter: { description: 'Another kit' },
    });
    await expect(get('skill://claude/nothing/SKILL.md')).rejects.toMatchObject({ code: -32602 });
    await expect(skillsList(session, { cursor: 'bogus' })).rejects.toMatchObject({ code: -32602 });
  });

  test('folders can be read', async () => {
    await using session = await connect(way, FILES);
    const read = (uri: string) =>
      session.client.request(
        { method: 'resources/directory/read', params: { uri } },
        z.looseObject({
          resources: z.array(z.looseObject({ uri: z.string(), name: z.string(), mimeType: z.string() })),
        }),
      );
    expect(
      (await read('skill://claude/kit')).resources.map(({ uri, name, mimeType }) => [uri, name, mimeType]),
    ).toEqual([
      ['skill://claude/kit/SKILL.md', 'SKILL.md', 'text/markdown'],
      ['skill://claude/kit/logo.png', 'logo.png', 'image/png'],
      ['skill://claude/kit/references', 'references', 'inode/directory'],
    ]);
    expect((await read('skill://claude/kit/references')).resources.map(({ name }) => name)).toEqual([
      'deep',
      'guide.md',
    ]);
    await expect(read('skill://claude/kit/nothing')).rejects.toMatchObject({ code: -32602 });
    await expect(read('skill://claude/kit/SKILL.md')).rejects.toMatchObject({ code: -32602 });
  });

  test('prompts for people, with completion', async () => {
    await using session = await connect(way, {
      ...FILES,
      'project/skills/machine/SKILL.md': skillText({ name: 'machine', more: ['user-invocable: false'] }),
    });
    const { prompts } = await session.client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'Odd Name',
      'claude:kit',
      'codex:kit',
      'repaired',
      'skill',
      'tools:chart',
    ]);
    const { messages } = await session.client.getPrompt({ name: 'skill', arguments: { name: 'codex:kit' } });
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('name: codex:kit') } },
    ]);
    await expect(session.client.getPrompt({ name: 'machine' })).rejects.toMatchObject({ code: -32602 });
    await expect(session.client.getPrompt({ name: 'nothing' })).rejects.toMatchObject({ code: -32602 });
    const { completion } = await session.client.complete({
      ref: { type: 'ref/prompt', name: 'skill' },
      argument: { name: 'name', value: 'C' },
    });
    expect(completion.values).toEqual(['claude:kit', 'codex:kit', 'tools:chart']);
    const paths = await session.client.complete({
      ref: { type: 'ref/resource', uri: 'skill://{+path}' },
      argument: { name: 'path', value: 'claude/' },
    });
    expect(paths.completion.values).toEqual(['claude/kit/SKILL.md', 'claude/tools/chart/SKILL.md']);
  });
});

test('lists come in pages that fit together, and a made-up cursor is refused', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 450 }, (_, index) => [`project/skills/s${index}/SKILL.md`, skillText({ name: `s${index}` })]),
  );
  await using session = await connect('http', many);
  const uris: string[] = [];
  for (let cursor: string | undefined = undefined, page = 0; page === 0 || cursor !== undefined; page++) {
    const result: { resources: { uri: string }[]; nextCursor?: string | undefined } = await session.client.request(
      { method: 'resources/list', params: cursor === undefined ? {} : { cursor } },
      z.looseObject({ resources: z.array(z.looseObject({ uri: z.string() })), nextCursor: z.string().optional() }),
    );
    uris.push(...result.resources.map(({ uri }) => uri));
    cursor = result.nextCursor;
  }
  expect([uris.length, new Set(uris).size]).toEqual([450, 450]);
  await expect(
    session.client.request({ method: 'resources/list', params: { cursor: 'AAAA' } }, z.looseObject({})),
  ).rejects.toMatchObject({
    code: -32602,
  });
});

test('a subscriber to a skill is notified only when its text changes', async () => {
  await using session = await connect('memory', FILES);
  await session.client.subscribeResource({ uri: 'skill://claude/kit/SKILL.md' });
  await expect(session.client.subscribeResource({ uri: 'skill://claude/nothing/SKILL.md' })).rejects.toMatchObject({
    code: -32602,
  });
  session.folder.write({
    'project/.codex/skills/kit/SKILL.md': skillText({ name: 'kit', body: 'Changed, but nobody asked.' }),
  });
  session.folder.write({
    'project/.claude/skills/kit/SKILL.md': skillText({ name: 'kit', description: 'A kit', body: 'Changed.' }),
  });
  expect(await session.nextNotification('notifications/resources/updated')).toMatchObject({
    uri: 'skill://claude/kit/SKILL.md',
  });
  expect(session.heard.filter(({ method }) => method === 'notifications/resources/updated')).toHaveLength(1);
});

test('a skill whose files the extension cannot carry is named in the log once and by doctor; the tools serve it', async () => {
  await using session = await connect('memory', {
    'project/.claude/skills/big/SKILL.md': skillText({ name: 'big' }),
    'project/.claude/skills/big/model.bin': '',
    'project/.claude/skills/kit/SKILL.md': skillText({ name: 'kit' }),
  });
  fs.truncateSync(session.folder.at('project/.claude/skills/big/model.bin'), 17 * 1024 * 1024);
  for (let times = 0; times < 2; times++)
    expect((await skillsList(session)).skills.map(({ uri }) => uri)).toEqual(['skill://claude/kit/SKILL.md']);
  expect(session.log.filter((line) => line.includes('model.bin'))).toEqual([
    expect.stringMatching(/cannot carry .*big.*SKILL\.md: model\.bin has 17825792 bytes/u),
  ]);
  expect((await session.skill('big')).isError).not.toBe(true);
  const workspace = await Workspace.open({ projectDir: session.folder.at('project') });
  expect((await ask(doctor, {}, workspace)).unpublished).toEqual([
    {
      file: session.folder.at('project/.claude/skills/big/SKILL.md'),
      reason: expect.stringContaining('model.bin has 17825792 bytes'),
    },
  ]);
});
