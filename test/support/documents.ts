import type { Embedder } from '../../src/search/embed/embedder.ts';
import type { SearchDocument } from '../../src/search/document.ts';
import { queryTerms } from '../../src/search/words/terms.ts';

/** A document with everything a test does not care about filled in. */
export function doc(
  id: string,
  fields: Partial<Omit<SearchDocument, 'body'>> & { body?: string } = {},
): SearchDocument {
  const { body = '', ...rest } = fields;
  return {
    kind: 'skill',
    id,
    name: id,
    names: [id],
    path: `skills/${id}/SKILL.md`,
    description: '',
    ...rest,
    body: () => body,
  };
}

const DIMENSIONS = 64;

/** A model elsewhere, for tests: a text's vector counts its stems, so texts that share words are near. Counts what it was asked. */
export function countingEmbedder(name = 'test-model'): Embedder & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    name,
    parallel: 2,
    batch: 4,
    url: 'http://127.0.0.1/v1/embeddings',
    embed(texts, purpose) {
      if (purpose === 'document') asked.push(...texts);
      return Promise.resolve(
        texts.map((text) => {
          const vector = new Float32Array(DIMENSIONS);
          for (const term of queryTerms(text)) {
            const slot =
              [...term].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521, 7) %
              DIMENSIONS;
            vector[slot] = (vector[slot] ?? 0) + 1;
          }
          return vector;
        }),
      );
    },
  };
}
