// The floor under any list: open every SKILL.md, see what it is, read one block, close it. Parses nothing.
const fs = require('node:fs');

const block = Buffer.allocUnsafe(2048);
const flags = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);

function visit(dir) {
  let fd;
  try {
    fd = fs.openSync(`${dir}/SKILL.md`, flags);
  } catch {
    for (const entry of fs.readdirSync(dir, { withFileTypes: true }))
      if (entry.isDirectory()) visit(`${dir}/${entry.name}`);
    return;
  }
  fs.fstatSync(fd);
  fs.readSync(fd, block, 0, block.length, null);
  fs.closeSync(fd);
}

visit('.claude/skills');
