/** What a client is told when something goes wrong on our side, and what it is not told. */
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { ServedWorkspace } from '../../src/mcp/served-workspace.ts';
import { offeredTools } from '../../src/mcp/tools.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { skillText } from '../support/skill-text.ts';
import { connect, textOf } from '../support/connect.ts';
import { project } from '../support/project.ts';

describe('when something goes wrong', () => {
  test('an error of ours reaches the client as one neutral sentence, and standard error as a whole', async () => {
    using folder = project({ 'project/skills/good/SKILL.md': skillText({ name: 'good' }) }, 'disk');
    const broken = {
      ...nodeDisk,
      read: () => {
        throw new TypeError(`secret of ${folder.dir}`);
      },
    };
    const workspace = await Workspace.open({ projectDir: folder.at('project') }, broken);
    const bugs: unknown[] = [];
    const log = { info: () => undefined, warn: () => undefined, bug: (error: unknown) => void bugs.push(error) };
    const settings = {
      serverName: 'x',
      tools: new Set(['skill'] as const),
      toolNames: 'underscore' as const,
      descriptionBudget: 0,
      refreshIntervalMs: undefined,
      watch: false,
    };
    const served = new ServedWorkspace(workspace, settings, log);
    const [skill] = offeredTools(served);
    const result = await skill?.call({ name: 'good' }, served);
    expect(result).toMatchObject({ isError: true, _meta: { 'lectern/error': { code: 'INTERNAL' } } });
    expect(JSON.stringify(result)).not.toMatch(/secret|TypeError/u);
    expect(bugs).toEqual([expect.any(TypeError)]);
  });

  test('a file that vanishes between the list and the call is not found, and the client is told so', async () => {
    await using session = await connect('memory', {
      'project/skills/gone/SKILL.md': skillText({ name: 'gone' }),
      'project/skills/good/SKILL.md': skillText({ name: 'good' }),
    });
    await session.description();
    session.folder[Symbol.dispose]();
    expect(textOf(await session.skill('gone'))).toContain("Skill 'gone' not found.");
  });
});
