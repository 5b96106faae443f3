/** A server as a process, and a skill that another process writes while it is loaded again and again. */
import fs from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LIMITS } from '../../src/core/limits.ts';
import { connect, textOf } from '../support/connect.ts';
import { skillText } from '../support/skill-text.ts';

const lines = (word: string): string => Array.from({ length: 40 }, (_, at) => `${word} line ${at}.`).join('\n');
const OLD = skillText({ name: 'pdf', description: 'About old', body: lines('Old') });
const NEW = skillText({ name: 'pdf', description: 'About new', body: `${lines('New')}\n${lines('Newer')}` });
const FILES = { 'project/skills/pdf/SKILL.md': OLD };

/** What a writer left in the file, and for how long. */
class Steps {
  readonly #steps: { text: string; ms: number }[] = [];

  /** On a busy machine, a step may last longer than it should. */
  async rest(file: string, ms: number): Promise<void> {
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    const start = performance.now();
    await sleep(ms);
    this.#steps.push({ text, ms: performance.now() - start });
  }

  /** Whether a reply has what was in the file for so long that it had to be taken for whole, or missing for good. */
  couldServe(reply: string, maxMs: number): boolean {
    return this.#steps.some(({ text, ms }) => ms > maxMs && (text === '' || reply.includes(text)));
  }
}

type Write = (file: string, steps: Steps) => Promise<void>;

/** Loads the skill until the writer is done and its text is served. Nothing else but the two versions may be served. */
async function expectWhole(write: Write, maxMs: number, final = NEW, flags: string[] = []): Promise<void> {
  await using session = await connect('stdio', FILES, { flags });
  const file = session.folder.at('project/skills/pdf/SKILL.md');
  expect(textOf(await session.skill('pdf'))).toContain(OLD);
  const steps = new Steps();
  const strange: string[] = [];
  const writer = { isDone: false };
  const writing = write(file, steps).then(() => (writer.isDone = true));
  for (let isServed = false; !isServed || !writer.isDone;) {
    const text = textOf(await session.skill('pdf'));
    isServed = text.trimEnd().endsWith(final.trimEnd());
    if (!isServed && !text.trimEnd().endsWith(OLD.trimEnd())) strange.push(text);
    await sleep(10);
  }
  await writing;
  expect(strange.filter((text) => !steps.couldServe(text, maxMs))).toEqual([]);
}

const CHUNKS = 8;

/** Writes a text in pieces, each after a pause that is longer than a file usually has to stand still. */
async function writeSlowly(file: string, text: string, steps: Steps): Promise<void> {
  const size = Math.ceil(text.length / CHUNKS);
  for (let at = 0; at < text.length; at += size) {
    fs.appendFileSync(file, text.slice(at, at + size));
    await steps.rest(file, 350);
  }
}

test.each<[string, Write, string]>([
  [
    'is emptied and written in pieces',
    (file, steps) => {
      fs.writeFileSync(file, '');
      return writeSlowly(file, NEW, steps);
    },
    NEW,
  ],
  [
    'is removed and written in pieces',
    async (file, steps) => {
      fs.rmSync(file);
      await steps.rest(file, 350);
      await writeSlowly(file, NEW, steps);
    },
    NEW,
  ],
  [
    'is appended to in pieces',
    (file, steps) => writeSlowly(file, `\n${lines('More')}\n`, steps),
    `${OLD}\n${lines('More')}\n`,
  ],
])('while a skill %s, the last whole version is served', async (_, write, final) => {
  await expectWhole(write, LIMITS.skillSettleSlow.value - 100, final);
});

test.each([
  ['with --no-watch', ['--no-watch', '--refresh-interval', '100']],
  ['with watching', []],
])('while a skill is moved away and replaced, the last version is served: %s', async (_, flags) => {
  const replace: Write = async (file, steps) => {
    for (let round = 0; round < 4; round++) {
      fs.renameSync(file, `${file}~`);
      // Long enough for a scan in between.
      await steps.rest(file, 700);
      fs.writeFileSync(`${file}.tmp`, round === 3 ? NEW : OLD);
      fs.renameSync(`${file}.tmp`, file);
      await steps.rest(file, 100);
    }
  };
  await expectWhole(replace, LIMITS.skillSettleMax.value - 1_000, NEW, flags);
});

test('a skill whose SKILL.md was removed leaves the list after a moment, and one whose folder was removed immediately', async () => {
  await using session = await connect('stdio', {
    ...FILES,
    'project/skills/csv/SKILL.md': skillText({ name: 'csv' }),
  });
  const names = async (): Promise<unknown> => {
    const { structuredContent } = await session.call('skills_list', {});
    return (structuredContent as { skills: { name: string }[] }).skills.map(({ name }) => name);
  };
  expect(await names()).toEqual(['csv', 'pdf']);
  fs.rmSync(session.folder.at('project/skills/csv'), { recursive: true });
  expect(await names()).toEqual(['pdf']);
  fs.rmSync(session.folder.at('project/skills/pdf/SKILL.md'));
  await expect.poll(names).toEqual([]);
});
