import fs from 'node:fs';
import { expect, test } from 'vitest';
import { nodeFiles } from '../../src/core/disk/node-tree.ts';
import { readBundle } from '../../src/skills/bundle.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

test.skipIf(process.platform !== 'linux')('a file whose name is not UTF-8 is missing, and reported', () => {
  using folder = tempFolder();
  folder.write({ 'pdf/SKILL.md': skillText({ name: 'pdf' }), 'pdf/a\ufffd.txt': 'This name is.' });
  const dir = folder.at('pdf');
  fs.writeFileSync(Buffer.concat([Buffer.from(`${dir}/b`), Buffer.from([0xe9])]), '');
  const { files, diagnostics } = readBundle(nodeFiles, { dir, realFile: `${dir}/SKILL.md` });
  expect(files.map(({ path }) => path)).toEqual(['SKILL.md', 'a\ufffd.txt']);
  expect(diagnostics).toMatchObject([
    { code: 'file-unreadable', severity: 'warning', path: `${dir}/b\ufffd`, message: 'its name is not UTF-8' },
  ]);
});
