/** The fixes that `why` prints, run in a shell as printed: afterwards the agent lists the skill. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { PROFILES } from '../../src/agents/profiles/index.ts';
import { CLI, lectern, type Run } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { type TempFile, tempFolder, type TempFolder } from '../support/temp-folder.ts';

// oxlint-disable-next-line typescript/no-explicit-any -- Answers are compared as whole documents.
const json = ({ stdout }: Run): any => JSON.parse(stdout);
const LISTED = ['seen', 'shortened', 'name-only', 'other-text'];
const OBSERVED = PROFILES.filter(({ facts }) => facts.places.source === 'observed').map(({ id }) => id);

/** Runs a line of shell with `lectern` on the PATH. */
async function shell(folder: TempFolder, line: string): Promise<void> {
  folder.write({ 'bin/lectern': `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n` });
  fs.chmodSync(folder.at('bin/lectern'), 0o755);
  const PATH = `${folder.at('bin')}:${process.env['PATH']}`;
  const env = { PATH, HOME: folder.at('home'), TMPDIR: folder.at('tmp') };
  await promisify(execFile)('/bin/sh', ['-c', line], { cwd: folder.at('project'), env });
}

async function fixOf(folder: TempFolder, skill: string, agent: string): Promise<string> {
  const [answer] = json(await lectern(folder, ['why', skill, '--agent', agent, '--json'])).agents;
  expect(LISTED).not.toContain(answer.status);
  expect(answer.fix).toMatch(/^[a-z]/u);
  return answer.fix;
}

/** Every file with its text and every link with its target, except for the records of Lectern. */
function treeOf(folder: TempFolder): Record<string, string> {
  const all = ['project', 'home'].flatMap((dir) =>
    fs.readdirSync(folder.at(dir), { recursive: true }).map((name) => path.join(dir, String(name))),
  );
  return Object.fromEntries(
    all
      .filter((name) => !name.startsWith('home/.local'))
      .sort()
      .map((name) => {
        const stats = fs.lstatSync(folder.at(name));
        if (stats.isSymbolicLink()) return [name, `-> ${fs.readlinkSync(folder.at(name))}`];
        return [name, stats.isDirectory() ? 'folder' : fs.readFileSync(folder.at(name), 'utf8')];
      }),
  );
}

/** A folder of another agent, which this agent does not read. */
const UNREAD: Record<string, string> = {
  claude: '.agents/skills',
  codex: '.claude/skills',
  gemini: '.claude/skills',
  opencode: '.codex/skills',
  copilot: '.codex/skills',
  qwen: '.claude/skills',
  pi: '.claude/skills',
  kilo: '.codex/skills',
  kimi: '.claude/skills',
  cline: '.claude/skills',
  continue: '.agents/skills',
};

describe('a skill in a folder that the agent does not read', () => {
  test.each(OBSERVED.flatMap((agent) => [`${agent} project`, `${agent} home`]))(
    '%s: the printed command makes the agent list it, and --undo restores the previous tree',
    async (name) => {
      const [agent = '', scope = ''] = name.split(' ');
      using folder = tempFolder({
        'project/.git/HEAD': 'ref: refs/heads/main\n',
        [`${scope}/${UNREAD[agent]}/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
        [`${scope}/${UNREAD[agent]}/pdf/scripts/run.sh`]: 'echo hi\n',
      });
      const fix = await fixOf(folder, 'pdf', agent);
      expect(fix).toBe(`lectern share pdf --to ${agent} --yes`);
      const before = treeOf(folder);
      await shell(folder, fix);
      const [answer] = json(await lectern(folder, ['why', 'pdf', '--agent', agent, '--json'])).agents;
      expect(LISTED).toContain(answer.status);
      await shell(folder, 'lectern share pdf --undo --yes');
      expect(treeOf(folder)).toEqual(before);
    },
  );
});

const PLUGIN = 'home/.claude/plugins/cache/shop/tools/1.0.0';
const CASES: Record<string, { agent: string; skill: string; files: Record<string, TempFile> }> = {
  'two levels deep': {
    agent: 'claude',
    skill: 'pdf',
    files: { 'project/.claude/skills/group/pdf/SKILL.md': skillText({ name: 'pdf' }) },
  },
  'in a hidden folder': {
    agent: 'codex',
    skill: 'pdf',
    files: { 'project/.agents/skills/.mine/pdf/SKILL.md': skillText({ name: 'pdf' }) },
  },
  'in a folder with a hidden name': {
    agent: 'codex',
    skill: 'pdf',
    files: { 'project/.agents/skills/.pdf/SKILL.md': skillText({ name: 'pdf' }) },
  },
  'with a SKILL.md that is a link, in the folder of another agent': {
    agent: 'codex',
    skill: 'pdf',
    files: {
      'project/texts/pdf.md': skillText({ name: 'pdf' }),
      'project/.claude/skills/pdf/SKILL.md': { link: '../../../texts/pdf.md' },
    },
  },
  'of which there are two versions': {
    agent: 'opencode',
    skill: './.agents/skills/pdf',
    files: {
      'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'One' }),
      'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Two' }),
    },
  },
  'directly in the folder of skills': {
    agent: 'claude',
    skill: 'pdf',
    files: { 'project/.claude/skills/SKILL.md': skillText({ name: 'pdf' }) },
  },
  'with a file in lower case': {
    agent: 'claude',
    skill: 'pdf',
    files: { 'project/.claude/skills/pdf/skill.md': skillText({ name: 'pdf' }) },
  },
  'with a file in lower case in the folder of another agent': {
    agent: 'codex',
    skill: 'pdf',
    files: { 'project/.claude/skills/pdf/skill.md': skillText({ name: 'pdf' }) },
  },
  'with a SKILL.md that is a link': {
    agent: 'codex',
    skill: 'pdf',
    files: {
      'project/texts/pdf.md': skillText({ name: 'pdf' }),
      'project/.agents/skills/pdf/SKILL.md': { link: '../../../texts/pdf.md' },
    },
  },
  'disabled, in the folder of another agent': {
    agent: 'codex',
    skill: 'pdf',
    files: { 'project/.claude/skills/pdf/.SKILL.md': skillText({ name: 'pdf' }) },
  },
  'with a different skill of that name in its way': {
    agent: 'claude',
    skill: './.agents/skills/pdf',
    files: {
      'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'One' }),
      'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Two' }),
    },
  },
  'with a disabled skill in its way': {
    agent: 'claude',
    skill: './.agents/skills/pdf',
    files: {
      'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'One' }),
      'project/.claude/skills/pdf/.SKILL.md': skillText({ name: 'pdf', description: 'Two' }),
    },
  },
  'with two different skills of that name in its way': {
    agent: 'claude',
    skill: './.agents/skills/pdf',
    files: {
      'project/.agents/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'One' }),
      'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Two' }),
      'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Three' }),
    },
  },
  'in a folder with a space in its name': {
    agent: 'codex',
    skill: './.claude/skills/my pdf',
    files: { 'project/.claude/skills/my pdf/SKILL.md': skillText({ name: 'pdf' }) },
  },
  'of a plugin': {
    agent: 'codex',
    skill: 'pdf',
    files: {
      [`${PLUGIN}/skills/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
      [`${PLUGIN}/.claude-plugin/plugin.json`]: '{"name":"tools"}',
    },
  },
};

test.each(Object.entries(CASES))('a skill %s: the printed command makes the agent list it', async (name, given) => {
  using folder = tempFolder({ 'project/.git/HEAD': 'ref: refs/heads/main\n', ...given.files });
  if (name === 'of a plugin') {
    const installPath = folder.at(PLUGIN);
    folder.write({
      'home/.claude/plugins/installed_plugins.json': JSON.stringify({
        version: 2,
        plugins: { 'tools@shop': [{ scope: 'user', installPath, version: '1.0.0' }] },
      }),
      'home/.claude/plugins/known_marketplaces.json': JSON.stringify({
        shop: { source: { source: 'github', repo: 'acme/shop' }, installLocation: folder.at('home/shop') },
      }),
      'home/.claude/settings.json': '{"enabledPlugins":{"tools@shop":true}}',
    });
  }
  await shell(folder, await fixOf(folder, given.skill, given.agent));
  const { entries } = json(await lectern(folder, ['agents', given.agent, '--json']));
  const named = entries.filter(({ name: each }: { name: string }) => /pdf/u.test(each));
  expect(named).toHaveLength(1);
  expect(LISTED).toContain(named[0].status);
});
