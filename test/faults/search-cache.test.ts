/** What can be wrong with the cache of the search and with its model. Searching goes on. */
import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { connect } from '../support/connect.ts';
import { CLI, hasOrdinaryUser, lectern, type RunOptions } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFolder } from '../support/temp-folder.ts';

const FILES = {
  'project/.agents/skills/bisect/SKILL.md': skillText({
    name: 'bisect',
    description: 'Find the commit that broke it.',
  }),
  'project/.agents/skills/forms/SKILL.md': skillText({ name: 'forms', description: 'Fill in a PDF form.' }),
};
const CACHE = 'home/.cache/lectern/search';

async function find(folder: TempFolder, options?: RunOptions): Promise<unknown> {
  const { stdout, code, stderr } = await lectern(folder, ['search', 'which revision failed', '--json'], options);
  expect([code, stderr]).toEqual([0, '']);
  return JSON.parse(stdout);
}

async function status(folder: TempFolder): Promise<unknown> {
  return JSON.parse((await lectern(folder, ['index', '--status', '--json'])).stdout);
}

/** The folder of the packs, once something was searched. */
function packsOf(folder: TempFolder): string {
  const name = fs.readdirSync(folder.at(CACHE)).find((each) => each !== 'projects') ?? '';
  return folder.at(CACHE, name);
}

const FOUND = { mode: 'auto', model: 'lectern-words-2', results: [{ name: 'bisect' }] };

describe('the cache', () => {
  test.each<[string, (place: string) => void]>([
    ['empty', (place) => fs.truncateSync(place)],
    ['cut short', (place) => fs.truncateSync(place, 100)],
    ['huge', (place) => fs.truncateSync(place, 8 * 1024 ** 3)],
    ['noise', (place) => fs.writeFileSync(place, Buffer.alloc(5_000, 7))],
    ['of another version', (place) => fs.writeFileSync(place, changed(fs.readFileSync(place), 4))],
    ['changed in one byte', (place) => fs.writeFileSync(place, changed(fs.readFileSync(place), 900))],
    ['a folder', (place) => (fs.rmSync(place), fs.mkdirSync(place))],
    ['a link to a device', (place) => (fs.rmSync(place), fs.symlinkSync('/dev/zero', place))],
    ['a pipe', (place) => (fs.rmSync(place), void spawnSync('mkfifo', [place]))],
  ])('whose file is %s is rebuilt and gives the same answer', async (_, damage) => {
    using folder = tempFolder(FILES);
    const before = await find(folder);
    expect(before).toMatchObject(FOUND);
    for (const name of fs.readdirSync(packsOf(folder))) damage(path.join(packsOf(folder), name));
    expect(await find(folder)).toEqual(before);
    expect(await status(folder)).toMatchObject({ state: 'ready', ready: 2 });
  });

  test.each([
    ['missing', 'nowhere/below'],
    ['a file', 'project/.agents/skills/forms/SKILL.md'],
  ])('whose folder is %s does not matter', async (_, place) => {
    using folder = tempFolder(FILES);
    expect(await find(folder, { env: { XDG_CACHE_HOME: folder.at(place) } })).toMatchObject(FOUND);
    expect(fs.statSync(folder.at('project/.agents/skills/forms/SKILL.md')).isFile()).toBe(true);
  });

  test.skipIf(!hasOrdinaryUser)('that may not be written or read does not matter, and `index` says why', async () => {
    using folder = tempFolder({ ...FILES, 'home/.cache/.keep': '' });
    const options = { unprivileged: true };
    try {
      for (const mode of [0o555, 0]) {
        fs.chmodSync(folder.at('home/.cache'), mode);
        expect(await find(folder, options)).toMatchObject(FOUND);
        const { stdout, code } = await lectern(folder, ['index', '--json'], options);
        expect([code, JSON.parse(stdout)]).toMatchObject([
          0,
          { added: 2, reason: expect.stringContaining('permission denied') },
        ]);
      }
    } finally {
      fs.chmodSync(folder.at('home/.cache'), 0o755);
    }
  });

  test('that is deleted while a server uses it is rebuilt', async () => {
    await using session = await connect('stdio', FILES);
    const ask = async () => (await session.call('skills_search', { query: 'which revision failed' })).structuredContent;
    const before = await ask();
    expect(before).toMatchObject({ results: [{ name: 'bisect' }] });
    fs.rmSync(session.folder.at('home/.cache'), { recursive: true });
    expect(await ask()).toEqual(before);
    session.folder.write({ 'project/.agents/skills/tax/SKILL.md': skillText({ name: 'tax', description: 'Taxes.' }) });
    expect(await ask()).toMatchObject({ results: [{ name: 'bisect' }, { name: 'tax' }] });
    expect(fs.readdirSync(packsOf(session.folder))).toHaveLength(1);
  });

  test('is shared by ten concurrent processes: each answers, and every entry is kept', async () => {
    const skills = Array.from({ length: 10 }, (_, index) => [
      `project/part${index}/.agents/skills/only${index}/SKILL.md`,
      skillText({ name: `only${index}`, description: `About revision number ${index}.` }),
    ]);
    using folder = tempFolder(Object.fromEntries([...skills, ['project/.git/HEAD', '']]));
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => find(folder, { cwd: folder.at(`project/part${index}`) })),
    );
    answers.forEach((answer, index) => expect(answer).toMatchObject({ results: [{ name: `only${index}` }] }));
    expect(await status(folder)).toMatchObject({ state: 'ready', documents: 10, ready: 10 });
    // Many small files are merged sooner or later, and nothing else is left behind.
    for (const name of fs.readdirSync(packsOf(folder))) expect(name).toMatch(/^[0-9a-f]{16}\.pack$/u);
  });

  test('survives processes that are killed while they write', async () => {
    using folder = tempFolder(FILES);
    const env = { PATH: process.env['PATH'], HOME: folder.at('home') };
    fs.mkdirSync(folder.at('home'), { recursive: true });
    for (const wait of [60, 90, 120, 150, 180, 210]) {
      const child = spawn(process.execPath, [CLI, 'index'], { cwd: folder.at('project'), env, stdio: 'ignore' });
      const closed = new Promise((resolve) => child.once('close', resolve));
      await new Promise((resolve) => setTimeout(resolve, wait));
      child.kill('SIGKILL');
      await closed;
    }
    expect(await find(folder)).toMatchObject(FOUND);
    expect(await status(folder)).toMatchObject({ state: 'ready', ready: 2 });
  });
});

describe('a model file that is not the one of this version', () => {
  test.each<[string, (file: string) => void, RegExp]>([
    ['changed', (file) => fs.writeFileSync(file, changed(fs.readFileSync(file), 500_000)), /SHA-256/u],
    ['cut short', (file) => fs.truncateSync(file, 1_000), /SHA-256/u],
    ['gone', (file) => fs.rmSync(file), /missing/u],
  ])('%s: it is refused with the reason, and the search goes by words', async (_, damage, reason) => {
    using folder = tempFolder({ ...FILES, 'home/.keep': '' });
    const dist = folder.at('dist');
    fs.cpSync(path.dirname(CLI), dist, { recursive: true });
    damage(path.join(dist, 'model/words.bin'));
    const run = (...args: string[]) => {
      const {
        stdout,
        stderr,
        status: code,
      } = spawnSync(process.execPath, [path.join(dist, path.basename(CLI)), ...args, '--json'], {
        cwd: folder.at('project'),
        env: { PATH: process.env['PATH'], HOME: folder.at('home') },
        encoding: 'utf8',
      });
      expect([code, stderr]).toEqual([0, '']);
      return JSON.parse(stdout);
    };
    expect(run('search', 'commit that broke')).toMatchObject({
      mode: 'auto',
      model: null,
      reason: expect.stringMatching(reason),
      results: [{ name: 'bisect' }],
    });
    expect(run('index')).toMatchObject({ model: null, reason: expect.stringMatching(reason) });
    // Entries without vectors must not be kept for the time when the model is right again.
    expect(await find(folder)).toMatchObject(FOUND);
  });
});

function changed(bytes: Buffer, at: number): Buffer {
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
}
