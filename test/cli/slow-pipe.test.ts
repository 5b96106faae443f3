import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { CLI } from '../support/run-lectern.ts';

test.skipIf(process.platform === 'win32')(
  'through a pipe that does not wait, everything arrives in its order',
  async () => {
    using folder = tempFolder(
      Object.fromEntries(
        Array.from({ length: 1_200 }, (_, index) => [
          `.claude/skills/s${index}/SKILL.md`,
          skillText({
            name: `s${index}`,
            description: `Number ${index}. ${'word '.repeat(40)}${index % 2 === 0 ? 'été' : 'end'}`,
          }),
        ]),
      ),
    );
    const env = { PATH: process.env['PATH'], HOME: folder.dir };
    const expected = execFileSync(process.execPath, [CLI, 'list', '--json'], { cwd: folder.dir, env, maxBuffer: 1e8 });
    expect(expected.length).toBeGreaterThan(500_000);

    execFileSync('mkfifo', [folder.at('pipe')]);
    const pipe = fs.openSync(folder.at('pipe'), fs.constants.O_RDWR | fs.constants.O_NONBLOCK);
    const child = spawn(process.execPath, [CLI, 'list', '--json'], {
      cwd: folder.dir,
      env,
      stdio: ['ignore', pipe, 'inherit'],
    });
    const ended = once(child, 'exit');
    // Whoever opens one end of a pipe like this takes its patience away for both.
    const reader = new net.Socket({ fd: pipe, readable: true, writable: false });
    const pieces: Buffer[] = [];
    let read = 0;
    for await (const piece of reader) {
      pieces.push(piece);
      read += piece.length;
      if (read >= expected.length) break;
      await wait(2);
    }
    expect(await ended).toEqual([0, null]);
    expect(Buffer.concat(pieces).equals(expected)).toBe(true);
  },
);
