/** The examples of the fourth document in docs/requirements.md, "The skill tool's contract", replayed through a client. */
import { rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { connect, errorOf, factsOf, listedNames, textOf } from '../support/connect.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';

const GIT = `---
name: git
description: Git deployment workflow skill
---

# Git Deployment GitOps

## Overview

Manage commits and merge requests...
`;

const FILES = {
  'project/.agent/skills/git/SKILL.md': GIT,
  'project/.agent/skills/mcp-builder/SKILL.md': skillText({
    name: 'mcp-builder',
    description: 'MCP server development guide',
  }),
  'home/.claude/skills/postgres/SKILL.md': skillText({
    name: 'postgres',
    description: 'PostgreSQL database operations',
  }),
};

describe('the tool', () => {
  test('name, title, annotations and input schema are those of the contract', async () => {
    await using session = await connect('memory', FILES);
    const { tools } = await session.client.listTools();
    expect(tools.find(({ name }) => name === 'skill')).toMatchObject({
      name: 'skill',
      title: 'Load Skill',
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', minLength: 1, description: 'Name of the skill to load (case-insensitive)' },
        },
        required: ['name'],
        additionalProperties: false,
      },
    });
  });

  test('the description starts with the agreed line and lists each skill with name, description and location', async () => {
    await using session = await connect('memory', FILES);
    const description = await session.description();
    expect(description.split('\n')[0]).toBe('Execute a skill within the main conversation');
    expect(description).toMatch(/\n<skills_instructions>\n[\s\S]+\n<\/skills_instructions>\n\n<available_skills>\n/u);
    for (const [name, text, location] of [
      ['git', 'Git deployment workflow skill', 'project'],
      ['mcp-builder', 'MCP server development guide', 'project'],
      ['postgres', 'PostgreSQL database operations', 'global'],
    ])
      expect(description).toContain(
        `<skill>\n<name>${name}</name>\n<description>${text}</description>\n<location>${location}</location>\n`,
      );
    session.folder.write({ 'project/.agent/skills/fresh/SKILL.md': skillText({ name: 'fresh' }) });
    await expect.poll(async () => listedNames(await session.description())).toContain('fresh');
  });

  test.each(['4000', '0'])(
    'with a description budget of %s the instructions cover choosing, calling, full names, the list and repetition',
    async (budget) => {
      await using session = await connect('memory', FILES, { flags: ['--description-budget', budget] });
      const [, instructions = ''] =
        /<skills_instructions>\n([\s\S]+)\n<\/skills_instructions>/u.exec(await session.description()) ?? [];
      expect(instructions).toMatch(/task[\s\S]* skills? below|skills? below [\s\S]*task/u);
      expect(instructions).toMatch(/this tool with (?:its|the skill) name/u);
      expect(instructions).toMatch(/[\w-]+:pdf\b/u);
      expect(instructions).toMatch(/only (?:use )?skills (?:of this list|listed)/iu);
      expect(instructions).toMatch(/none twice|already running/u);
    },
  );

  test('an empty, blank or missing name and an unknown key are validation errors', async () => {
    await using session = await connect('memory', FILES);
    for (const [args, message] of [
      [{ name: '' }, /name is required and must not be empty/u],
      [{ name: '   ' }, /name is required and must not be empty/u],
      [{}, /name is required/u],
      [{ name: ['git'] }, /name must be text/u],
      [{ name: 'git', verbose: true }, /"verbose" is not a known parameter/u],
    ] as const) {
      const result = await session.call('skill', args);
      expect([args, result.isError, textOf(result)]).toEqual([args, true, expect.stringMatching(message)]);
      expect(errorOf(result)).toMatchObject({ code: 'USAGE' });
    }
  });
});

describe('names', () => {
  test.each([
    ['git', 'git'],
    ['Git', 'git'],
    ['MCP-Builder', 'mcp-builder'],
    ['POSTGRES', 'postgres'],
  ])('%s loads %s', async (asked, loaded) => {
    await using session = await connect('memory', FILES);
    expect(textOf(await session.skill(asked))).toMatch(new RegExp(`^Loading: ${loaded}\\n`, 'u'));
  });

  test.each(['two words', 'c++ & c#', '数据库', 'Überblick', "it's (new)!", 'team/deploy'])(
    'a skill called %s loads by that name, in capitals too',
    async (name) => {
      await using session = await connect('memory', {
        'project/.agent/skills/odd/SKILL.md': skillText({ name: JSON.stringify(name), body: 'Odd, but fine.' }),
      });
      for (const asked of [name, name.toUpperCase()])
        expect([asked, textOf(await session.skill(asked))]).toEqual([
          asked,
          expect.stringMatching(/^Loading: [\s\S]*Odd, but fine\.$/u),
        ]);
    },
  );

  test.each(['../../../etc/passwd', '.ssh/id_rsa', '.agent/skills/git', '../.agent/skills/git/SKILL.md'])(
    '%s is not found, and no file is read',
    async (name) => {
      await using session = await connect('memory', { ...FILES, 'project/.ssh/id_rsa': 'CANARY' });
      const result = await session.skill(name);
      expect(textOf(result)).toContain(`Skill '${name}' not found.`);
      expect(JSON.stringify(result)).not.toMatch(/CANARY|root:|Manage commits/u);
    },
  );
});

describe('replies', () => {
  test('git: two lines and a blank one, then the header, then the file as it is', async () => {
    await using session = await connect('memory', FILES);
    const result = await session.skill('git');
    const dir = session.folder.at('project/.agent/skills/git');
    expect(result.isError ?? false).toBe(false);
    expect(result.content).toEqual([
      {
        type: 'text',
        text: `Loading: git\nBase directory: ${dir}\n\nname: agents:git\npath: ${dir}/SKILL.md\nlocation: project\nprovider: agents\n\n${GIT}`,
      },
    ]);
    expect(factsOf(result)).toMatchObject({ fullName: 'agents:git' });
  });

  test('nonexistent: one text with every skill and its description, marked as an error', async () => {
    await using session = await connect('memory', FILES);
    const result = await session.skill('nonexistent');
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          type: 'text',
          text: [
            "Skill 'nonexistent' not found.",
            [
              'Available skills:',
              '- git: Git deployment workflow skill',
              '- mcp-builder: MCP server development guide',
              '- postgres: PostgreSQL database operations',
            ].join('\n'),
            'Use the exact skill name (case-insensitive) to load a skill.',
          ].join('\n\n'),
        },
      ],
    });
    expect(textOf(await session.skill('postgers'))).toContain('Did you mean: postgres?');
  });

  test('a tools/call frame is answered with a JSON-RPC result that holds one text', async () => {
    using folder = project(FILES, 'disk');
    const frames = [
      {
        jsonrpc: '2.0',
        id: 0,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      },
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'skill', arguments: { name: 'git' } } },
    ];
    const input = frames.map((frame) => `${JSON.stringify(frame)}\n`).join('');
    const { stdout, code } = await lectern(folder, ['mcp'], { input });
    expect(code).toBe(0);
    expect(JSON.parse(stdout.trim().split('\n')[1] ?? '')).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: expect.stringMatching(/^Loading: git\n/u) }] },
    });
  });
});

describe('discovery', () => {
  test('the four folders win in the agreed order', async () => {
    const places = ['project/.agent', 'home/.agent', 'project/.claude', 'home/.claude'];
    await using session = await connect(
      'memory',
      Object.fromEntries(
        places.map((place) => [`${place}/skills/git/SKILL.md`, skillText({ name: 'git', body: `From ${place}.` })]),
      ),
    );
    for (const place of places) {
      expect(listedNames(await session.description())).toEqual(['git']);
      await expect.poll(async () => textOf(await session.skill('git'))).toMatch(new RegExp(`From ${place}\\.$`, 'u'));
      rmSync(session.folder.at(place), { recursive: true });
    }
    await expect.poll(async () => listedNames(await session.description())).toEqual(['none']);
  });

  test('a skill without a name, without a description or with broken frontmatter is skipped and logged', async () => {
    await using session = await connect('memory', {
      ...FILES,
      'project/.agent/skills/nameless/SKILL.md': '---\ndescription: Nothing to call it by.\n---\n',
      'project/.agent/skills/silent/SKILL.md': '---\nname: silent\n---\n',
      'project/.agent/skills/plain/SKILL.md': '# No frontmatter\n',
      'project/.agent/skills/torn/SKILL.md': '---\nname: [torn\n---\n',
    });
    expect(listedNames(await session.description())).toEqual(['git', 'mcp-builder', 'postgres']);
    for (const skipped of ['nameless', 'silent', 'plain', 'torn']) {
      await expect.poll(() => session.log.join('\n')).toContain(`${skipped}/SKILL.md`);
      expect((await session.skill(skipped)).isError).toBe(true);
    }
  });

  test('a folder that does not exist is passed over without a message', async () => {
    await using session = await connect('memory', { 'home/.claude/skills/only/SKILL.md': skillText({ name: 'only' }) });
    expect(listedNames(await session.description())).toEqual(['only']);
    await expect.poll(() => session.log.join('\n')).toContain('1 skill in 1 folder');
    expect(session.log.join('\n')).not.toMatch(/\.agent|problem/u);
  });
});

test('no call changes a file of the project', async () => {
  using folder = project(FILES, 'disk');
  const before = folder.state();
  await using session = await connect('memory', {}, { folder });
  for (const name of ['git', 'nonexistent', '../../../etc/passwd']) await session.skill(name);
  await session.call('skill_file', { name: 'git' });
  expect(folder.state()).toEqual(before);
});
