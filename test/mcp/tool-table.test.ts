import { expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { connect } from '../support/connect.ts';

const FILES = { 'project/.claude/skills/one/SKILL.md': skillText({ name: 'one' }) };

test.each([[], ['--tool-names', 'dotted'], ['--tools', 'skill']])(
  'the built server lists the same tools as the sources, with %s',
  async (...flags) => {
    await using source = await connect('memory', FILES, { flags });
    await using built = await connect('stdio', FILES, { flags });
    const { tools } = await built.client.listTools();
    expect(tools.length).toBeGreaterThan(0);
    expect(tools).toEqual((await source.client.listTools()).tools);
  },
);
