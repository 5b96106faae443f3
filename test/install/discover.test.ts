/** Which skills a source offers, and how much work that is for a large one. */
import { describe, expect, test } from 'vitest';
import { memoryDisk } from '../../src/core/disk/memory-disk.ts';
import { LIMITS } from '../../src/core/limits.ts';
import { discoverOffer, type Offer, type OfferQuestion } from '../../src/install/discover.ts';
import type { SourceTree, TreeEntry } from '../../src/install/source-tree.ts';
import { readFolder } from '../../src/install/tree.ts';
import { installSkills } from '../../src/operations/install-skills.ts';
import { ask } from '../support/ask.ts';
import { failureOf } from '../support/failure-of.ts';
import { project } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

/** Counts every entry that is looked up or passed over. */
class CountingMap extends Map<string, TreeEntry> {
  steps = 0;

  override get(key: string): TreeEntry | undefined {
    this.steps += 1;
    return super.get(key);
  }

  override has(key: string): boolean {
    this.steps += 1;
    return super.has(key);
  }

  override *keys(): MapIterator<string> {
    for (const key of super.keys()) {
      this.steps += 1;
      yield key;
    }
  }

  override *[Symbol.iterator](): MapIterator<[string, TreeEntry]> {
    for (const entry of super.entries()) {
      this.steps += 1;
      yield entry;
    }
  }
}

interface CountedTree extends SourceTree {
  entries: CountingMap;
  /** How often files were read. */
  reads: number;
}

/** A source with these files, as git would list it. */
function sourceOf(files: Readonly<Record<string, string>>): CountedTree {
  const tree: CountedTree = {
    entries: new CountingMap(),
    reads: 0,
    read: async (paths) => {
      tree.reads += 1;
      return new Map(paths.map((file) => [file, Buffer.from(files[file] ?? '')]));
    },
    contentId: (file) => files[file] ?? '',
  };
  for (const file of Object.keys(files)) tree.entries.set(file, { kind: 'file', executable: false });
  return tree;
}

const offerOf = (tree: SourceTree, more: Partial<OfferQuestion> = {}): Promise<Offer> =>
  discoverOffer(tree, { path: '', sourceName: 'source', ...more });
const numbers = (length: number): number[] => Array.from({ length }, (_, index) => index);

describe('the work grows with the number of entries, not with its square', () => {
  const COUNT = 400;
  /** Each entry may be touched this often. A pass over all entries for each skill would be 400 times. */
  const STEPS_PER_ENTRY = 20;
  const cases: Record<string, Record<string, string>> = {
    'many files called skill.md': Object.fromEntries(
      numbers(COUNT).map((index) => [`s${index}/skill.md`, skillText({ name: `s${index}` })]),
    ),
    'many skills of one name': Object.fromEntries(
      numbers(COUNT).flatMap((index) => [
        [`s${index}/SKILL.md`, skillText({ name: 'same' })],
        [`s${index}/a.txt`, `${index}`],
      ]),
    ),
    'many plugins of a marketplace': {
      '.claude-plugin/marketplace.json': JSON.stringify({
        plugins: numbers(COUNT).map((index) => ({ name: `p${index}`, source: `./p${index}` })),
      }),
      ...Object.fromEntries(
        numbers(COUNT).map((index) => [`p${index}/skills/s/SKILL.md`, skillText({ name: `s${index}` })]),
      ),
    },
    'many plugins with the same folder': {
      '.claude-plugin/marketplace.json': JSON.stringify({
        plugins: numbers(COUNT).map((index) => ({ name: `p${index}`, skills: ['./', './all', './all/.'] })),
      }),
      ...Object.fromEntries(
        numbers(COUNT).map((index) => [`all/s${index}/SKILL.md`, skillText({ name: `s${index}` })]),
      ),
    },
  };

  test.each(Object.entries(cases))('%s', async (_, files) => {
    const tree = sourceOf(files);
    const { skills } = await offerOf(tree);
    expect(skills).toHaveLength(COUNT);
    expect(tree.entries.steps).toBeLessThan(STEPS_PER_ENTRY * Object.keys(files).length);
    // A read starts git and may fetch, so there are a few for any number of skills.
    expect(tree.reads).toBeLessThan(5);
  });
});

describe('more skills than are offered', () => {
  const max = LIMITS.offeredSkills.value;
  const files = Object.fromEntries(
    numbers(max + 7).map((index) => [`s${index}/SKILL.md`, skillText({ name: `s${index}` })]),
  );

  test('the others are counted in a note', async () => {
    const offer = await offerOf(sourceOf(files));
    expect(offer.skills).toHaveLength(max);
    const note = 'only 5,000 skills are offered, and 7 more are left out; use --path to choose a folder';
    expect([offer.notes, offer.leftOut]).toEqual([[note], [note]]);
  });

  test('a requested skill or folder is offered', async () => {
    const tree = sourceOf(files);
    const first = new Set((await offerOf(tree)).skills.map(({ name }) => name));
    const missing = Object.keys(files)
      .map((file) => file.replace('/SKILL.md', ''))
      .find((name) => !first.has(name));
    const wanted = (await offerOf(tree, { wanted: [missing ?? ''] })).skills;
    expect(wanted.map(({ name }) => name)).toContain(missing);
    expect((await offerOf(tree, { path: missing ?? '' })).skills).toMatchObject([{ name: missing }]);
  });

  test('a choice and a name that is not offered come with that note', async () => {
    const onDisk = Object.entries(files).map(([file, content]) => [`project/source/${file}`, content]);
    using place = project(Object.fromEntries(onDisk));
    const workspace = await place.open();
    const note = 'only 5,000 skills are offered, and 7 more are left out';
    for (const skills of [[], ['nothing']]) {
      const request = ask(installSkills, { source: './source', skills, to: ['claude'], yes: true }, workspace);
      const { message, hint } = await failureOf(request);
      expect(`${message} ${hint ?? ''}`).toContain(note);
    }
  });

  test('plugins beyond the limit are counted, and so are those kept elsewhere', async () => {
    const plugins = numbers(LIMITS.marketplacePlugins.value + 3).map((index) => ({
      name: `p${index}`,
      source: { source: 'github', repo: 'a/b' },
    }));
    const { notes } = await offerOf(sourceOf({ '.claude-plugin/marketplace.json': JSON.stringify({ plugins }) }));
    expect(notes.slice(9)).toEqual([
      'the plugin p9 is in another repository, so its skills are not offered here',
      '4,990 more plugins are kept elsewhere',
      'the marketplace lists 5,003 plugins; only the first 5,000 are read',
    ]);
  });
});

describe('names of the file', () => {
  test.each(['SKILL.md', 'skill.md', 'Skill.MD'])('%s is a skill', async (name) => {
    expect((await offerOf(sourceOf({ [`a/${name}`]: skillText({ name: 'a' }) }))).skills).toHaveLength(1);
  });

  test.each(['\u017fkill.md', 'SK\u0131LL.md', 'S\u212aILL.md', '.SKILL.md', 'SKILL.md.txt'])(
    '%s is not a skill',
    async (name) => {
      const files = { [`a/${name}`]: skillText({ name: 'a' }) };
      expect((await offerOf(sourceOf(files))).skills).toEqual([]);
      const onDisk = Object.fromEntries(Object.entries(files).map(([file, text]) => [`/source/${file}`, text]));
      expect((await offerOf(readFolder(memoryDisk(onDisk), '/source'))).skills).toEqual([]);
    },
  );
});

describe('copies', () => {
  const skill = skillText({ name: 'a' });
  test.each([
    ['the same files', { 'x/a/SKILL.md': skill, 'y/a/SKILL.md': skill }, 1],
    ['another text', { 'x/a/SKILL.md': skill, 'y/a/SKILL.md': `${skill}more` }, 2],
    ['one file more', { 'x/a/SKILL.md': skill, 'y/a/SKILL.md': skill, 'y/a/b': '' }, 2],
    ['another file name', { 'x/a/SKILL.md': skill, 'x/a/b': '', 'y/a/SKILL.md': skill, 'y/a/c': '' }, 2],
  ])('%s', async (_, files, expected) => {
    expect((await offerOf(sourceOf(files))).skills).toHaveLength(expected);
  });
});
