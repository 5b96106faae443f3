import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { rolldown } from 'rolldown';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles } from '../../../src/core/disk/node-tree.ts';
import { nodeWrites } from '../../../src/core/node-writes.ts';
import { WriteTrouble } from '../../../src/core/writes.ts';

let dir: string;
beforeEach(() => void (dir = fs.mkdtempSync(path.join(os.tmpdir(), 'lectern-replace-'))));
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const stampOf = (file: string) => nodeFiles.look(file)?.stamp;

describe('replace', () => {
  test('puts new content in place and keeps the mode', () => {
    const file = path.join(dir, 'f');
    for (const mode of [0o600, 0o640, 0o755]) {
      fs.writeFileSync(file, 'old');
      fs.chmodSync(file, mode);
      nodeWrites.replace(file, bytes('new'), stampOf(file));
      expect(fs.readFileSync(file, 'utf8')).toBe('new');
      expect(fs.statSync(file).mode & 0o7777).toBe(mode);
    }
    expect(fs.readdirSync(dir)).toEqual(['f']);
  });

  test('creates a file with its folders', () => {
    const file = path.join(dir, 'a', 'b', 'f');
    nodeWrites.replace(file, bytes('new'), undefined);
    expect(fs.readFileSync(file, 'utf8')).toBe('new');
    expect(fs.readdirSync(path.dirname(file))).toEqual(['f']);
  });

  test.each(['changed', 'exists'] as const)('refuses and leaves no trace when the file has %s', (reason) => {
    const file = path.join(dir, 'f');
    fs.writeFileSync(file, 'old');
    const before = reason === 'changed' ? stampOf(file) : undefined;
    fs.writeFileSync(file, 'somebody else’s');
    const attempt = () => nodeWrites.replace(file, bytes('new'), before);
    expect(attempt).toThrow(WriteTrouble);
    expect(attempt).toThrow(expect.objectContaining({ reason }));
    expect(fs.readFileSync(file, 'utf8')).toBe('somebody else’s');
    expect(fs.readdirSync(dir)).toEqual(['f']);
  });

  test('killed at any moment, it leaves the old content or the new, whole', async () => {
    const script = path.join(dir, 'writer.mjs');
    const bundle = await rolldown({
      input: 'writer',
      platform: 'node',
      external: [/^node:/u],
      resolve: { extensionAlias: { '.js': ['.ts', '.js'] } },
      plugins: [
        {
          name: 'writer',
          resolveId: (id) => (id === 'writer' ? id : undefined),
          load: (id) => (id === 'writer' ? writerSource() : undefined),
        },
      ],
    });
    await bundle.write({ file: script, format: 'esm' });
    await bundle.close();
    const file = path.join(dir, 'f');
    const seen = new Set<string>();
    for (let round = 0; round < 12; round += 1) {
      fs.rmSync(file, { force: true });
      fs.writeFileSync(file, 'a'.repeat(4_000_000), { mode: 0o600 });
      const child = execFile(process.execPath, [script, file]);
      await new Promise<void>((resolve) => void child.stdout?.once('data', () => resolve()));
      await sleep(round * 3);
      child.kill('SIGKILL');
      await new Promise<void>((resolve) => void child.once('close', () => resolve()));
      const text = fs.readFileSync(file, 'utf8');
      expect(text.length).toBe(4_000_000);
      expect(new Set(text).size).toBe(1);
      expect(fs.statSync(file).mode & 0o777).toBe(0o600);
      seen.add(text.charAt(0));
    }
    expect([...seen].every((letter) => letter === 'a' || letter === 'b')).toBe(true);
  });
});

/** Replaces one content by another over and over, until it is killed. */
function writerSource(): string {
  const from = (name: string): string => JSON.stringify(path.resolve('src/core', name));
  return `
    import { nodeWrites } from ${from('node-writes.ts')};
    import { nodeFiles } from ${from('disk/node-tree.ts')};
    const file = process.argv[2];
    process.stdout.write('ready');
    for (let turn = 0; ; turn += 1) nodeWrites.replace(file, new TextEncoder().encode((turn % 2 ? 'a' : 'b').repeat(4_000_000)), nodeFiles.look(file).stamp);
  `;
}
