/** What every client must be able to do, whichever way it comes. */
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { connect, errorOf, factsOf, listedNames, textOf, WAYS } from '../support/connect.ts';

const INSTALLED = JSON.stringify({
  version: 2,
  plugins: {
    'example@market': [{ scope: 'user', installPath: '{home}/.claude/plugins/example', version: '1.0.0' }],
    'other@market': [{ scope: 'user', installPath: '{home}/.claude/plugins/other', version: '1.0.0' }],
  },
});

/** A project skill, a global one, an ambiguous name between two agents, and two plugins that share a name. */
const FILES = {
  'project/.claude/skills/git/SKILL.md': skillText({
    name: 'git',
    description: 'Git deployment workflow skill',
    body: '# Git\n\n  indented\n\n```sh\ngit push\n```\n',
  }),
  'project/.agents/skills/mcp-builder/SKILL.md': skillText({
    name: 'mcp-builder',
    description: 'MCP server development guide',
  }),
  'home/.claude/skills/user/SKILL.md': skillText({ name: 'user', description: '用户的全局技能,必读!' }),
  'project/.claude/skills/deck/SKILL.md': skillText({ name: 'deck' }),
  'project/.codex/skills/deck/SKILL.md': skillText({ name: 'deck', body: 'Another way.' }),
  'home/.claude/plugins/installed_plugins.json': INSTALLED,
  'home/.claude/plugins/example/skills/pdf/SKILL.md': skillText({
    name: 'pdf',
    description: 'Comprehensive PDF manipulation toolkit',
  }),
  'home/.claude/plugins/other/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
  'home/.claude/plugins/other/skills/xlsx/SKILL.md': skillText({ name: 'xlsx' }),
};

describe.each(WAYS)('over %s', (way) => {
  test('the tools have names, titles, annotations and schemas', async () => {
    await using session = await connect(way, FILES);
    const { tools } = await session.client.listTools();
    expect(tools.map(({ name, title }) => [name, title])).toEqual([
      ['skill', 'Load Skill'],
      ['skills_list', 'List Skills'],
      ['skills_search', 'Search Skills'],
      ['skill_file', 'Read a Skill’s File'],
    ]);
    for (const { name, annotations, inputSchema, outputSchema } of tools) {
      expect(annotations).toEqual({
        readOnlyHint: name !== 'rebuild_index',
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: false,
      });
      expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      // Agents that are promised structured content show it instead of the text, and a skill is to be read as text.
      expect(outputSchema?.type).toBe(['skill', 'skill_file'].includes(name) ? undefined : 'object');
    }
    expect(tools[0]).toMatchObject({
      inputSchema: { required: ['name'], properties: { name: { type: 'string', minLength: 1 } } },
      _meta: { 'anthropic/alwaysLoad': true },
    });
  });

  test('the description of skill lists every skill with name, description, location and provider', async () => {
    await using session = await connect(way, FILES);
    const description = await session.description();
    expect(
      description.startsWith(
        'Execute a skill within the main conversation\n\nLoad a skill by name to get specialized instructions.\n\n<skills_instructions>',
      ),
    ).toBe(true);
    expect(description).toContain(
      '<skill>\n<name>git</name>\n<description>Git deployment workflow skill</description>\n<location>project</location>\n<provider>claude</provider>\n</skill>',
    );
    expect(description).toContain(
      '<name>user</name>\n<description>用户的全局技能,必读!</description>\n<location>global</location>',
    );
    expect(listedNames(description)).toEqual([
      'mcp-builder',
      'claude:deck',
      'git',
      'user',
      'codex:deck',
      'claude:example:pdf',
      'claude:other:pdf',
      'other:xlsx',
    ]);
  });

  test('a skill is loaded by name in any case: header, then the file as it is', async () => {
    await using session = await connect(way, FILES);
    const result = await session.skill('GIT');
    const dir = session.folder.at('project/.claude/skills/git');
    const file = FILES['project/.claude/skills/git/SKILL.md'];
    expect(result.isError).toBeFalsy();
    expect(textOf(result)).toBe(
      `Loading: git\nBase directory: ${dir}\n\nname: claude:git\npath: ${dir}/SKILL.md\nlocation: project\nprovider: claude\n\n${file}`,
    );
    expect(result.structuredContent).toBeUndefined();
    expect(factsOf(result)).toMatchObject({ name: 'git', fullName: 'claude:git', baseDirectory: dir });
  });

  test('a plugin skill is loaded by its plugin’s name, and by its short name where only one has it', async () => {
    await using session = await connect(way, FILES);
    expect(textOf(await session.skill('example:pdf'))).toContain('name: claude:example:pdf\n');
    expect(textOf(await session.skill('xlsx'))).toContain('plugin: other@market\n');
  });

  test('an ambiguous name is an error that lists the full names', async () => {
    await using session = await connect(way, FILES);
    const between = await session.skill('deck');
    expect(between.isError).toBe(true);
    expect(textOf(between)).toBe(
      "Skill name 'deck' is ambiguous. Multiple skills found: claude:deck, codex:deck.\n\nSpecify the full name: claude:deck or codex:deck.",
    );
    expect(errorOf(between)).toMatchObject({ code: 'AMBIGUOUS', suggestions: ['claude:deck', 'codex:deck'] });
    expect(textOf(await session.skill('pdf'))).toContain('claude:example:pdf, claude:other:pdf');
    expect((await session.skill('codex:deck')).isError).toBeFalsy();
  });

  test('an unknown name is an error with suggestions and the list', async () => {
    await using session = await connect(way, FILES);
    const result = await session.skill('gti');
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      /^Skill 'gti' not found\.\n\nDid you mean: git\?\n\nAvailable skills:\n- mcp-builder: MCP server development guide\n/u,
    );
    expect(textOf(result)).toMatch(/\n\nUse the exact skill name \(case-insensitive\) to load a skill\.$/u);
    expect(errorOf(result)).toMatchObject({ code: 'NOT_FOUND', suggestions: ['git'] });
  });

  test('a missing or empty name, and unknown parameters, are named', async () => {
    await using session = await connect(way, FILES);
    const missing = await session.call('skill', {});
    expect([missing.isError, textOf(missing)]).toEqual([true, 'Invalid params (-32602): name is required.']);
    expect(textOf(await session.call('skill', { name: '' }))).toBe(
      'Invalid params (-32602): name is required and must not be empty.',
    );
    expect(textOf(await session.call('skill', { name: 5 }))).toBe('Invalid params (-32602): name must be text, not 5.');
    expect(textOf(await session.call('skill', { name: 'git', loud: true }))).toBe(
      'Invalid params (-32602): "loud" is not a known parameter.\n\nKnown: name.',
    );
    expect(textOf(await session.call('skill', { command: 'git' }))).toContain('Loading: git\n');
  });

  test('a misspelled parameter or tool gets a suggestion', async () => {
    await using session = await connect(way, FILES);
    const result = await session.call('skills_search', { qurey: 'git', limt: 3 });
    expect(textOf(result)).toBe(
      'Invalid params (-32602): query is required, and "qurey" is not a known parameter.\n\nDid you mean query?',
    );
    expect(errorOf(result)).toMatchObject({ code: 'USAGE', suggestions: ['query'] });
    await expect(session.call('skill_list', {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/Unknown tool: skill_list\. Did you mean skills_list/u),
      data: { suggestions: expect.arrayContaining(['skills_list']) },
    });
  });

  test.each([
    [[], 'Invalid params: arguments must be an object, not a list.'],
    ['git', 'Invalid params: arguments must be an object, not text.'],
    [null, 'Invalid params: arguments must be an object, not null.'],
  ])('arguments that are no object (%j) are refused in one sentence', async (args, message) => {
    await using session = await connect(way, FILES);
    const wrong = session.client.request({
      method: 'tools/call',
      params: { name: 'skill', arguments: args as unknown as Record<string, unknown> },
    });
    await expect(wrong).rejects.toMatchObject({ code: -32602, message: expect.stringContaining(message) });
  });

  test('tools are called in both spellings; an unknown tool is a protocol error', async () => {
    await using session = await connect(way, FILES);
    for (const name of ['skills_list', 'skills.list']) {
      expect(await session.call(name, { query: 'deployment' })).toMatchObject({
        structuredContent: { skills: [{ name: 'git' }] },
      });
    }
    await expect(session.call('skills-list', {})).rejects.toMatchObject({ code: -32602 });
  });

  test('a skill’s text is the same bytes however it comes', async () => {
    const file = skillText({
      name: 'bytes',
      body: 'tab\t, trailing  \n\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{10ffff} \u2028 é\r\n\n\n',
    });
    await using session = await connect(way, { 'project/skills/bytes/SKILL.md': file });
    const text = textOf(await session.skill('bytes'));
    const hash = (content: string) => createHash('sha256').update(content).digest('hex');
    expect(hash(text.slice(text.indexOf('\n---\n') + 1))).toBe(hash(file));
  });

  test('added, changed and removed skills are noticed, and the client is notified once each time', async () => {
    await using session = await connect(way, { 'project/.claude/skills/one/SKILL.md': skillText({ name: 'one' }) });
    expect(listedNames(await session.description())).toEqual(['one']);
    session.folder.write({ 'project/.claude/skills/two/SKILL.md': skillText({ name: 'two', description: 'First' }) });
    expect(await session.nextNotification('notifications/tools/list_changed')).toMatchObject({
      _meta: { 'lectern/reason': '1 skill added' },
    });
    await session.nextNotification('notifications/resources/list_changed');
    expect(listedNames(await session.description())).toEqual(['one', 'two']);

    session.folder.write({ 'project/.claude/skills/two/SKILL.md': skillText({ name: 'two', description: 'Second' }) });
    await session.nextNotification('notifications/tools/list_changed');
    expect(await session.description()).toContain('<description>Second</description>');

    rmSync(session.folder.at('project/.claude/skills/two'), { recursive: true });
    expect(await session.nextNotification('notifications/tools/list_changed')).toMatchObject({
      _meta: { 'lectern/reason': '1 skill removed' },
    });
    expect(textOf(await session.skill('two'))).toContain("Skill 'two' not found.");
    expect(session.heard.filter(({ method }) => method === 'notifications/tools/list_changed')).toHaveLength(3);
  });

  test('concurrent calls each get their own skill', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `skill-${index}`);
    await using session = await connect(
      way,
      Object.fromEntries(
        names.map((name) => [`project/skills/${name}/SKILL.md`, skillText({ name, body: `This is ${name}.` })]),
      ),
    );
    const replies = await Promise.all(names.map((name) => session.skill(name)));
    expect(replies.map((reply) => /This is (\S+)\.$/u.exec(textOf(reply))?.[1])).toEqual(names);
  });
});
