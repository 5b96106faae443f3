/** How far a lock file of the project is followed, which comes with its repository. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../src/core/failure.ts';
import { LIMITS } from '../../src/core/limits.ts';
import type { AnyOperation, Person } from '../../src/operations/define.ts';
import { installSkills } from '../../src/operations/install-skills.ts';
import { outdatedSkills } from '../../src/operations/outdated-skills.ts';
import { perform } from '../../src/operations/perform.ts';
import { updateSkills } from '../../src/operations/update-skills.ts';
import { verifySkills } from '../../src/operations/verify-skills.ts';
import { ask } from '../support/ask.ts';
import { project, type Project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const TO = { to: ['claude'], yes: true };
const LOCK = 'project/lectern.lock.json';
const INSTALLED = 'project/.claude/skills/a/SKILL.md';

async function codeOf(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => 'done',
    (error: unknown) => (error instanceof Failure ? error.code : String(error)),
  );
}

describe('a source outside the project', () => {
  /** A project that has installed a skill from a folder beside it, which has changed since. */
  async function withOutside(source: string, files: Parameters<typeof project>[0] = {}) {
    const place = project({ 'outside/a/SKILL.md': skillText({ name: 'a' }), ...files }, 'disk');
    await ask(installSkills, { source, ...TO }, await place.open());
    place.write({ 'outside/a/SKILL.md': skillText({ name: 'a', body: 'Private notes' }) });
    return place;
  }

  test.each([
    ['a folder beside it', '../outside', {}],
    ['a link in it that leads out', './link', { 'project/link': { link: '../outside' } }],
  ])('%s is not read because the lock names it', async (_, source, files) => {
    using place = await withOutside(source, files);
    const workspace = await place.open();
    const before = place.read(INSTALLED);
    expect(await codeOf(ask(outdatedSkills, {}, workspace))).toBe('REFUSED');
    expect(await codeOf(ask(updateSkills, { yes: true }, workspace))).toBe('REFUSED');
    expect(place.read(INSTALLED)).toBe(before);
    fs.rmSync(place.at('project/.claude'), { recursive: true });
    expect(await codeOf(ask(installSkills, { frozen: true, yes: true }, workspace))).toBe('REFUSED');
    expect(place.exists('project/.claude')).toBe(false);
  });

  test('--allow-file follows it', async () => {
    using place = await withOutside('../outside');
    const workspace = await place.open();
    const { skills } = await ask(outdatedSkills, { allowFile: true }, workspace);
    expect(skills).toMatchObject([{ name: 'a', status: 'outdated' }]);
    await ask(updateSkills, { allowFile: true, yes: true }, workspace);
    expect(place.read(INSTALLED)).toContain('Private notes');
  });

  test('a skill that already matches the lock needs no source', async () => {
    using place = await withOutside('../outside');
    const { skills } = await ask(installSkills, { frozen: true, yes: true }, await place.open());
    expect(skills).toMatchObject([{ name: 'a', status: 'unchanged' }]);
  });

  test.each([
    ['yes', ['outdated']],
    ['no', ['REFUSED']],
  ])('on a terminal there is one question for each folder: %s', async (answer, expected) => {
    using place = await withOutside('../outside');
    const asked: string[] = [];
    const person: Person = {
      confirm: () => Promise.resolve(true),
      pickSome: () => Promise.resolve([]),
      pickOne: (question) => {
        asked.push(question);
        return Promise.resolve(answer);
      },
    };
    const result = await performWith(outdatedSkills, place, person).catch((error: unknown) => error);
    const statuses =
      result instanceof Failure
        ? [result.code]
        : (result as { skills: { status: string }[] }).skills.map((s) => s.status);
    expect(statuses).toEqual(expected);
    expect(asked).toEqual([
      `The lock file names ${place.at('outside')} as a source, which is outside the project. Read it?`,
    ]);
  });

  test('the lock of another installer is not followed there either', async () => {
    using place = project(
      {
        'outside/a/SKILL.md': skillText({ name: 'a', body: 'Private notes' }),
        [INSTALLED]: skillText({ name: 'a' }),
        'project/skills-lock.json': JSON.stringify({
          version: 1,
          skills: { a: { source: '../outside', sourceType: 'local', computedHash: 'x' } },
        }),
      },
      'disk',
    );
    const workspace = await place.open();
    expect(await codeOf(ask(updateSkills, { yes: true, force: true }, workspace))).toBe('REFUSED');
    expect(place.read(INSTALLED)).not.toContain('Private');
    await ask(updateSkills, { yes: true, force: true, allowFile: true }, workspace);
    expect(place.read(INSTALLED)).toContain('Private');
  });

  async function performWith(operation: AnyOperation, place: Project, person: Person): Promise<unknown> {
    const { output } = await perform(operation, {}, () => place.open(), {
      face: 'cli',
      wording: { code: 'USAGE', prefix: '', whole: 'the input', unknown: 'key' },
      context: { person },
    });
    return output;
  }
});

describe('a lock with more than is allowed', () => {
  const file = { sha256: 'a'.repeat(64), size: 1, mode: '644' };
  const entry = (name: string, more: object = {}): object => ({
    type: 'local',
    source: 'source',
    ref: null,
    commit: null,
    path: name,
    mode: 'copy',
    targets: [{ agent: 'claude', scope: 'project', path: `.claude/skills/${name}` }],
    files: { 'SKILL.md': file },
    ...more,
  });
  const named = (length: number): Record<string, object> =>
    Object.fromEntries(Array.from({ length }, (_, index) => [`s${index}`, entry(`s${index}`)]));
  const lock = (skills: object): string => JSON.stringify({ lockfileVersion: 1, skills });
  const many = (length: number, of: (index: number) => unknown): unknown[] => Array.from({ length }, (_, i) => of(i));

  test.each([
    ['skills', () => named(LIMITS.lockedSkills.value + 1)],
    [
      'targets',
      () => ({
        a: entry('a', {
          targets: many(LIMITS.lockedTargets.value + 1, (index) => ({
            agent: null,
            scope: 'project',
            path: `t${index}/a`,
          })),
        }),
      }),
    ],
    [
      'files',
      () => ({
        a: entry('a', {
          files: Object.fromEntries([
            ['SKILL.md', file],
            ...many(LIMITS.installedFiles.value, (index) => [`f${index}`, file] as const),
          ] as [string, object][]),
        }),
      }),
    ],
  ])('%s: it is invalid', async (_, skills) => {
    using place = project({ [LOCK]: lock(skills()) });
    expect(await codeOf(ask(verifySkills, {}, await place.open()))).toBe('LOCK_INVALID');
  });

  test('so is the lock of another installer', async () => {
    const skills = Object.fromEntries(Object.keys(named(LIMITS.lockedSkills.value + 1)).map((name) => [name, {}]));
    using place = project({ 'project/skills-lock.json': JSON.stringify({ version: 1, skills }) });
    expect(await codeOf(ask(verifySkills, {}, await place.open()))).toBe('LOCK_INVALID');
  });

  test('install refuses a skill that would make the lock invalid', async () => {
    const content = lock(named(LIMITS.lockedSkills.value));
    using place = project({ [LOCK]: content, 'project/source/a/SKILL.md': skillText({ name: 'a' }) });
    expect(await codeOf(ask(installSkills, { source: './source', ...TO }, await place.open()))).toBe('TOO_LARGE');
    expect(place.read(LOCK)).toBe(content);
  });
});
