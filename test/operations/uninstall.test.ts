import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { completionPlaces } from '../../src/operations/completion-places.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { type TempFolder, tempFolder } from '../support/temp-folder.ts';

const FILES = {
  'home/.bashrc': '# mine\nalias ll="ls -l"\n',
  'home/.cursor/mcp.json': '{\n  "mcpServers": { "other": { "command": "x" } }\n}\n',
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/AGENTS.md': '# Rules\n\nBe brief.\n',
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
};

const SHELL = { env: { SHELL: '/bin/bash' } };

/** Runs the commands that write files. */
async function useEverything(folder: TempFolder): Promise<void> {
  for (const words of [['completion', 'install'], ['setup', 'cursor', '--write'], ['sync'], ['search', 'pdf']])
    expect([words, (await lectern(folder, words, SHELL)).code]).toEqual([words, 0]);
}

interface Row {
  kind: string;
  path: string;
  status: string;
  isPart?: true;
}

const rowsOf = ({ stdout }: { stdout: string }): Row[] => (JSON.parse(stdout) as { files: Row[] }).files;
const read = (folder: TempFolder, file: string): string => fs.readFileSync(folder.at(file), 'utf8');

test('doctor --files lists what Lectern wrote, and nothing else', async () => {
  using folder = tempFolder(FILES);
  const before = rowsOf(await lectern(folder, ['doctor', '--files', '--json']));
  expect(before.filter(({ kind }) => kind !== 'cache' && kind !== 'state')).toEqual([]);
  await useEverything(folder);
  const rows = rowsOf(await lectern(folder, ['doctor', '--files', '--json']));
  expect(rows.filter(({ kind }) => kind !== 'state')).toEqual([
    { kind: 'cache', path: folder.at('home/.cache/lectern') },
    { kind: 'completion', path: folder.at('home/.config/lectern/completion.bash') },
    { kind: 'completion', path: folder.at('home/.bashrc'), isPart: true },
    { kind: 'client', path: folder.at('home/.cursor/mcp.json'), isPart: true, name: 'lectern' },
    { kind: 'list', path: folder.at('project/AGENTS.md'), isPart: true },
  ]);
});

describe('uninstall', () => {
  test('asks first, lists with --dry-run, and then leaves every other byte as it was', async () => {
    using folder = tempFolder(FILES);
    await useEverything(folder);
    expect(await lectern(folder, ['uninstall'])).toMatchObject({ code: 2, stdout: '' });
    const preview = await lectern(folder, ['uninstall', '--dry-run', '--json']);
    expect(new Set(rowsOf(preview).map(({ status }) => status))).toEqual(new Set(['would-remove']));
    expect(read(folder, 'home/.bashrc')).not.toBe(FILES['home/.bashrc']);
    expect((await lectern(folder, ['uninstall', '--yes'])).code).toBe(0);
    for (const [file, text] of Object.entries(FILES))
      expect([file, JSON.parse(JSON.stringify(read(folder, file)))]).toEqual([file, text]);
    for (const dir of ['home/.cache/lectern', 'home/.config/lectern/completion.bash'])
      expect([dir, fs.existsSync(folder.at(dir))]).toEqual([dir, false]);
  });

  test('keeps installed skills and their lock, unless --skills is given', async () => {
    using folder = tempFolder({ ...FILES, 'source/xlsx/SKILL.md': skillText({ name: 'xlsx' }) });
    const install = ['install', folder.at('source'), 'xlsx', '--to', 'claude', '--yes'];
    expect((await lectern(folder, install)).code).toBe(0);
    const kept = rowsOf(await lectern(folder, ['uninstall', '--yes', '--json']));
    expect(kept.filter(({ status }) => status === 'kept').map(({ kind }) => kind)).toEqual(['skill', 'lock']);
    expect(fs.existsSync(folder.at('project/.claude/skills/xlsx/SKILL.md'))).toBe(true);
    const gone = rowsOf(await lectern(folder, ['uninstall', '--skills', '--yes', '--json']));
    expect(gone.filter(({ status }) => status === 'removed').map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['skill', 'lock']),
    );
    expect(fs.existsSync(folder.at('project/.claude/skills/xlsx'))).toBe(false);
    expect(fs.existsSync(folder.at('project/lectern.lock.json'))).toBe(false);
    expect(fs.existsSync(folder.at('project/.claude/skills/pdf/SKILL.md'))).toBe(true);
  });

  test('keeps a modified skill and its lock with the reason, and removes the rest', async () => {
    using folder = tempFolder({ ...FILES, 'source/xlsx/SKILL.md': skillText({ name: 'xlsx' }) });
    await lectern(folder, ['install', folder.at('source'), 'xlsx', '--to', 'claude', '--yes']);
    await lectern(folder, ['completion', 'install'], SHELL);
    fs.appendFileSync(folder.at('project/.claude/skills/xlsx/SKILL.md'), 'Mine.\n');
    const done = await lectern(folder, ['uninstall', '--skills', '--yes', '--json']);
    expect(done.code).toBe(1);
    const failed = rowsOf(done).filter(({ status }) => status === 'failed');
    expect(failed.map(({ kind }) => kind)).toEqual(['skill', 'lock']);
    expect(read(folder, 'home/.bashrc')).toBe(FILES['home/.bashrc']);
  });
});

describe('completion install', () => {
  test('a second run changes nothing, and a block with broken markers is refused before anything is written', async () => {
    using folder = tempFolder({ 'home/.bashrc': 'x\n' });
    await lectern(folder, ['completion', 'install'], SHELL);
    const once = read(folder, 'home/.bashrc');
    await lectern(folder, ['completion', 'install'], SHELL);
    expect(read(folder, 'home/.bashrc')).toBe(once);
    using broken = tempFolder({ 'home/.bashrc': '# lectern completion: start\n' });
    expect((await lectern(broken, ['completion', 'install'], SHELL)).code).toBe(2);
    expect(fs.existsSync(broken.at('home/.config'))).toBe(false);
  });

  test('without a known shell, it lists those it knows', async () => {
    using folder = tempFolder({ 'home/x': '' });
    const { code, stderr } = await lectern(folder, ['completion', 'install'], { env: { SHELL: '/bin/tcsh' } });
    expect([code, stderr]).toEqual([2, expect.stringContaining('bash, zsh, fish, powershell')]);
  });

  test('paths with quotes are one word in the block', () => {
    const [bash] = completionPlaces({ projectDir: '/p', userDir: "/home/o'neil x" }, 'linux');
    expect(bash?.lines?.[0]).toContain(`'/home/o'\\''neil x/.config/lectern/completion.bash'`);
  });
});
