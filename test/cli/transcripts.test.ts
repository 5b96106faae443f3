/** What the commands print, kept as documents to be read: `__snapshots__/*.md`. */
import { expect, test } from 'vitest';
import { busyHome } from '../support/busy-home.ts';
import { widthOf } from '../../src/core/columns.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder, type TempFile, type TempFolder } from '../support/temp-folder.ts';

const FILES: Record<string, TempFile> = {
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/.agents/skills/git/SKILL.md': skillText({
    name: 'git',
    description: 'Commit, branch and rebase the way this team does',
    body: '# Git\n\nOne commit, one thought.\n',
  }),
  'project/.claude/skills/pdf/SKILL.md': skillText({
    name: 'pdf',
    description: 'Read and fill PDF forms. Use when a PDF is mentioned.',
    body: `# PDF\n\n${Array.from({ length: 25 }, (_, index) => `Step ${index + 1}.`).join('\n')}\n`,
  }),
  'project/.claude/skills/pdf/scripts/fill.py': 'print("filled")\n',
  'project/.claude/skills/Release_Notes/SKILL.md': skillText({
    name: 'Release_Notes',
    description: 'Write notes: what changed',
    more: ['model: opus'],
  }),
  'project/.claude/skills/broken/SKILL.md': '# No frontmatter\n',
  'project/.codex/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Another way to read PDFs' }),
  'home/.claude/skills/pdf/SKILL.md': skillText({ name: 'pdf', description: 'My own copy' }),
  'home/.claude/skills/off/.SKILL.md': skillText({ name: 'off', description: 'Switched off' }),
  'project/.mcp.json':
    '{ "mcpServers": { "lectern": { "type": "stdio", "command": "npx", "args": ["-y", "lectern", "mcp"] } } }\n',
  'project/.vscode/mcp.json':
    '{ "servers": { "lectern": { "command": "node", "args": ["/gone/dist/cli.js", "mcp"] } } }\n',
  'home/.codex/config.toml': 'model = "x"\n',
  'home/.config/lectern/config.json': '{ "exclude": ["nothing-like-it"] }\n',
};

async function transcript(
  folder: TempFolder,
  title: string,
  commands: readonly (readonly string[])[],
  env: Record<string, string> = {},
): Promise<string> {
  const sections = [`# ${title}`];
  for (const args of commands) {
    const { code, stdout, stderr } = await lectern(folder, args, { env });
    const line = ['lectern', ...args.map((arg) => (/^[\w./:=@,-]+$/u.test(arg) ? arg : `'${arg}'`))].join(' ');
    const parts = [`$ ${line}`, stdout, ...(stderr === '' ? [] : [`[stderr]\n${stderr}`])]
      .map((part) => part.trimEnd())
      .filter((part) => part !== '');
    sections.push(`## ${line}\n\n\`\`\`text\n${parts.join('\n')}\n\`\`\`\n\nExit code ${code ?? 'none'}.`);
  }
  return (
    `${sections.join('\n\n')}\n`
      .replaceAll(folder.dir, '<dir>')
      // The request has the paths of files, so its size depends on where they are.
      .replaceAll(/~[\d,]+( tokens before the first message, | \()[\d,]+/gu, '~<n>$1<n>')
      .replace(/\(\d+ missing; --verbose/gu, '(<n> missing; --verbose')
      .replaceAll(`Node.js ${process.versions.node}`, 'Node.js <version>')
      .replaceAll(`"node":"${process.versions.node}"`, '"node":"<version>"')
  );
}

const DOCUMENTS: { file: string; title: string; files?: Record<string, TempFile>; commands: string[][] }[] = [
  { file: 'overview', title: 'What was found here', commands: [[]] },
  {
    file: 'nothing-yet',
    title: 'A machine without skills',
    files: {},
    commands: [[], ['list'], ['doctor'], ['validate'], ['search', 'pdf']],
  },
  {
    file: 'list',
    title: 'Every skill',
    commands: [
      ['list'],
      ['list', '--include=auto'],
      ['list', '--include=codex,git'],
      ['list', '--disabled'],
      ['list', '--json', '--include=git', '--exclude='],
    ],
  },
  {
    file: 'show',
    title: 'One skill',
    commands: [
      ['show', 'claude:pdf'],
      ['show', 'git', '--full'],
      ['show', 'pdf'],
      ['show', 'gti'],
      ['show', 'gti', '--json'],
    ],
  },
  {
    file: 'search',
    title: 'Search',
    commands: [
      ['search', 'pdf'],
      ['search', 'commit', 'thought'],
      ['search', 'nothing', 'like', 'it'],
    ],
  },
  {
    file: 'validate',
    title: 'Validation',
    commands: [
      ['validate'],
      ['validate', 'git'],
      ['validate', 'Release_Notes', '--profile', 'claude'],
      ['validate', '--json', 'git'],
    ],
  },
  { file: 'doctor', title: 'Check-up', commands: [['doctor']] },
  {
    file: 'change',
    title: 'Commands that change something',
    commands: [
      ['disable', 'git'],
      ['disable', 'git'],
      ['enable', 'git'],
      ['disable', 'codex:pdf'],
      ['enable', 'codex:pdf'],
      ['new', 'release-plan'],
      ['new', 'release-plan'],
      ['new', 'Release Plan'],
    ],
  },
  {
    file: 'share',
    title: 'Sharing a skill with other agents',
    commands: [
      ['share', 'git', '--to', 'claude', '--dry-run'],
      ['share', 'git', '--to', 'claude'],
      ['share', 'git', '--to', 'all', '--yes'],
      ['share', 'git', '--to', 'all', '--yes'],
      ['share', 'git', '--to', 'claude:user', '--copy', '--yes', '--json'],
      ['verify'],
      ['remove', 'git', '--yes'],
      ['share', 'git', '--undo', '--yes'],
      ['share', 'git', '--undo', '--yes'],
      ['share', 'pdf', '--to', 'gemini'],
      ['share', './.codex/skills/pdf', '--to', 'claude', '--yes'],
      ['share', 'broken', '--to', 'codex', '--yes'],
      ['share', 'off', '--to', 'codex', '--yes'],
      ['share', 'git', '--to', 'cluade'],
      ['share', 'git', '--to', 'cursor'],
      ['share', 'git'],
    ],
  },
  {
    file: 'help',
    title: 'Help',
    files: {},
    commands: [
      ['show', '--help'],
      ['completion', '--help'],
    ],
  },
  {
    file: 'mistakes',
    title: 'Mistakes',
    files: {},
    commands: [
      ['lst'],
      ['list', '--jsno'],
      ['show'],
      ['list', '--include=codex:@plugins'],
      ['search', 'x', '--limit', '1000'],
    ],
  },
];

test.each(DOCUMENTS)('$file: $title', async ({ file, title, files = FILES, commands }) => {
  using folder = tempFolder(files);
  await expect(await transcript(folder, title, commands)).toMatchFileSnapshot(`./__snapshots__/${file}.md`);
});

test('a busy home, at 80 columns: from the overview to a fix, a new skill and the open tasks', async () => {
  using folder = tempFolder();
  folder.write(busyHome(folder.dir));
  const commands = [
    [],
    ['why', 'pdf'],
    ['share', 'pdf', '--to', 'codex', '--yes'],
    ['why', 'pdf'],
    ['why', 'code-review'],
    ['why', 'statistics'],
    ['share', 'pdf', '--undo', '--yes'],
    ['install', '../offered'],
    ['install', '../offered', 'link-checker', '-y'],
    ['agents'],
    ['change', 'list'],
    ['change', 'list', '--open'],
  ];
  const page = await transcript(folder, 'A busy home', commands, { COLUMNS: '80' });
  expect(page.split('\n').filter((line) => widthOf(line) > 80)).toEqual([]);
  await expect(page).toMatchFileSnapshot('./__snapshots__/busy-home.md');
});
