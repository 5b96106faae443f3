// Makes corpora of skills that look like real ones: the same bytes on every machine, kept between runs.
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FORMAT = 2;
const TOPICS = [
  'invoice',
  'database',
  'deployment',
  'accessibility',
  'translation',
  'incident',
  'release',
  'security',
  'design',
  'testing',
  'billing',
  'search',
];
const ACTIONS = [
  'review',
  'plan',
  'audit',
  'write',
  'migrate',
  'measure',
  'explain',
  'repair',
  'convert',
  'summarize',
  'compare',
  'schedule',
];
const WORDS =
  'the team reads each change before it is merged and notes what a customer would see first then checks the logs for warnings that were not there yesterday because small signs come early when a queue grows or a cache goes cold keep the steps short name the command to run and say what it should print so that a reader can tell at once whether the work is done'.split(
    ' ',
  );

/** A small generator of pseudo-random numbers: seeded, so that every run measures the same files. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Writes `count` skills below `<dir>/.claude/skills` unless they are there already; returns the folder to work in. */
export function makeCorpus(dir, count) {
  const done = join(dir, `.complete-${FORMAT}`);
  if (existsSync(done)) return dir;
  rmSync(dir, { recursive: true, force: true });
  const next = random(count);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const prose = (characters) => {
    let text = '';
    while (text.length < characters) text += `${pick(WORDS)} `;
    return text.slice(0, characters).trim();
  };
  for (let index = 0; index < count; index++) {
    const name = `${pick(ACTIONS)}-${pick(TOPICS)}-${index}`;
    // One in twenty lies a level deeper, in a folder of its kind.
    const folder = join(dir, '.claude/skills', ...(index % 20 === 7 ? [`group-${index % 9}`] : []), name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), skillText(index, name, prose, pick, next));
    const files = Math.floor(next() * 10);
    for (let file = 0; file < files; file++) {
      const below = join(folder, file % 3 === 0 ? 'scripts' : 'references');
      mkdirSync(below, { recursive: true });
      writeFileSync(join(below, `part-${file}.md`), `${prose(200 + next() * 1500)}\n`);
    }
  }
  writeFileSync(done, '');
  return dir;
}

function skillText(index, name, prose, pick, next) {
  const description = `${prose(60 + next() * 220)}. Use when somebody asks about ${pick(TOPICS)} or ${pick(TOPICS)}.`;
  // One in fifty is broken in one of the ways met in the wild.
  if (index % 50 === 13)
    return [
      `# ${name}\n\n${prose(2000)}\n`,
      `---\nname: ${name}\n---\n${prose(500)}\n`,
      `---\nname: ${name}\ndescription: Use when: ${description}\n---\n${prose(3000)}\n`,
    ][index % 3];
  const style = index % 10;
  const described =
    style === 3
      ? `>-\n  ${description.replaceAll('. ', '.\n  ')}`
      : style === 5
        ? JSON.stringify(description)
        : description;
  const extras =
    style === 1
      ? 'license: MIT\nmetadata:\n  author: example\n  version: "1.0"\n'
      : style === 2
        ? 'allowed-tools: Read Grep Bash(git:*)\n'
        : '';
  const sections = [];
  const length = 2000 + next() * 11000;
  let total = 0;
  while (total < length) {
    const section = `## ${pick(ACTIONS)} ${pick(TOPICS)}\n\n${prose(300 + next() * 600)}\n\n1. ${prose(60)}\n2. ${prose(80)}\n\n\`\`\`sh\n${pick(ACTIONS)} --${pick(TOPICS)}\n\`\`\`\n`;
    sections.push(section);
    total += section.length;
  }
  return `---\nname: ${name}\ndescription: ${described}\n${extras}---\n\n# ${name}\n\n${sections.join('\n')}`;
}
