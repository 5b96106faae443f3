import { describe, expect, test } from 'vitest';
import type { SkillCatalog } from '../../src/skills/catalog.ts';
import { fullNameOf } from '../../src/skills/skill.ts';
import type { OpenOptions } from '../../src/workspace/settings.ts';
import { HOME as H, project, PROJECT as P } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import { fc, times } from '../support/effort.ts';

const PLUGINS = `${H}/.claude/plugins`;

/** Skills by place: `claude` is the project's .claude/skills, `user/codex` the home's .codex/skills, `plugin/x` a plugin, `skills` the vendored folder. */
async function catalogOf(
  places: Record<string, string | { name: string; folder?: string; file?: string }>,
  options: Partial<OpenOptions> = {},
): Promise<SkillCatalog> {
  const files: Record<string, string> = {};
  const plugins: Record<string, unknown> = {};
  for (const [place, given] of Object.entries(places)) {
    const { name, folder = name, file = 'SKILL.md' } = typeof given === 'string' ? { name: given } : given;
    const [first = '', second = ''] = place.replace(/#.*/u, '').split('/');
    let dir = first === 'skills' ? `${P}/skills` : `${P}/.${first}/skills`;
    if (first === 'user') dir = `${H}/.${second}/skills`;
    if (first === 'custom') dir = `/custom/${second}`;
    if (first === 'plugin') {
      plugins[`${second}@market`] = [{ scope: 'user', installPath: `/plugins/${second}` }];
      dir = `/plugins/${second}/skills`;
    }
    // Each differs, so that none is a copy.
    files[`${dir}/${folder}/${file}`] = skillText({ name, body: `From ${dir}.\n` });
  }
  if (Object.keys(plugins).length > 0)
    files[`${PLUGINS}/installed_plugins.json`] = JSON.stringify({ version: 2, plugins });
  return (await project(files).open(options)).snapshot.all;
}

function answer(catalog: SkillCatalog, name: string): string {
  const found = catalog.find(name);
  if (found.kind === 'found') return found.skill.file;
  return found.kind === 'missing' ? 'missing' : `ambiguous: ${found.skills.map(fullNameOf).join(', ')}`;
}

describe('the forms of a name', () => {
  const places = { claude: { name: 'My Skill', folder: 'my-folder' }, 'plugin/office': 'pdf' };

  test.each([
    'My Skill',
    'my skill',
    'MY SKILL',
    '  My Skill ',
    'my-folder',
    'MY-FOLDER',
    'claude:My Skill',
    'Claude:my skill',
    'claude:my-folder',
  ])('"%s" finds the skill of the project', async (name) => {
    expect(answer(await catalogOf(places), name)).toBe(`${P}/.claude/skills/my-folder/SKILL.md`);
  });

  test.each([
    'pdf',
    'PDF',
    'office:pdf',
    '@office:pdf',
    'claude:pdf',
    'claude:office:pdf',
    'claude:@office:pdf',
    'CLAUDE:@Office:PDF',
    '/pdf',
    'pdf/SKILL.md',
  ])('"%s" finds the skill of the plugin', async (name) => {
    expect(answer(await catalogOf(places), name)).toBe('/plugins/office/skills/pdf/SKILL.md');
  });

  test.each([
    '',
    ':pdf',
    'pdf:',
    'a:b:c',
    'codex:pdf',
    'claude:other:pdf',
    'claude:../pdf',
    '../pdf',
    'pdf/',
    'skills/pdf/SKILL.md',
    '//pdf',
    '/plugins/office/skills/pdf',
    'p*f',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
  ])('"%s" finds nothing', async (name) => {
    expect(answer(await catalogOf(places), name)).toBe('missing');
  });

  test('the form in which Unicode is written does not matter', async () => {
    const catalog = await catalogOf({ claude: { name: 'cafe\u0301', folder: 'x' } });
    expect(answer(catalog, 'CAF\u00c9')).toBe(`${P}/.claude/skills/x/SKILL.md`);
  });

  test('a name goes before the name of another skill’s folder', async () => {
    const catalog = await catalogOf({ codex: { name: 'pdf', folder: 'a' }, claude: { name: 'other', folder: 'pdf' } });
    expect(answer(catalog, 'pdf')).toBe(`${P}/.codex/skills/a/SKILL.md`);
  });

  test('a look-alike of another script is another name', async () => {
    expect(answer(await catalogOf({ claude: 'paypal' }), 'p\u0430ypal')).toBe('missing');
  });

  test('any lookup returns a skill, several or none, and never throws', async () => {
    const catalog = await catalogOf({ claude: 'pdf', codex: 'pdf', 'plugin/office': 'xlsx' });
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('pdf', 'codex:pdf', '@office:xlsx')),
        (name) => ['found', 'missing', 'ambiguous'].includes(catalog.find(name).kind),
      ),
    );
  });
});

describe('a full name means itself', () => {
  test('a skill that calls itself codex:pdf does not stand in the way of codex’s pdf', async () => {
    const catalog = await catalogOf({ claude: { name: 'codex:pdf', folder: 'x' }, codex: 'pdf' });
    expect(answer(catalog, 'codex:pdf')).toBe(`${P}/.codex/skills/pdf/SKILL.md`);
    expect(answer(catalog, 'claude:codex:pdf')).toBe(`${P}/.claude/skills/x/SKILL.md`);
  });

  test('nor does a skill of the shared folder, which wins every short name', async () => {
    const catalog = await catalogOf({ agents: { name: 'codex:pdf', folder: 'x' }, codex: 'pdf' });
    expect(answer(catalog, 'codex:pdf')).toBe(`${P}/.codex/skills/pdf/SKILL.md`);
  });

  test('nor does a plugin called codex', async () => {
    const catalog = await catalogOf({ 'plugin/codex': 'pdf', codex: 'pdf' });
    expect(answer(catalog, 'codex:pdf')).toBe(`${P}/.codex/skills/pdf/SKILL.md`);
    expect(answer(catalog, 'claude:codex:pdf')).toBe('/plugins/codex/skills/pdf/SKILL.md');
  });

  test('every skill that is not shadowed inside its provider loads by its full name', async () => {
    const provider = fc.constantFrom(
      'claude',
      'codex',
      'agents',
      'cursor',
      'skills',
      'plugin/codex',
      'plugin/office',
      'user/claude',
    );
    const name = fc.constantFrom('pdf', 'codex:pdf', 'office:pdf', 'claude:pdf', 'claude:office:pdf', '@office:pdf');
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(provider, name), { selector: ([place]) => place, maxLength: 6 }),
        async (entries) => {
          const catalog = await catalogOf(
            Object.fromEntries(entries.map(([place, each]) => [place, { name: each, folder: 'x' }])),
          );
          for (const skill of catalog.skills) {
            const found = catalog.find(fullNameOf(skill));
            expect(found.kind === 'found' && fullNameOf(found.skill)).toBe(fullNameOf(skill));
          }
        },
      ),
      { numRuns: times(60) },
    );
  });
});

describe('which copy a short name loads', () => {
  const PROJECT_CLAUDE = `${P}/.claude/skills/pdf/SKILL.md`;
  test.each([
    {
      story: 'project before user inside one provider',
      places: { claude: 'pdf', 'user/claude': 'pdf' },
      loads: PROJECT_CLAUDE,
    },
    {
      story: 'the shared folder before any agent',
      places: { claude: 'pdf', agents: 'pdf' },
      loads: `${P}/.agents/skills/pdf/SKILL.md`,
    },
    {
      story: 'the user’s shared folder before the project’s agent',
      places: { claude: 'pdf', 'user/agents': 'pdf' },
      loads: `${H}/.agents/skills/pdf/SKILL.md`,
    },
    { story: 'an agent before the vendored folder', places: { claude: 'pdf', skills: 'pdf' }, loads: PROJECT_CLAUDE },
    {
      story: 'the vendored folder before a plugin',
      places: { skills: 'pdf', 'plugin/office': 'pdf' },
      loads: `${P}/skills/pdf/SKILL.md`,
    },
    {
      story: 'a skill of Claude’s own before its plugins',
      places: { 'user/claude': 'pdf', 'plugin/office': 'pdf', 'plugin/other': 'pdf' },
      loads: `${H}/.claude/skills/pdf/SKILL.md`,
    },
    {
      story: 'two agents are ambiguous',
      places: { claude: 'pdf', codex: 'pdf' },
      loads: 'ambiguous: claude:pdf, codex:pdf',
    },
    {
      story: 'two plugins are ambiguous',
      places: { 'plugin/office': 'pdf', 'plugin/other': 'pdf' },
      loads: 'ambiguous: claude:office:pdf, claude:other:pdf',
    },
    {
      story: 'an agent and a plugin of another agent are ambiguous',
      places: { codex: 'pdf', 'plugin/office': 'pdf' },
      loads: 'ambiguous: codex:pdf, claude:office:pdf',
    },
    {
      story: 'three agents are ambiguous',
      places: { claude: 'pdf', codex: 'pdf', 'user/cursor': 'pdf' },
      loads: 'ambiguous: claude:pdf, codex:pdf, cursor:pdf',
    },
    {
      story: 'the shared folder settles what two agents leave open',
      places: { agents: 'pdf', claude: 'pdf', codex: 'pdf' },
      loads: `${P}/.agents/skills/pdf/SKILL.md`,
    },
    {
      story: 'the vendored folder settles nothing between two agents',
      places: { skills: 'pdf', claude: 'pdf', codex: 'pdf' },
      loads: 'ambiguous: claude:pdf, codex:pdf',
    },
    {
      story: 'the vendored folder settles what two plugins leave open',
      places: { skills: 'pdf', 'plugin/office': 'pdf', 'plugin/other': 'pdf' },
      loads: `${P}/skills/pdf/SKILL.md`,
    },
    {
      story: 'each agent enters with its best copy',
      places: { claude: 'pdf', 'user/claude': 'pdf', 'user/codex': 'pdf' },
      loads: 'ambiguous: claude:pdf, codex:pdf',
    },
    {
      story: 'case does not separate names',
      places: { claude: 'PDF', codex: 'pdf' },
      loads: 'ambiguous: claude:PDF, codex:pdf',
    },
    {
      story: 'an enabled skill before a disabled one that would win',
      places: { agents: { name: 'pdf', file: '.SKILL.md' }, claude: 'pdf' },
      loads: PROJECT_CLAUDE,
    },
  ])('$story', async ({ places, loads }) => {
    expect(answer(await catalogOf(places), 'pdf')).toBe(loads);
  });

  test('--skill-dir is the highest of all', async () => {
    const catalog = await catalogOf(
      { 'custom/x': 'pdf', agents: 'pdf', claude: 'pdf', codex: 'pdf' },
      { skillDir: ['/custom/x'] },
    );
    expect(answer(catalog, 'pdf')).toBe('/custom/x/pdf/SKILL.md');
  });

  test('both full names of an ambiguous name load', async () => {
    const catalog = await catalogOf({ claude: 'pdf', codex: 'pdf' });
    expect([answer(catalog, 'claude:pdf'), answer(catalog, 'codex:pdf')]).toEqual([
      PROJECT_CLAUDE,
      `${P}/.codex/skills/pdf/SKILL.md`,
    ]);
  });

  test('with project-first the project’s agent goes before the user’s shared folder', async () => {
    expect(answer(await catalogOf({ claude: 'pdf', 'user/agents': 'pdf' }, { priority: 'project-first' }), 'pdf')).toBe(
      PROJECT_CLAUDE,
    );
  });
});

describe('names in lists', () => {
  test('the short name, and the full one where the short one is ambiguous', async () => {
    const catalog = await catalogOf({ claude: 'pdf', codex: 'pdf', 'claude#2': 'git', skills: 'pdf' });
    expect(catalog.skills.map((skill) => catalog.displayName(skill))).toEqual([
      'git',
      'claude:pdf',
      'codex:pdf',
      'repo:pdf',
    ]);
  });

  test('a shadowed skill names the one that wins over it', async () => {
    const catalog = await catalogOf({ agents: 'pdf', claude: 'pdf', 'user/claude': 'pdf' });
    const [, second, third] = catalog.skills;
    expect([second, third].map((skill) => skill && catalog.shadowOf(skill)?.file)).toEqual([
      `${P}/.agents/skills/pdf/SKILL.md`,
      `${P}/.agents/skills/pdf/SKILL.md`,
    ]);
  });

  test('nothing shadows or is ambiguous without being reported', async () => {
    const catalog = await catalogOf({ claude: 'pdf', 'user/claude': 'pdf', codex: 'pdf' });
    expect(catalog.nameDiagnostics().map(({ code, path }) => [code, path])).toEqual([
      ['name-ambiguous', `${P}/.claude/skills/pdf/SKILL.md`],
      ['name-shadowed', `${H}/.claude/skills/pdf/SKILL.md`],
    ]);
  });

  test('two folders of one root that differ only in case collide: one loads and the other is a warning', async () => {
    const catalog = await catalogOf({ 'claude#1': 'Git', 'claude#2': 'git' });
    expect(answer(catalog, 'GIT')).toBe(`${P}/.claude/skills/Git/SKILL.md`);
    expect(catalog.nameDiagnostics()).toMatchObject([
      { code: 'name-collision', severity: 'warning', path: `${P}/.claude/skills/git/SKILL.md` },
    ]);
  });

  test('two folders that differ only in the form of Unicode collide too', async () => {
    const catalog = await catalogOf({ 'claude#1': 'caf\u00e9', 'claude#2': 'cafe\u0301' });
    expect(catalog.nameDiagnostics().map(({ code }) => code)).toEqual(['name-collision']);
  });

  test('disabled copies neither shadow nor confuse enabled ones', async () => {
    const catalog = await catalogOf({ claude: { name: 'pdf', file: '.SKILL.md' }, codex: 'pdf' });
    expect(catalog.nameDiagnostics()).toEqual([]);
    expect(catalog.skills.map((skill) => catalog.shadowOf(skill))).toEqual([undefined, undefined]);
  });

  test('a typo finds the nearest names', async () => {
    const catalog = await catalogOf({ 'claude#1': 'git', 'claude#2': 'xlsx', 'claude#3': 'pull-request' });
    expect(catalog.find('gti')).toEqual({ kind: 'missing', near: ['git'] });
    expect(catalog.find('review request')).toEqual({ kind: 'missing', near: ['pull-request'] });
  });
});
