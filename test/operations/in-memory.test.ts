/** Everything that writes does so through the workspace's disk, so a disk in memory is enough to try it out. */
import { expect, test } from 'vitest';
import { memoryDisk, type MemoryDisk, type MemoryFile } from '../../src/core/disk/memory-disk.ts';
import { archiveChange } from '../../src/operations/archive-change.ts';
import { newChange } from '../../src/operations/new-change.ts';
import { newSkill } from '../../src/operations/new-skill.ts';
import { rebuildIndex } from '../../src/operations/rebuild-index.ts';
import { setupClient } from '../../src/operations/setup-client.ts';
import { disableSkills, enableSkills } from '../../src/operations/toggle-skills.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { HOME, PROJECT } from '../open-memory.ts';
import { skillText } from '../skill-text.ts';
import { ask } from '../support/ask.ts';

const TODAY = '2026-11-20';

async function open(files: Record<string, MemoryFile>): Promise<{ disk: MemoryDisk; workspace: Workspace }> {
  const disk = memoryDisk(files);
  const options = { projectDir: PROJECT, userDir: HOME, search: { embeddings: 'none' } } as const;
  return { disk, workspace: await Workspace.open(options, disk) };
}

/** The files below the project. */
function namesOn(disk: MemoryDisk): string[] {
  return [...disk.files().keys()].map((file) => file.slice(PROJECT.length + 1)).sort();
}

test('a change is written, archived, and its spec is there', async () => {
  const { disk, workspace } = await open({ [`${PROJECT}/openspec/specs/.keep`]: '' });
  await ask(newChange, { change_id: 'add-login', today: TODAY }, workspace);
  expect(namesOn(disk)).toEqual([
    'openspec/changes/add-login/.openspec.yaml',
    'openspec/changes/add-login/proposal.md',
    'openspec/changes/add-login/specs/add-login/spec.md',
    'openspec/changes/add-login/tasks.md',
    'openspec/specs/.keep',
  ]);
  const request = { change_id: 'add-login', today: TODAY, dry_run: false, skip_specs: false };
  await expect(ask(archiveChange, { ...request, allow_open_tasks: false }, workspace)).rejects.toThrow('are open');
  await ask(archiveChange, { ...request, allow_open_tasks: true }, workspace);
  expect(namesOn(disk)).toEqual([
    'openspec/changes/archive/2026-11-20-add-login/.openspec.yaml',
    'openspec/changes/archive/2026-11-20-add-login/proposal.md',
    'openspec/changes/archive/2026-11-20-add-login/specs/add-login/spec.md',
    'openspec/changes/archive/2026-11-20-add-login/tasks.md',
    'openspec/specs/.keep',
    'openspec/specs/add-login/spec.md',
  ]);
});

test('a skill is written, disabled and enabled', async () => {
  const { disk, workspace } = await open({ [`${PROJECT}/.claude/skills/pdf/SKILL.md`]: skillText({ name: 'pdf' }) });
  await ask(newSkill, { name: 'git', to: 'claude', user: false }, workspace);
  await ask(disableSkills, { names: ['pdf'], force: false }, workspace);
  expect(namesOn(disk)).toEqual(['.claude/skills/git/SKILL.md', '.claude/skills/pdf/.SKILL.md']);
  await ask(enableSkills, { names: ['pdf'], force: false }, workspace);
  expect(namesOn(disk)).toEqual(['.claude/skills/git/SKILL.md', '.claude/skills/pdf/SKILL.md']);
});

test('a client is set up, with the rest of its file as it was', async () => {
  const { disk, workspace } = await open({ [`${PROJECT}/.mcp.json`]: '{"mcpServers":{"other":{"command":"x"}}}' });
  const request = { name: 'lectern', flags: [], platform: 'linux', dryRun: false, force: false } as const;
  await ask(setupClient, { ...request, client: 'claude', scope: 'project', write: true, flags: [] }, workspace);
  await ask(setupClient, { ...request, client: 'cursor', scope: 'project', write: true, flags: [] }, workspace);
  expect(namesOn(disk)).toEqual(['.cursor/mcp.json', '.mcp.json']);
  const written = JSON.parse(Buffer.from(disk.files().get(`${PROJECT}/.mcp.json`) ?? '').toString());
  expect(Object.keys(written.mcpServers)).toEqual(['other', 'lectern']);
});

test('an index is built and found again', async () => {
  const { disk, workspace } = await open({ [`${PROJECT}/.claude/skills/pdf/SKILL.md`]: skillText({ name: 'pdf' }) });
  expect(await ask(rebuildIndex, { full: false }, workspace)).toMatchObject({ written: true });
  expect(workspace.hasIndex()).toBe(true);
  expect(namesOn(disk)).toContain('.lectern/index/current.json');
});
