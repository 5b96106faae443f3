/**
 * Real clients of both eras that call all the time, and check every answer: everything in it must be of one revision, and
 * answers with the same snapshot number of the same one.
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { PublishClient } from '../../src/hub/publish-client.ts';
import type { Company } from './company.ts';
import type { Replica } from './replica.ts';
import { sourceFiles } from './shared.ts';
import { skillText } from './skill-text.ts';

const NAMES = ['alpha', 'beta', 'gamma'];

/** Every text of these says which revision it is of. */
function revision(number: number): Record<string, string> {
  const mark = `rev-${number}.`;
  return Object.fromEntries(
    NAMES.flatMap((name) => [
      [
        `skills/${name}/SKILL.md`,
        skillText({ name, description: `What ${name} is in ${mark}`, body: `The words of ${mark}` }),
      ],
      [`skills/${name}/notes.txt`, `Notes of ${mark}`],
    ]),
  );
}

const CALLS = [
  { name: 'skill', arguments: { name: 'alpha' } },
  { name: 'skill_file', arguments: { name: 'beta', path: 'notes.txt' } },
  { name: 'skills_list', arguments: {} },
  { name: 'skills_search', arguments: { query: 'words of gamma' } },
];

/** Makes files the content of a source, in the way `lectern publish` does, and returns the number of the snapshot. */
async function publishFiles(
  server: { url: string; token: string },
  source: string,
  given: Record<string, string>,
): Promise<number> {
  const client = new PublishClient(server);
  const { files, contents } = sourceFiles(given);
  const { base, missing } = await client.check(source, files);
  for (const sha256 of missing) await client.upload(contents.get(sha256) ?? new Uint8Array());
  return (await client.publish(source, { base, files, commit: undefined })).number;
}

/** Publishes one revision after the other, and remembers what was confirmed. */
export function publisher({ tokens }: Company) {
  const published = new Map<number, number>();
  let last = 0;
  return {
    /** The revision of each snapshot, as far as it was confirmed. */
    published,
    async publish({ url }: Replica): Promise<number> {
      const next = ++last;
      const number = await publishFiles({ url, token: tokens.payments.publish }, 'payments/skills', revision(next));
      published.set(number, next);
      return number;
    },
  };
}

export interface Load extends AsyncDisposable {
  /** Why calls failed. */
  failed: string[];
  /** Resolves after so many further answers. */
  more(answers: number): Promise<void>;
  /** Resolves when some answer was of a snapshot with at least this number. */
  reached(snapshot: number): Promise<void>;
  /** Ends all clients, and fails if an answer was not what its snapshot has. `published` has the revision by snapshot. */
  end(published: ReadonlyMap<number, number>): Promise<void>;
}

export async function startLoad(url: string, clients: number): Promise<Load> {
  const failed: string[] = [];
  const wrong: string[] = [];
  const revisions = new Map<number, string>();
  let [answered, last] = [0, 0];
  const over = new AbortController();
  const check = (result: object): void => {
    const text = JSON.stringify(result);
    const marks = new Set(text.match(/rev-\d+/gu) ?? []);
    const { 'lectern/snapshot': snapshot } = ('_meta' in result ? result._meta : {}) as Record<string, number>;
    const [mark = ''] = marks;
    if (snapshot === undefined || marks.size !== 1 || (revisions.get(snapshot) ?? mark) !== mark)
      wrong.push(`${snapshot}: ${text}`);
    else revisions.set(snapshot, mark);
    last = Math.max(last, snapshot ?? 0);
    answered += 1;
  };
  const run = async (index: number): Promise<void> => {
    const isModern = index % 2 === 0;
    const client = new Client(
      { name: 'load', version: '1.0.0' },
      isModern ? { versionNegotiation: { mode: { pin: '2026-07-28' } } } : {},
    );
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
    for (let turn = index; !over.signal.aborted; turn++) {
      const call = CALLS[turn % CALLS.length];
      if (call)
        await client.callTool(call).then(check, (error: unknown) => failed.push(`${call.name}: ${String(error)}`));
    }
    await client.close();
  };
  const running = Promise.all(Array.from({ length: clients }, (_, index) => run(index)));
  const stop = async (): Promise<void> => {
    over.abort();
    await running;
  };
  running.catch(() => undefined);
  return {
    failed,
    async more(answers) {
      const goal = answered + answers;
      await expect.poll(() => answered).toBeGreaterThanOrEqual(goal);
    },
    async reached(snapshot) {
      await expect.poll(() => last).toBeGreaterThanOrEqual(snapshot);
    },
    async end(published) {
      await stop();
      expect(wrong).toEqual([]);
      const numbers = [...published.keys()].sort((a, b) => a - b);
      for (const [snapshot, mark] of revisions) {
        const number = numbers.findLast((each) => each <= snapshot) ?? 0;
        expect([snapshot, mark]).toEqual([snapshot, `rev-${published.get(number)}`]);
      }
    },
    [Symbol.asyncDispose]: stop,
  };
}
