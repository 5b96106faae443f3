/** Everything that writes does so through the workspace's disk, so a disk in memory is enough to try it out. */
import { expect, test } from 'vitest';
import { archiveChange } from '../../src/operations/archive-change.ts';
import { newChange } from '../../src/operations/new-change.ts';
import { newSkill } from '../../src/operations/new-skill.ts';
import { rebuildIndex } from '../../src/operations/rebuild-index.ts';
import { setupClient } from '../../src/operations/setup-client.ts';
import { disableSkills, enableSkills } from '../../src/operations/toggle-skills.ts';
import type { Workspace } from '../../src/workspace/workspace.ts';
import { project, type Project, type ProjectFiles } from '../support/project.ts';
import { requirement } from '../support/spec-text.ts';
import { skillText } from '../support/skill-text.ts';
import { ask } from '../support/ask.ts';

const TODAY = '2026-11-20';

async function open(files: ProjectFiles): Promise<{ target: Project; workspace: Workspace }> {
  const target = project(files);
  return { target, workspace: await target.open({ search: { embeddings: 'none' } }) };
}

/** The files below the project. */
function namesIn(target: Project): string[] {
  return Object.keys(target.state()).sort();
}

test('a change is written, archived, and its spec is there', async () => {
  const { target, workspace } = await open({ 'project/openspec/specs/.keep': '' });
  await ask(newChange, { change_id: 'add-login', today: TODAY }, workspace);
  expect(namesIn(target)).toEqual([
    'openspec/changes/add-login/.openspec.yaml',
    'openspec/changes/add-login/proposal.md',
    'openspec/changes/add-login/specs/add-login/spec.md',
    'openspec/changes/add-login/tasks.md',
    'openspec/specs/.keep',
  ]);
  const request = { change_id: 'add-login', today: TODAY, dry_run: false, skip_specs: false };
  await expect(ask(archiveChange, { ...request, allow_open_tasks: false }, workspace)).rejects.toThrow('are open');
  const allowed = { ...request, allow_open_tasks: true };
  await expect(ask(archiveChange, allowed, workspace)).rejects.toThrow('template text');
  target.write({
    'project/openspec/changes/add-login/proposal.md': '## Why\nPeople forget passwords.\n\n## What Changes\n- Codes\n',
    'project/openspec/changes/add-login/specs/add-login/spec.md': `## ADDED Requirements\n${requirement('Login')}\n`,
  });
  await workspace.fresh();
  await ask(archiveChange, allowed, workspace);
  expect(namesIn(target)).toEqual([
    'openspec/changes/archive/2026-11-20-add-login/.openspec.yaml',
    'openspec/changes/archive/2026-11-20-add-login/proposal.md',
    'openspec/changes/archive/2026-11-20-add-login/specs/add-login/spec.md',
    'openspec/changes/archive/2026-11-20-add-login/tasks.md',
    'openspec/specs/.keep',
    'openspec/specs/add-login/spec.md',
  ]);
});

test('a skill is written, disabled and enabled', async () => {
  const { target, workspace } = await open({ 'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) });
  await ask(newSkill, { name: 'git', to: 'claude', user: false }, workspace);
  await ask(disableSkills, { names: ['pdf'], force: false }, workspace);
  expect(namesIn(target)).toEqual(['.claude/skills/git/SKILL.md', '.claude/skills/pdf/.SKILL.md']);
  await ask(enableSkills, { names: ['pdf'], force: false }, workspace);
  expect(namesIn(target)).toEqual(['.claude/skills/git/SKILL.md', '.claude/skills/pdf/SKILL.md']);
});

test('a client is set up, with the rest of its file as it was', async () => {
  const { target, workspace } = await open({ 'project/.mcp.json': '{"mcpServers":{"other":{"command":"x"}}}' });
  const request = { name: 'lectern', flags: [], platform: 'linux', dryRun: false, force: false } as const;
  await ask(setupClient, { ...request, client: 'claude', scope: 'project', write: true, flags: [] }, workspace);
  await ask(setupClient, { ...request, client: 'cursor', scope: 'project', write: true, flags: [] }, workspace);
  expect(namesIn(target)).toEqual(['.cursor/mcp.json', '.mcp.json']);
  const written = JSON.parse(target.read('project/.mcp.json'));
  expect(Object.keys(written.mcpServers)).toEqual(['other', 'lectern']);
});

test('search data is stored in the home folder, and nothing is written to the project', async () => {
  const { target, workspace } = await open({ 'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }) });
  const before = namesIn(target);
  expect(await ask(rebuildIndex, { full: false }, workspace)).toMatchObject({ documents: 1, added: 1 });
  expect(await ask(rebuildIndex, { full: false }, workspace)).toMatchObject({ documents: 1, added: 0 });
  expect((await workspace.indexMarker()).isSet).toBe(true);
  expect(namesIn(target)).toEqual(before);
});
