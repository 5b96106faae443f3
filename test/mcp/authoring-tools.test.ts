import { expect, test } from 'vitest';
import { connect, textOf } from '../support/connect.ts';
import { skillText } from '../support/skill-text.ts';

const FILES = {
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Merge PDF files.' }),
};

test('tools for authors are offered only if they are requested', async () => {
  for (const [flags, offered] of [
    [[], false],
    [['--tools', 'auto,authoring'], true],
    [['--tools', 'authoring'], true],
  ] as const) {
    await using session = await connect('memory', FILES, { flags: [...flags] });
    const { tools } = await session.client.listTools();
    expect(tools.some(({ name }) => name === 'try_request')).toBe(offered);
  }
});

test('a model can try a request', async () => {
  await using session = await connect('memory', FILES, { flags: ['--tools', 'authoring'] });
  const reply = await session.call('try_request', { request: 'merge PDF files' });
  expect(reply.structuredContent).toMatchObject({
    agents: [{ id: 'claude', verdict: 'clear', results: [{ name: 'pdf' }, {}, {}] }],
  });
  expect(textOf(reply)).toContain('pdf');
});
