import { createHash } from 'node:crypto';
import type { SearchDocument } from '../../src/search/document.ts';
import { BUNDLED_DIMENSIONS, BUNDLED_FLOOR, BUNDLED_MODEL } from '../../src/search/embed/bundled-files.ts';
import type { Embedder } from '../../src/search/embed/embedder.ts';
import { readFixture } from './fixture.ts';

/** A pseudo-random sequence that is the same on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed | 0 || 1;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES =
  'ka lo ter min dra pos ne vi sur ban cor del fi gra hum in jor ket lam mor nix ol pre qua rim sto tal un ver wis yar zen'.split(
    ' ',
  );

/** Words of two to four syllables, as many as a large collection of skills has. */
function vocabulary(size: number): string[] {
  const random = randomFrom(7);
  const words = new Set<string>();
  while (words.size < size) {
    const length = 2 + Math.floor(random() * 3);
    words.add(Array.from({ length }, () => SYLLABLES[Math.floor(random() * SYLLABLES.length)]).join(''));
  }
  return [...words];
}

/** English first, so that the frequent words are real ones and the model meets text it can read. */
const WORDS = [...new Set([...readFixture('test/fixtures/search').documents.flatMap(wordsOf), ...vocabulary(60_000)])];

function wordsOf(document: SearchDocument): string[] {
  return `${document.description} ${document.body()}`.toLowerCase().match(/[a-z]{2,}/gu) ?? [];
}

/** Few words are frequent and most are rare, as in any language. */
function sentence(random: () => number, count: number): string {
  return Array.from({ length: count }, () => WORDS[Math.floor(WORDS.length ** random()) - 1]).join(' ');
}

/** Documents of the shape and size of real skills: a description of 40 words, a body of some 700 words with code. */
export function syntheticDocuments(count: number, edition = 0): SearchDocument[] {
  return Array.from({ length: count }, (_, i): SearchDocument => {
    const seed = i * 2 + 1;
    const changed = i === 17 ? edition : 0;
    const id = `${sentence(randomFrom(seed), 2).replace(' ', '-')}-${i}`;
    return {
      kind: 'skill',
      id,
      name: id,
      path: `skills/${id}/SKILL.md`,
      stamp: `${i}.${changed}`,
      // A getter, as a search that reads no description should not pay for making it up.
      get description() {
        return `${sentence(randomFrom(seed + 1_000_003 + changed), 40)}.`;
      },
      body: () => {
        const random = randomFrom(seed + 2_000_003 + changed);
        const paragraphs = Array.from({ length: 12 }, () => `${sentence(random, 50)}.`);
        return `# ${id}\n\n${paragraphs.slice(0, 6).join('\n\n')}\n\n\`\`\`sh\n${sentence(random, 100)}\n\`\`\`\n\n${paragraphs.slice(6).join('\n\n')}\n`;
      },
    };
  });
}

/** Vectors at no cost in the place of the bundled model's, to measure everything but the model. */
export function instantEmbedder(): Embedder {
  return {
    model: BUNDLED_MODEL,
    floor: BUNDLED_FLOOR,
    parallel: 1,
    batch: 64,
    url: undefined,
    embed: (texts) =>
      Promise.resolve(
        texts.map((text) => {
          const random = randomFrom(createHash('sha256').update(text).digest().readInt32LE(0));
          return Float32Array.from({ length: BUNDLED_DIMENSIONS }, () => random() - 0.5);
        }),
      ),
    close: () => Promise.resolve(),
  };
}
