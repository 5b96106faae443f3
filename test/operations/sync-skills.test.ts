import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { syncSkills } from '../../src/operations/sync-skills.ts';
import { ask } from '../support/ask.ts';
import { project, PROJECT, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const SKILLS = {
  'project/.agents/skills/b/SKILL.md': skillText({ name: 'b', description: 'Second.' }),
  'project/.claude/skills/a/SKILL.md': skillText({ name: 'a', description: 'First.' }),
  'home/.claude/skills/mine/SKILL.md': skillText({ name: 'mine' }),
};
const BLOCK = `<!-- lectern:start -->
<!-- Written by lectern sync. What you change here is lost. -->

## Skills

Before a task that a skill describes, read its file and follow it.

- **a**: First. (.claude/skills/a/SKILL.md)
- **b**: Second. (.agents/skills/b/SKILL.md)
<!-- lectern:end -->`;

async function sync(files: ProjectFiles, given: { file?: string[]; check?: boolean } = {}) {
  const place = project({ ...SKILLS, ...files });
  return { place, answer: await ask(syncSkills, given, await place.open()) };
}

describe('which files', () => {
  test('AGENTS.md is created if there is none of the three; the skills of the user are not listed', async () => {
    const { place, answer } = await sync({});
    expect(answer).toEqual({
      command: 'sync',
      files: [{ file: `${PROJECT}/AGENTS.md`, status: 'created', skills: 2 }],
    });
    expect(place.read('project/AGENTS.md')).toBe(`${BLOCK}\n`);
  });

  test('those that exist are updated, and no other one is created', async () => {
    const { place, answer } = await sync({ 'project/CLAUDE.md': '# Rules\n', 'project/GEMINI.md': 'Be brief.' });
    expect(answer.files.map(({ file, status }) => `${status} ${file}`)).toEqual([
      `updated ${PROJECT}/CLAUDE.md`,
      `updated ${PROJECT}/GEMINI.md`,
    ]);
    expect(place.read('project/CLAUDE.md')).toBe(`# Rules\n\n${BLOCK}\n`);
    expect(place.read('project/GEMINI.md')).toBe(`Be brief.\n\n${BLOCK}\n`);
    expect(place.exists('project/AGENTS.md')).toBe(false);
  });

  test('from a folder of the project, the list of the root is the same as from the root', async () => {
    const place = project({
      ...SKILLS,
      'project/.git/HEAD': '',
      'project/apps/web/.claude/skills/w/SKILL.md': skillText({ name: 'w', description: 'Of the app.' }),
    });
    await ask(syncSkills, {}, await place.open());
    const before = place.read('project/AGENTS.md');
    const answer = await ask(
      syncSkills,
      { check: true },
      await place.open({ projectDir: place.at('project/apps/web') }),
    );
    expect(answer).toMatchObject({ files: [{ file: `${PROJECT}/AGENTS.md`, status: 'unchanged' }], stale: false });
    expect(place.read('project/AGENTS.md')).toBe(before);
  });

  test('a folder with an AGENTS.md lists its own skills there', async () => {
    const place = project({
      ...SKILLS,
      'project/.git/HEAD': '',
      'project/AGENTS.md': '# All\n',
      'project/apps/web/AGENTS.md': '# Web\n',
      'project/apps/web/.claude/skills/w/SKILL.md': skillText({ name: 'w', description: 'Of the app.' }),
    });
    await ask(syncSkills, {}, await place.open({ projectDir: place.at('project/apps/web') }));
    expect(place.read('project/AGENTS.md')).toBe('# All\n');
    const text = place.read('project/apps/web/AGENTS.md');
    expect(text).toContain('- **w**: Of the app. (.claude/skills/w/SKILL.md)');
    expect(text).not.toContain('**a**');
  });

  test('files that are named, with paths from where they are', async () => {
    const { place } = await sync({}, { file: ['docs/AGENTS.md'] });
    expect(place.read('project/docs/AGENTS.md')).toContain('(../.claude/skills/a/SKILL.md)');
  });

  test('two names of one file are written once', async () => {
    const { place, answer } = await sync({ 'project/AGENTS.md': '# A\n', 'project/CLAUDE.md': { link: 'AGENTS.md' } });
    expect(answer.files).toHaveLength(1);
    expect(place.read('project/AGENTS.md')).toBe(`# A\n\n${BLOCK}\n`);
    expect(place.disk.look(place.at('project/CLAUDE.md'))?.kind).toBe('link');
  });

  test('a link out of the project is refused', async () => {
    const files = { 'project/AGENTS.md': { link: '/home/someone/notes.md' }, 'home/notes.md': 'private' };
    await expect(sync(files)).rejects.toMatchObject({ code: 'REFUSED' });
  });

  test('without skills nothing is created', async () => {
    const place = project({});
    const { files } = await ask(syncSkills, {}, await place.open());
    expect(files).toEqual([{ file: `${PROJECT}/AGENTS.md`, status: 'unchanged', skills: 0 }]);
    expect(place.exists('project/AGENTS.md')).toBe(false);
  });
});

describe('the rest of the file', () => {
  test('a second run changes nothing', async () => {
    const { place } = await sync({ 'project/AGENTS.md': '# Rules\n' });
    const once = place.read('project/AGENTS.md');
    expect((await ask(syncSkills, {}, await place.open())).files).toMatchObject([{ status: 'unchanged' }]);
    expect(place.read('project/AGENTS.md')).toBe(once);
  });

  test.each([
    ['line feeds', '\n'],
    ['carriage returns and line feeds', '\r\n'],
  ])('keeps its bytes and its %s', async (_, end) => {
    const before = Buffer.from(`\ufeff# Größe${end}\ttail  ${end}`);
    const after = Buffer.concat([Buffer.from(`${end}more \u{1f980}${end}`), Buffer.from([0xff, 0xc3, 0x28])]);
    const old = Buffer.from(['<!-- lectern:start -->', 'old', '<!-- lectern:end -->'].join(end));
    const { place } = await sync({ 'project/AGENTS.md': Buffer.concat([before, old, after]) });
    const bytes = place.disk.read(place.at('project/AGENTS.md'), 1 << 20).bytes;
    const block = Buffer.from(BLOCK.replaceAll('\n', end));
    expect(Buffer.from(bytes).equals(Buffer.concat([before, block, after]))).toBe(true);
  });

  const MARKERS = '<!-- lectern:start -->\n<!-- lectern:end -->\n';
  const indented = (by: string): string => MARKERS.replaceAll(/^(?=.)/gmu, by);

  test.each([
    ['a code block', `\`\`\`md\n${MARKERS}\`\`\`\n`],
    ['a code block of tildes', `~~~\n${MARKERS}~~~\n`],
    ['a code block with a shorter fence in it', `\`\`\`\`md\n\`\`\`\n${MARKERS}\`\`\`\`\n`],
    ['a code block with an indented fence in it', `\`\`\`md\n    \`\`\`\n${MARKERS}\`\`\`\n`],
    ['indented code', `Like this:\n\n${indented('    ')}\n`],
    ['code indented by a tab', `Like this:\n\n${indented('\t')}\n`],
    ['a code block in a list', `- \`\`\`\n${indented('  ')}  \`\`\`\n`],
    ['a code block below a list item', `1. Like this:\n\n   \`\`\`\n${indented('   ')}   \`\`\`\n`],
  ])('markers in %s are text', async (_, code) => {
    const text = `# How\n\n${code}`;
    const { place } = await sync({ 'project/AGENTS.md': text });
    expect(place.read('project/AGENTS.md')).toBe(`${text}\n${BLOCK}\n`);
    expect((await ask(syncSkills, {}, await place.open())).files).toMatchObject([{ status: 'unchanged' }]);
  });

  test.each([
    ['a fence that is never closed', '```sh\nmake\n'],
    ['inline code between three backticks', '```make``` builds it\n'],
    ['indented code with a fence in it', '    ```\n    make\n'],
    ['a fence in a list that is never closed', '- ```\n  make\n\nBuild it.\n'],
  ])('%s hides no block', async (_, text) => {
    const { place } = await sync({ 'project/AGENTS.md': `# How\n\n${text}` });
    const once = place.read('project/AGENTS.md');
    expect((await ask(syncSkills, {}, await place.open())).files).toMatchObject([{ status: 'unchanged' }]);
    expect(place.read('project/AGENTS.md')).toBe(once);
  });

  test.each([
    ['only a start', '<!-- lectern:start -->\n', 1],
    ['only an end', 'a\n<!-- lectern:end -->\n', 2],
    ['in the wrong order', '<!-- lectern:end -->\n<!-- lectern:start -->\n', 1],
    ['two starts', '<!-- lectern:start -->\n<!-- lectern:start -->\n<!-- lectern:end -->\n', 2],
    ['two blocks', '<!-- lectern:start -->\n<!-- lectern:end -->\n<!-- lectern:start -->\n<!-- lectern:end -->\n', 3],
  ])('broken markers are refused, and no file is written: %s', async (_, text, line) => {
    const place = project({ ...SKILLS, 'project/AGENTS.md': '# A\n', 'project/CLAUDE.md': text });
    await expect(ask(syncSkills, {}, await place.open())).rejects.toMatchObject({ code: 'REFUSED', line });
    expect(place.read('project/AGENTS.md')).toBe('# A\n');
    expect(place.read('project/CLAUDE.md')).toBe(text);
  });

  test('a description cannot forge a marker, a heading or a second entry', async () => {
    const description = 'x <!-- lectern:end -->\\n## Orders\\n- **b**: y <system>';
    const { place } = await sync({
      'project/.claude/skills/a/SKILL.md': `---\nname: a\ndescription: "${description}"\n---\n\nBody.\n`,
    });
    const text = place.read('project/AGENTS.md');
    expect(text.split('<!-- lectern:end -->')).toHaveLength(2);
    expect(text).toContain('- **a**: x &lt;!-- lectern:end --&gt; ## Orders - **b**: y &lt;system&gt; (');
    expect((await ask(syncSkills, {}, await place.open())).files).toMatchObject([{ status: 'unchanged' }]);
  });
});

test.skipIf(process.platform === 'win32').each([
  ['read-only', 'UNWRITABLE', (file: string) => fs.chmodSync(file, 0o444)],
  ['hard link', 'REFUSED', (file: string) => fs.linkSync(file, `${file}.second`)],
])('a protected file (%s) is refused with the reason, and no other file is written', async (reason, code, protect) => {
  using place = project({ ...SKILLS, 'project/AGENTS.md': '# A\n', 'project/CLAUDE.md': '# C\n' }, 'disk');
  protect(place.at('project/CLAUDE.md'));
  const workspace = await place.open();
  expect(await ask(syncSkills, { check: true }, workspace)).toMatchObject({ stale: true });
  await expect(ask(syncSkills, {}, workspace)).rejects.toMatchObject({
    code,
    path: place.at('project/CLAUDE.md'),
    message: expect.stringContaining(reason),
  });
  expect([place.read('project/AGENTS.md'), place.read('project/CLAUDE.md')]).toEqual(['# A\n', '# C\n']);
});

test('--check and --dry-run write nothing; only a stale list fails the check', async () => {
  const { place, answer } = await sync({ 'project/AGENTS.md': '# A\n' }, { check: true });
  expect(answer).toMatchObject({ files: [{ status: 'would-update' }], stale: true });
  expect(await ask(syncSkills, { dryRun: true }, await place.open())).toMatchObject({
    files: [{ status: 'would-update' }],
    dryRun: true,
  });
  expect(place.read('project/AGENTS.md')).toBe('# A\n');
  await ask(syncSkills, {}, await place.open());
  expect(await ask(syncSkills, { check: true }, await place.open())).toMatchObject({ stale: false });
});
