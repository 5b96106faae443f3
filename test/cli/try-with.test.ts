import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/operations/define.ts';
import { tryCommand } from '../../src/operations/try.ts';
import { failureOf } from '../support/failure-of.ts';
import { project } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { installStandIn, standInRecord } from '../support/stand-in-agent.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

const pdf = skillText({ name: 'pdf', description: 'Merge, split and fill PDF files. Use it when a user has a PDF.' });
const notes = skillText({ name: 'notes', description: 'Write the release notes of a version.' });

const FILES = {
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/CLAUDE.md': 'Be brief.\n',
  'project/AGENTS.md': 'Be brief.\n',
  'project/.mcp.json': '{"mcpServers":{"x":{"command":"x"}}}',
  'project/.claude/settings.json': '{"hooks":{}}',
  'project/.claude/skills/pdf/SKILL.md': pdf,
  'project/.claude/skills/pdf/scripts/merge.sh': 'exit 1\n',
  'project/.claude/skills/manual/SKILL.md': skillText({ name: 'manual', more: ['disable-model-invocation: true'] }),
  'project/.agents/skills/pdf/SKILL.md': pdf,
  'home/.claude/CLAUDE.md': 'I am me.\n',
  'home/.claude/settings.json': '{"hooks":{},"enabledPlugins":{}}',
  'home/.claude/skills/notes/SKILL.md': notes,
  'home/.agents/skills/notes/SKILL.md': notes,
  'home/.codex/skills/pdf-old/SKILL.md': skillText({ name: 'pdf-old' }),
  'home/.codex/config.toml': `[[skills.config]]\npath = "HOME/.codex/skills/pdf-old/SKILL.md"\nenabled = false\n`,
};

async function run(folder: TempFolder, agent: 'claude' | 'codex', behavior: string, ...more: string[]) {
  const env = installStandIn(folder, agent, agent === 'claude' ? '2.1.327' : '0.169.0');
  return runWith(folder, env, ['try', `merge two PDF files ${behavior}`, '--with', agent, ...more]);
}

async function runWith(folder: TempFolder, env: Record<string, string>, args: readonly string[]) {
  const result = await lectern(folder, args, { env: { ...env, CLAUDECODE: '1' } });
  expect(fs.readdirSync(folder.at('tmp')).filter((name) => name.startsWith('lectern-try'))).toEqual([]);
  return { ...result, record: standInRecord(folder) };
}

/** Whether a process still runs. A zombie does not. */
function isAlive(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0);
    return !/^State:\s+Z/mu.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

// The stand-in is a script with a hashbang line.
describe.skipIf(process.platform === 'win32')('lectern try --with', () => {
  test('without a terminal, nothing is started without --yes, and the message names the cost', async () => {
    using folder = tempFolder(FILES);
    const { code, stderr, record } = await run(folder, 'claude', 'loads');
    expect([code, record]).toEqual([2, undefined]);
    expect(stderr).toContain('may cost money');
    expect(stderr).toContain('--yes');
  });

  test('at a terminal, the prediction is shown before the question, and no is the default', async () => {
    using folder = project(FILES, 'disk');
    const environment = installStandIn(folder, 'claude', '2.1.327');
    const asked: unknown[] = [];
    const answer = (isYes: boolean): Person => ({
      confirm: (plan, question, dangerous) => {
        asked.push([plan, question, dangerous]);
        return Promise.resolve(isYes);
      },
      pickSome: () => Promise.resolve([]),
      pickOne: () => Promise.resolve(''),
    });
    const input = { request: 'merge two PDF files loads', with: 'claude' as const, yes: false };
    const run = async (isYes: boolean) =>
      tryCommand.run({ ...input, save: false, check: false, minMargin: 0 }, await folder.open(), {
        environment,
        person: answer(isYes),
      });
    expect(await failureOf(run(false))).toMatchObject({ code: 'REFUSED' });
    expect(asked).toEqual([
      [
        expect.objectContaining({ agents: [expect.objectContaining({ id: 'claude', verdict: 'clear' })] }),
        expect.stringContaining('may cost money'),
        true,
      ],
    ]);
    expect(standInRecord(folder)).toBeUndefined();
    expect((await run(true)).with).toMatchObject({ loaded: ['pdf'] });
  });

  test('the skill that the agent loads is compared with the predicted one, and the agent is ended', async () => {
    using folder = tempFolder(FILES);
    const { code, stdout, record } = await run(folder, 'claude', 'loads', '--yes', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      agents: [{ id: 'claude', results: [{ name: 'pdf' }, {}, {}] }],
      with: { agent: 'claude', version: '2.1.327', loaded: ['pdf'], ended: 'loaded', predicted: 'pdf', agrees: true },
    });
    expect(isAlive(record?.pid)).toBe(false);
    const text = await run(folder, 'claude', 'loads', '--yes');
    expect(text.stdout).toContain('Claude Code 2.1.327 loaded pdf; as predicted.');
  });

  test('Claude Code gets only skills and memory files, in a private folder, and none of its own settings', async () => {
    using folder = tempFolder(FILES);
    const { record } = await run(folder, 'claude', 'loads', '--yes');
    expect(record?.files).toEqual([
      '.claude/CLAUDE.md',
      '.claude/skills/notes/SKILL.md',
      'project/.claude/skills/pdf/SKILL.md',
      'project/.keep',
      'project/CLAUDE.md',
    ]);
    expect(record?.mode).toBe(0o700);
    expect(record?.env).toEqual({ HOME: folder.at('home') });
    for (const flag of ['--permission-mode=plan', '--setting-sources=project', '--strict-mcp-config'])
      expect(record?.args).toContain(flag);
    expect(record?.args.slice(-2)).toEqual(['--', 'merge two PDF files loads']);
  });

  test('Codex reads the home folder in place, without the skills that its settings disable', async () => {
    using folder = tempFolder(FILES);
    const config = folder.at('home/.codex/config.toml');
    fs.writeFileSync(config, fs.readFileSync(config, 'utf8').replace('HOME', folder.at('home')));
    const { stdout, record } = await run(folder, 'codex', 'loads', '--yes', '--json');
    expect(record?.files).toEqual(['project/.agents/skills/pdf/SKILL.md', 'project/.keep', 'project/AGENTS.md']);
    expect(record?.args).toContain(
      `skills.config=[{path="${folder.at('home/.codex/skills/pdf-old/SKILL.md')}",enabled=false}]`,
    );
    for (const flag of ['--sandbox=read-only', '--ignore-user-config', '--ignore-rules', 'features.hooks=false'])
      expect(record?.args).toContain(flag);
    expect(JSON.parse(stdout)).toMatchObject({ with: { agent: 'codex', loaded: ['pdf'], agrees: true } });
  });

  test('exit code 1 if another skill than the expected one was loaded', async () => {
    using folder = tempFolder(FILES);
    expect((await run(folder, 'claude', 'loads', '--yes', '--expect', 'pdf')).code).toBe(0);
    expect((await run(folder, 'claude', 'loads', '--yes', '--expect', 'notes')).code).toBe(1);
    expect((await run(folder, 'claude', 'loads', '--yes', '--expect', 'none')).code).toBe(1);
    expect((await run(folder, 'claude', 'finishes', '--yes', '--expect', 'none')).code).toBe(0);
  });

  test('an agent that ends without a skill is no error', async () => {
    using folder = tempFolder(FILES);
    const { code, stdout } = await run(folder, 'claude', 'finishes', '--yes', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ with: { loaded: [], ended: 'finished', agrees: false } });
  });

  test('a process that the agent leaves behind is ended too', async () => {
    using folder = tempFolder(FILES);
    const { code, record } = await run(folder, 'claude', 'spawns', '--yes');
    expect(code).toBe(0);
    expect(record?.child).toEqual(expect.any(Number));
    await expect.poll(() => isAlive(record?.child)).toBe(false);
  });

  test.each([
    ['fails', 'no [31mlogin'],
    ['refuses', 'Not logged in'],
    ['floods', 'more than 64 MiB'],
  ])('an agent that %s is reported with its reason', async (behavior, reason) => {
    using folder = tempFolder(FILES);
    const { code, stdout, stderr } = await run(folder, 'claude', behavior, '--yes');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain('\u001b');
  });

  test('output of another shape is ignored, and names are shown without control characters', async () => {
    using folder = tempFolder(FILES);
    const { code, stdout } = await run(folder, 'claude', 'babbles', '--yes');
    expect(code).toBe(0);
    expect(stdout).not.toContain('\u001b');
  });

  test('an old version is refused before anything is started', async () => {
    using folder = tempFolder(FILES);
    for (const [agent, version] of [
      ['claude', '2.1.99'],
      ['codex', '0.129.0'],
    ] as const) {
      const env = installStandIn(folder, agent, version);
      const { code, stderr, record } = await runWith(folder, env, ['try', 'merge PDFs', '--with', agent, '--yes']);
      expect([code, record]).toEqual([2, undefined]);
      expect(stderr).toContain(version);
      fs.rmSync(folder.at('bin'), { recursive: true });
    }
  });

  test('an agent that npm did not install is asked for its version', async () => {
    using folder = tempFolder(FILES);
    const env = installStandIn(folder, 'claude', undefined);
    const args = ['try', 'merge two PDF files loads', '--with', 'claude', '--yes', '--json'];
    const known = await runWith(folder, { ...env, STAND_IN_VERSION: '2.1.200' }, args);
    expect(JSON.parse(known.stdout)).toMatchObject({ with: { version: '2.1.200', loaded: ['pdf'] } });
    expect((await runWith(folder, { ...env, STAND_IN_VERSION: '2.0.1' }, args)).code).toBe(2);
    expect((await runWith(folder, env, args)).code).toBe(2);
  });

  test('an agent that is not installed is refused, and so are other modes', async () => {
    using folder = tempFolder(FILES);
    const ask = async (...args: string[]) => (await lectern(folder, ['try', ...args], { env: { PATH: '' } })).code;
    expect(await ask('merge PDFs', '--with', 'claude', '--yes')).toBe(2);
    expect(await ask('merge PDFs', '--with', 'gemini', '--yes')).toBe(2);
    expect(await ask('--check', '--with', 'claude', '--yes')).toBe(2);
    expect(await ask('merge PDFs', '--with', 'claude', '--agent', 'codex', '--yes')).toBe(2);
  });
});
