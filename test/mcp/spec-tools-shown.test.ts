/** The tools for specs are listed where there are specs; they can be called everywhere. */
import { describe, expect, test } from 'vitest';
import { connect, type Session } from '../support/connect.ts';
import { skillText } from '../support/skill-text.ts';

const SKILL = { 'project/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) };

async function specTools({ client }: Session): Promise<number> {
  const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
  return tools.filter(({ name }) => /spec|scenario|change|index/u.test(name)).length;
}

describe('the tools for specs', () => {
  test.each([
    ['nothing', {}, 0],
    ['a folder called specs without specs', { 'project/specs/notes.md': 'x' }, 0],
    ['an empty layout of OpenSpec', { 'project/openspec/specs/.gitkeep': '' }, 9],
    ['an openspec folder with nothing that counts', { 'project/openspec/.gitkeep': '' }, 9],
    ['a layout of Spec Oxide', { 'project/.spox/config.toml': '' }, 9],
    ['a package with specs', { 'project/packages/shop/openspec/specs/.gitkeep': '' }, 9],
  ])('where the project has %s', async (_, files, shown) => {
    await using session = await connect('memory', { ...SKILL, ...files });
    expect(await specTools(session)).toBe(shown);
    expect(session.client.getInstructions()?.includes('list_specs')).toBe(shown > 0);
  });

  test('configured folders count even if they do not exist', async () => {
    await using session = await connect('memory', SKILL, { flags: ['--specs-dir', 'requirements'] });
    expect(await specTools(session)).toBe(9);
  });

  test('that are not listed answer when they are called', async () => {
    await using session = await connect('memory', SKILL);
    expect((await session.call('list_specs', {})).structuredContent).toEqual({ specs: [] });
  });

  test('are strict where --tools names toolsets', async () => {
    await using without = await connect('memory', SKILL, { flags: ['--tools', 'skill,skills'] });
    await expect(without.call('list_specs', {})).rejects.toMatchObject({ code: -32602 });
    await using always = await connect('memory', SKILL, { flags: ['--tools', 'skill,specs'] });
    expect(await specTools(always)).toBe(9);
    await using serve = await connect('memory', {}, { command: ['mcp', 'serve'] });
    expect(await specTools(serve)).toBe(9);
  });

  test.each(['memory', 'http, modern'] as const)('appear with the specs, and clients are told: %s', async (way) => {
    await using session = await connect(way, SKILL);
    expect(await specTools(session)).toBe(0);
    session.folder.write({ 'project/openspec/specs/login/spec.md': '# Login\n' });
    expect(await session.nextNotification('notifications/tools/list_changed')).toMatchObject({
      _meta: { 'lectern/reason': 'specs found' },
    });
    expect(await specTools(session)).toBe(9);
  });
});
