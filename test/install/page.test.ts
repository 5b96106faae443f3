/** The sessions on the pages about installing and sharing, run as they stand: only the address of the server is another one. */
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { gitServer } from '../support/git-server.ts';
import { lectern, PACKAGE_DIR } from '../support/run-lectern.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PAGES = ['docs/installing.md', 'docs/sharing.md']
  .map((page) => fs.readFileSync(path.join(PACKAGE_DIR, page), 'utf8'))
  .join('\n');
const NOTES = '---\nname: release-notes\ndescription: Write release notes\n---\n\nCollect the changes.\n';

test('the pages show the actual command output', async () => {
  await using server = await gitServer();
  const repository = server.repository(
    'shop',
    {
      'skills/release-notes/SKILL.md': NOTES,
      'skills/release-notes/scripts/collect.sh': '#!/bin/sh\ngit log --oneline "$1"..HEAD\n',
      'skills/stock/SKILL.md': '---\nname: stock\ndescription: Check the stock\n---\n\nLook it up.\n',
    },
    ['skills/release-notes/scripts/collect.sh'],
  );
  using folder = tempFolder();
  const blocks = [...PAGES.matchAll(/^```console\n(.*?)^```$/gmsu)].map(([, block = '']) => block);
  const [install = '', update = '', verify = '', share = ''] = blocks.map((block) => block.slice(0, -1));
  const run = async (session: string): Promise<void> => {
    const [command = '', ...shown] = session.split('\n');
    const args = command.replace('$ lectern ', '').replace('https://git.example.com', server.url).split(' ');
    const { stdout, stderr } = await lectern(folder, args);
    expect(stderr).toBe('');
    const printed = stdout.replaceAll(server.url, 'https://git.example.com');
    expect(printed).toBe(`${shown.join('\n')}\n`);
  };
  await run(install);
  await run(verify);
  repository.commit({ 'skills/release-notes/SKILL.md': `${NOTES}Then sort them.\n` });
  await run(update);
  const sessions = share.split(/^(?=\$ )/mu).map((session) => session.trimEnd());
  for (const session of sessions) await run(session);
  expect([blocks.length, sessions.length]).toEqual([4, 3]);
});
