// The floor under any list: look at every SKILL.md, open it, read one block, close it. Parses nothing.
import fs from 'node:fs';

const block = Buffer.allocUnsafe(4096);
const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0);

function visit(dir) {
  const file = `${dir}/SKILL.md`;
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) {
    const fd = fs.openSync(file, flags);
    fs.fstatSync(fd);
    fs.readSync(fd, block, 0, block.length, 0);
    fs.closeSync(fd);
    return;
  }
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) if (entry.isDirectory()) visit(`${dir}/${entry.name}`);
}

visit('.claude/skills');
