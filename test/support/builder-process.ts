// Started as a child process by `builders.test.ts`: builds an index with vectors that take their time, then prints what it did.
import { nodeDisk } from '../../src/core/disk/node-disk.ts';
import { buildIndex } from '../../src/search/build/build.ts';
import { countingEmbedder, doc } from './documents.ts';

const [dir = '', count = '0', edition = '', delay = '0', batches = '0'] = process.argv.slice(2);
const embedder = countingEmbedder();
const inner = embedder.embed.bind(embedder);
let left = Number(batches);
embedder.embed = async (texts, purpose) => {
  left -= 1;
  await new Promise((resolve) => {
    setTimeout(resolve, left < 0 ? 2 ** 31 - 1 : Number(delay));
  });
  return inner(texts, purpose);
};
const documents = Array.from({ length: Number(count) }, (_, i) =>
  doc(`d${i}`, { description: `subject ${i} ${edition}`, body: `text${i} of edition ${edition} `.repeat(12) }),
);
process.stdout.write('started\n');
const report = await buildIndex({ disk: nodeDisk, dir, documents, embedder, pid: process.pid, now: Date.now });
process.stdout.write(`${JSON.stringify({ written: report.written, embedded: report.embedded })}\n`);
