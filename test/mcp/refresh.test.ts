/** Files change underneath: what is noticed, when, and what clients are told. */
import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Refresher, type RefreshEvent } from '../../src/workspace/refresh.ts';
import { skillText } from '../support/skill-text.ts';
import { connect, listedNames, textOf } from '../support/connect.ts';
import { project } from '../support/project.ts';

/** A burst of changes is one scan: the server waits this long for the next of them. */
const DEBOUNCE_MS = 500;
/** Longer than any test runs. */
const NEVER = ['--refresh-interval', '3600000'];

const ONE = { 'project/.claude/skills/one/SKILL.md': skillText({ name: 'one', body: 'Version 1.' }) };

describe('by the clock', () => {
  test('each refresh is logged on standard error, at the configured interval', async () => {
    await using session = await connect('memory', ONE, { flags: ['--refresh-interval', '150', '--no-watch'] });
    const notices = () => session.log.filter((line) => line.startsWith('refreshed: 1 skill'));
    await expect.poll(() => notices().length).toBeGreaterThanOrEqual(3);
    session.folder.write({ 'project/.claude/skills/two/SKILL.md': skillText({ name: 'two' }) });
    await session.nextNotification('notifications/tools/list_changed');
    expect(listedNames(await session.description())).toEqual(['one', 'two']);
  });

  test('--no-refresh never rescans on a timer, but a miss does', async () => {
    await using session = await connect('memory', ONE, { flags: ['--no-refresh', '--refresh-interval', '100'] });
    await session.description();
    session.folder.write({ 'project/.claude/skills/late/SKILL.md': skillText({ name: 'late' }) });
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(session.log.filter((line) => line.startsWith('refreshed'))).toEqual([]);
    expect(listedNames(await session.description())).toEqual(['one']);
    expect((await session.skill('late')).isError).toBeFalsy();
    expect(session.heard).toEqual([]);
  });

  test('autoRefresh: false in the configuration is --no-refresh', async () => {
    await using session = await connect('memory', {
      ...ONE,
      'project/.lectern/config.json': '{"autoRefresh":false,"refreshInterval":100}',
    });
    expect(session.client.getServerCapabilities()?.tools?.listChanged).toBe(false);
  });

  test('an edit that keeps size and time is seen by the next look', async () => {
    await using session = await connect('memory', ONE, { flags: ['--refresh-interval', '200', '--no-watch'] });
    const file = session.folder.at('project/.claude/skills/one/SKILL.md');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, skillText({ name: 'owt', body: 'Version 1.' }));
    utimesSync(file, atime, mtime);
    await expect.poll(async () => listedNames(await session.description())).toEqual(['owt']);
  });
});

describe('by watching', () => {
  test('a change of the body alone changes the loaded text, but no list', async () => {
    await using session = await connect('memory', ONE);
    await session.description();
    session.folder.write({
      'project/.claude/skills/one/SKILL.md': skillText({ name: 'one', body: 'Version 2, and longer.' }),
    });
    expect(textOf(await session.skill('one'))).toContain('Version 2');
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(session.heard.filter(({ method }) => method.endsWith('list_changed'))).toEqual([]);
  });

  test('after a request for the archive, the server watches it too and does not scan for every request', async () => {
    using folder = project({ 'project/openspec/changes/archive/2026-01-01-old/proposal.md': '# Old\n' }, 'disk');
    const workspace = await folder.open();
    const refresher = new Refresher(workspace, { intervalMs: undefined, watch: true, notice: () => undefined });
    refresher.start();
    const archived = async (): Promise<string[]> => (await workspace.freshSpecs()).archived.map(({ id }) => id);
    expect(await archived()).toEqual(['2026-01-01-old']);
    // The watches are set up in the background.
    await expect
      .poll(async () => {
        await archived();
        const { snapshot } = workspace;
        await archived();
        return workspace.snapshot === snapshot;
      })
      .toBe(true);
    folder.write({ 'project/openspec/changes/archive/2026-02-02-new/proposal.md': '# New\n' });
    await expect.poll(archived).toEqual(['2026-01-01-old', '2026-02-02-new']);
    refresher.stop();
  });

  test('a newly added skill is found immediately', async () => {
    await using session = await connect('memory', ONE);
    await session.description();
    for (let round = 0; round < 10; round++) {
      session.folder.write({ [`project/.agents/skills/new-${round}/SKILL.md`]: skillText({ name: `new-${round}` }) });
      expect((await session.skill(`new-${round}`)).isError).toBeFalsy();
    }
  });

  test('skills_list and skills_search see the files as they are at the call', async () => {
    await using session = await connect('memory', ONE);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    for (let round = 0; round < 10; round++) {
      session.folder.write({
        'project/.claude/skills/one/SKILL.md': skillText({
          name: 'one',
          description: `Round ${round}`,
          body: `word${round}`,
        }),
      });
      expect(await session.call('skills_list', {})).toMatchObject({
        structuredContent: { skills: [{ meta: { description: `Round ${round}` } }] },
      });
      expect(await session.call('skills_search', { query: `word${round}` })).toMatchObject({
        structuredContent: { total: 1 },
      });
    }
    rmSync(session.folder.at('project/.claude/skills/one'), { recursive: true });
    expect(await session.call('skills_list', {})).toMatchObject({ structuredContent: { skills: [] } });
  });

  test('two hundred saves by renaming over: never missing, and the last one stays', async () => {
    await using session = await connect('memory', ONE);
    const file = session.folder.at('project/.claude/skills/one/SKILL.md');
    for (let round = 0; round < 200; round++) {
      writeFileSync(`${file}.tmp`, skillText({ name: 'one', body: `Save ${round}.` }));
      renameSync(`${file}.tmp`, file);
      expect(textOf(await session.skill('one'))).toContain(`Save ${round}.`);
    }
  });

  test('a root that is deleted and recreated is served and watched again', async () => {
    await using session = await connect('memory', ONE, { flags: NEVER });
    await session.description();
    const root = session.folder.at('project/.claude/skills');
    for (let round = 0; round < 2; round++) {
      rmSync(session.folder.at('project/.claude'), { recursive: true });
      await expect.poll(async () => listedNames(await session.description())).toEqual(['none']);
      mkdirSync(root, { recursive: true });
      session.folder.write({ 'project/.claude/skills/back/SKILL.md': skillText({ name: 'back' }) });
      await expect.poll(async () => listedNames(await session.description())).toEqual(['back']);
      session.folder.write({ 'project/.claude/skills/more/SKILL.md': skillText({ name: 'more' }) });
      await expect.poll(async () => listedNames(await session.description())).toEqual(['back', 'more']);
    }
  });

  test('twenty thousand files written into a skill folder start no scan and keep nothing open', async () => {
    await using session = await connect('memory', ONE, { flags: NEVER });
    await expect.poll(() => session.log).toContain('1 skill in 1 folder');
    // By then the folders are watched, unless the machine is very busy.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const openFiles = (): number => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);
    const before = session.log.length;
    const openBefore = openFiles();
    for (let folder = 0; folder < 200; folder++) {
      const place = session.folder.at(`project/.claude/skills/one/node_modules/p${folder}`);
      mkdirSync(place, { recursive: true });
      for (let index = 0; index < 100; index++) writeFileSync(`${place}/${index}.js`, '');
      // The watcher has its turn while the files are written, as it would beside npm.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(session.log.slice(before)).toEqual([]);
    expect(openFiles()).toBeLessThanOrEqual(openBefore + 64);
  });

  test('a switch between two states of many skills: every reply is wholly old or wholly new', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `skill-${index}`);
    const state = (word: string) =>
      Object.fromEntries(
        names.map((name) => [
          `project/skills/${name}/SKILL.md`,
          skillText({ name, description: word, body: `${word} `.repeat(400) }),
        ]),
      );
    await using session = await connect('memory', state('old'));
    const replies: Promise<string>[] = [];
    const writing = (async () => {
      for (const word of ['new', 'old', 'new']) {
        for (const [name, text] of Object.entries(state(word))) {
          const file = session.folder.at(name);
          writeFileSync(`${file}.tmp`, text);
          renameSync(`${file}.tmp`, file);
          replies.push(session.skill(name.split('/')[2] ?? '').then(textOf));
          if (replies.length % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    })();
    await writing;
    for (const text of await Promise.all(replies)) {
      expect(text).toContain('Loading: ');
      expect(text.includes('old') && text.includes('new')).toBe(false);
    }
  });
});

describe('where watching is not possible', () => {
  test('it polls instead, and reports it once', async () => {
    using folder = project(ONE, 'disk');
    const workspace = await folder.open();
    const events: RefreshEvent[] = [];
    const refresher = new Refresher(workspace, {
      intervalMs: 200,
      watch: true,
      notice: (event) => void events.push(event),
      watchFolder: () => 'no-room',
    });
    refresher.start();
    folder.write({ 'project/.claude/skills/two/SKILL.md': skillText({ name: 'two' }) });
    await expect.poll(() => workspace.snapshot.view().skills.map(({ name }) => name)).toEqual(['one', 'two']);
    refresher.stop();
    expect(events.filter(({ kind }) => kind === 'polling')).toEqual([{ kind: 'polling', everyMs: 200 }]);
  });

  test('a configuration that breaks while it serves is reported once, and the skills are still served', async () => {
    await using session = await connect(
      'memory',
      { ...ONE, 'project/.lectern/config.json': '{}' },
      { flags: ['--refresh-interval', '100'] },
    );
    await session.description();
    session.folder.write({ 'project/.lectern/config.json': '{broken' });
    const reports = () => session.log.filter((line) => line.includes('config-invalid'));
    await expect.poll(() => reports().length).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(reports()).toHaveLength(1);
    expect((await session.skill('one')).isError).toBeFalsy();
  });
});

test('many changes in a short time are few notices', async () => {
  await using session = await connect('http, modern', ONE);
  await session.description();
  const started = performance.now();
  for (let index = 0; index < 200; index++) {
    session.folder.write({ [`project/.claude/skills/s${index}/SKILL.md`]: skillText({ name: `s${index}` }) });
    if (index % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await expect
    .poll(async () => (await session.call('skills_list', {})).structuredContent)
    .toMatchObject({ total: 201 });
  const scans = (performance.now() - started) / DEBOUNCE_MS;
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(
    session.heard.filter(({ method }) => method === 'notifications/tools/list_changed').length,
  ).toBeLessThanOrEqual(scans + 3);
});
