import { describe, expect, test } from 'vitest';
import { agents } from '../../src/operations/agents.ts';
import { doctor } from '../../src/operations/doctor.ts';
import { usage } from '../../src/operations/usage.ts';
import { localDay } from '../../src/core/local-day.ts';
import { LoadCounter, readUsage } from '../../src/workspace/usage.ts';
import { ask } from '../support/ask.ts';
import { HOME, project, PROJECT } from '../support/project.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';

const FILE = `${HOME}/.local/state/lectern/usage.json`;
const SKILLS = {
  'project/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf' }),
  'project/.claude/skills/git/SKILL.md': skillText({ name: 'git' }),
};
const ON = { 'home/.config/lectern/config.json': '{"usage": true}' };
const counted = (days: Record<string, Record<string, number>>) => ({ [FILE]: JSON.stringify({ days }) });
const PDF = `${PROJECT}/.claude/skills/pdf`;

describe('the file', () => {
  test('has a number for each skill and day, and nothing else', async () => {
    const { disk, read } = project({ 'home/here': '' });
    const counter = new LoadCounter(disk, FILE);
    counter.count(PDF);
    counter.count(PDF);
    await counter.close();
    expect(JSON.parse(read('home/.local/state/lectern/usage.json'))).toEqual({ days: { [localDay()]: { [PDF]: 2 } } });
  });

  test.each([
    ['no JSON', '{"days": {"2026'],
    ['another shape', '{"days": [1, 2]}'],
    ['numbers that are none', `{"days": {"2026-01-01": {"${PDF}": "many"}, "today": {"${PDF}": 1}}}`],
    ['nothing in it', ''],
  ])('that is broken (%s) is replaced', async (_, text) => {
    const { disk } = project({ [FILE]: text });
    expect(readUsage(disk, FILE)).toEqual(new Map());
    const counter = new LoadCounter(disk, FILE);
    counter.count(PDF);
    await counter.close();
    expect(readUsage(disk, FILE)).toEqual(new Map([[localDay(), new Map([[PDF, 1]])]]));
  });

  test('keeps the other days if one day is broken', () => {
    const { disk } = project({ [FILE]: `{"days": {"2026-01-01": {"${PDF}": 3}, "2026-01-02": 7}}` });
    expect(readUsage(disk, FILE)).toEqual(new Map([['2026-01-01', new Map([[PDF, 3]])]]));
  });

  test('keeps the last 400 days', async () => {
    const days = Array.from({ length: 500 }, (_, day) =>
      new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
    );
    const { disk } = project(counted(Object.fromEntries(days.map((day) => [day, { [PDF]: 1 }]))));
    const counter = new LoadCounter(disk, FILE);
    counter.count(PDF);
    await counter.close();
    expect([...readUsage(disk, FILE).keys()]).toEqual([...days.slice(-399), localDay()]);
  });

  test('waits while another process writes, and loses nothing', async () => {
    using folder = project({ 'home/usage.json.lock': String(process.ppid) }, 'disk');
    const file = folder.at('home/usage.json');
    const counter = new LoadCounter(folder.disk, file);
    counter.count(PDF);
    counter.count(PDF);
    expect(folder.exists('home/usage.json')).toBe(false);
    folder.disk.remove(`${file}.lock`);
    await counter.close();
    expect(readUsage(folder.disk, file)).toEqual(new Map([[localDay(), new Map([[PDF, 2]])]]));
    expect(folder.exists('home/usage.json.lock')).toBe(false);
  });

  test('a folder that cannot be written to costs nothing but the counts', async () => {
    const { disk } = project({ 'home/.local/state/lectern': 'a file where a folder should be' });
    const counter = new LoadCounter(disk, FILE);
    counter.count(PDF);
    await counter.close();
    expect(readUsage(disk, FILE)).toEqual(new Map());
  });
});

describe('usage', () => {
  test('lists the most loaded skills first, and counts those that are not here', async () => {
    const files = {
      ...SKILLS,
      ...ON,
      ...counted({ '2026-01-02': { [PDF]: 3, '/gone': 2 }, '2026-01-01': { [PDF]: 1 } }),
    };
    const answer = await ask(usage, {}, await project(files).open());
    expect(answer).toMatchObject({ counted: true, file: FILE, since: '2026-01-01', elsewhere: 2 });
    expect(answer.skills.map(({ name, loads, last }) => [name, loads, last])).toEqual([
      ['pdf', 4, '2026-01-02'],
      ['git', 0, undefined],
    ]);
  });

  test('can be about the last days', async () => {
    const files = { ...SKILLS, ...ON, ...counted({ '2020-01-01': { [PDF]: 3 }, [localDay()]: { [PDF]: 2 } }) };
    const answer = await ask(usage, { days: 7 }, await project(files).open());
    expect(answer).toMatchObject({
      since: localDay(),
      skills: [
        { name: 'pdf', loads: 2 },
        { name: 'git', loads: 0 },
      ],
    });
  });

  test('is off by default, and a project cannot switch it on', async () => {
    const files = { ...SKILLS, 'project/.lectern/config.json': '{"usage": true}' };
    expect(await ask(usage, {}, await project(files).open())).toMatchObject({ counted: false, elsewhere: 0 });
  });

  test('agents and doctor list skills that were never loaded, if loads are counted', async () => {
    const loads = counted({ '2026-01-02': { [PDF]: 3 } });
    const workspace = await project({ ...SKILLS, ...ON, ...loads }).open();
    const never = [`${PROJECT}/.claude/skills/git`];
    expect(await ask(agents, {}, workspace)).toMatchObject({ neverLoaded: never });
    expect(await ask(doctor, {}, workspace)).toMatchObject({ neverLoaded: never });
    const off = await project({ ...SKILLS, ...loads }).open();
    expect(await ask(agents, {}, off)).not.toHaveProperty('neverLoaded');
    expect(await ask(doctor, {}, off)).not.toHaveProperty('neverLoaded');
  });
});

describe('the server', () => {
  const call = (id: number, method: string, params: object): string =>
    `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
  const talk = (names: readonly string[]): string =>
    [
      call(0, 'initialize', {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      }),
      `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`,
      ...names.map((name, index) => call(index + 1, 'tools/call', { name: 'skill', arguments: { name } })),
      call(100, 'prompts/get', { name: 'pdf' }),
    ].join('');

  test('concurrent servers lose no loads; a skill that is not found is not counted', async () => {
    using folder = project({ ...SKILLS, ...ON }, 'disk');
    const names = [...Array.from({ length: 10 }, () => 'pdf'), 'git', 'no-such-skill'];
    const runs = await Promise.all(Array.from({ length: 4 }, () => lectern(folder, ['mcp'], { input: talk(names) })));
    expect(runs.map(({ code, stderr }) => [code, stderr.includes('internal error')])).toEqual(
      runs.map(() => [0, false]),
    );
    const answer = JSON.parse((await lectern(folder, ['usage', '--json'])).stdout);
    expect(answer.skills.map(({ name, loads }: { name: string; loads: number }) => [name, loads])).toEqual([
      ['pdf', 44],
      ['git', 4],
    ]);
    expect(folder.exists('home/.local/state/lectern/usage.json.lock')).toBe(false);
  });

  test('counts nothing unless counting is enabled', async () => {
    using folder = project(SKILLS, 'disk');
    await lectern(folder, ['mcp'], { input: talk(['pdf']) });
    expect(folder.exists('home/.local/state')).toBe(false);
  });
});
