/**
 * The fixed set-up of the fault tests and what must hold in every one of them: the canary shows nowhere, the control skill
 * `good` is still listed, JSON is one document, nothing raw reaches the terminal, no trace of our insides, a sane exit code.
 */
import fs from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { lectern, type Run, type RunOptions } from './run-lectern.ts';
import { skillText } from './skill-text.ts';
import { tempFolder, type TempFile, type TempFolder } from './temp-folder.ts';

const CANARY = 'CANARY-7f3a91';
/** The project's roots of the fault tests, below the temp folder. */
export const SKILLS = 'project/.claude/skills';

export interface Scene extends TempFolder {
  run(args: readonly string[], options?: RunOptions & { expectCode?: number }): Promise<Run>;
  list(options?: RunOptions & { args?: readonly string[] }): Promise<Listed>;
}

export interface Listed {
  names: string[];
  /** `[code, path below the folder]` of every problem. */
  problems: [string, string][];
  stderr: string;
  data: { skills: { name: string; fullName: string; description: string; file: string; shadowedBy?: string }[] };
}

export function scene(files: Record<string, TempFile> = {}): Scene {
  const folder = tempFolder({
    'outside/canary.txt': `${CANARY}\n`,
    'outside/SKILL.md': skillText({ name: 'canary', description: CANARY }),
    [`${SKILLS}/good/SKILL.md`]: skillText({ name: 'good', description: 'The control skill' }),
    ...files,
  });
  const run: Scene['run'] = async (args, { expectCode, ...options } = {}) => {
    const writes = ['enable', 'disable', 'new'].includes(args[0] ?? '') || ['new', 'archive'].includes(args[1] ?? '');
    // A project that is given a command to write may change, the world around it may not.
    const watched =
      writes && !args.some((arg) => arg.startsWith('../')) ? ['outside'] : writes ? [] : ['outside', 'project'];
    const before = hashOf(folder, watched);
    const result = await lectern(folder, args, options);
    expectOracles(result, args);
    if (expectCode !== undefined) expect(result.code).toBe(expectCode);
    expect(hashOf(folder, watched)).toBe(before);
    return result;
  };
  return {
    ...folder,
    run,
    async list({ args = [], ...options } = {}) {
      const result = await run(['list', '--json', ...args], { ...options, expectCode: 0 });
      const data = JSON.parse(result.stdout) as Listed['data'] & { diagnostics: { code: string; path: string }[] };
      expect(data.skills.map(({ name }) => name)).toContain('good');
      // The text says what the JSON says, with the same care.
      await run(['list', ...args], { ...options, expectCode: 0 });
      return {
        names: data.skills.map(({ name }) => name).filter((name) => name !== 'good'),
        problems: data.diagnostics.map(({ code, path: place }): [string, string] => [
          code,
          path.relative(folder.dir, place),
        ]),
        stderr: result.stderr,
        data,
      };
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function expectOracles({ stdout, stderr, bytes, code, signal }: Run, args: readonly string[]): void {
  const said = stdout + stderr;
  expect(signal).toBeNull();
  expect([0, 1, 2]).toContain(code);
  expect(said).not.toContain(CANARY);
  expect(said).not.toMatch(/\n\s+at .+:\d+:\d+\)?\n|\[object Object\]|node:internal/u);
  expect(said).not.toMatch(/\bundefined\b/u);
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/u);
  new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (args.includes('--raw')) return;
  expect(stdout).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u);
  if (args.includes('--json')) {
    expect(stdout.trimEnd()).not.toContain('\n');
    JSON.parse(stdout);
  }
}

/** The names, kinds, sizes and modes of everything in some folders: enough to see that nothing was written. */
function hashOf(folder: TempFolder, dirs: readonly string[]): string {
  const rows: string[] = [];
  const visit = (dir: string): void => {
    let entries: string[];
    try {
      entries = fs.readdirSync(dir).sort();
    } catch {
      return;
    }
    for (const name of entries) {
      const place = path.join(dir, name);
      // A name that is no text cannot be asked about again.
      const stats = fs.lstatSync(place, { throwIfNoEntry: false });
      if (!stats) continue;
      rows.push(`${place} ${stats.mode} ${stats.isDirectory() ? '' : `${stats.size} ${stats.mtimeMs}`}`);
      if (stats.isDirectory()) visit(place);
    }
  };
  for (const dir of dirs) visit(folder.at(dir));
  return rows.join('\n');
}

/** How much more memory than a search over one small skill a run may take: less than the largest file of the tests has. */
const MEMORY_GROWTH_KB = 150 * 1024;

/** The limit for a run, from a baseline of this machine and this version of Node.js. */
export async function memoryLimitKilobytes(): Promise<number> {
  using place = scene();
  return (await peakKilobytes(place, ['search', 'control', '--json'])) + MEMORY_GROWTH_KB;
}

/** Runs below GNU time's stand-in: a hook that writes the high-water mark when the process ends. */
export async function peakKilobytes(place: Scene, args: readonly string[]): Promise<number> {
  place.write({
    'peak.cjs': `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(place.at('peak'))}, require('node:fs').readFileSync('/proc/self/status', 'utf8').match(/VmHWM:\\s+(\\d+)/)?.[1] ?? '0'));`,
  });
  await place.run(args, { node: ['--require', place.at('peak.cjs')] });
  return Number(fs.readFileSync(place.at('peak'), 'utf8'));
}
