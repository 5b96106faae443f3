/** Homes and projects that show what agents differ in. Every description names its place, so that the copy can be told. */
import { PROFILES } from '../../src/agents/profiles/index.ts';
import type { ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';
import type { ListedAgent } from './agents.ts';
import type { Scene } from './skill-list.ts';

export const GIT: ProjectFiles = {
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'project/.git/config': '[core]\n\trepositoryformatversion = 0\n\tbare = false\n',
  'project/.git/objects/info/keep': '',
  'project/.git/refs/heads/keep': '',
};

/** The folder of skills that an agent reads in every version. */
export const OWN: Record<ListedAgent['client'], string> = {
  claude: '.claude/skills',
  codex: '.agents/skills',
  opencode: '.agents/skills',
  gemini: '.agents/skills',
  copilot: '.agents/skills',
  qwen: '.agents/skills',
  pi: '.agents/skills',
  kilo: '.agents/skills',
  kimi: '.agents/skills',
  cline: '.agents/skills',
  continue: '.continue/skills',
};

const EVERYWHERE = [
  '.agents/skills',
  '.claude/skills',
  '.codex/skills',
  '.gemini/skills',
  '.opencode/skills',
  '.opencode/skill',
  '.config/opencode/skills',
  '.config/agents/skills',
  '.cursor/skills',
  '.github/skills',
  '.copilot/skills',
  '.qwen/skills',
  '.pi/skills',
  '.pi/agent/skills',
  '.kilo/skills',
  '.kilocode/skills',
  '.config/kilo/skills',
  '.kimi-code/skills',
  '.clinerules/skills',
  '.cline/skills',
  '.continue/skills',
  'skills',
];

export const skill = (
  root: string,
  name: string,
  description = `${name} of ${root}`,
  more: readonly string[] = [],
) => ({
  [`${root}/${name}/SKILL.md`]: skillText({ name, description, more }),
});

/** Texts that differ in every line, so that a cut one tells whose it is. */
export function many(root: string, count: number, length: number): ProjectFiles {
  const names = Array.from({ length: count }, (_, index) => `skill-no-${String(index).padStart(4, '0')}`);
  return Object.assign(
    {},
    ...names.map((name, index) =>
      skill(
        root,
        name,
        `${index} of ${root}, `.padEnd(length - (index % 7), `all of it is about ${name}, `).trim() + '.',
      ),
    ),
  );
}

const FLAWED: Record<string, string> = {
  fine: '---\nname: fine\ndescription: Fine.\n---\n\nBody.\n',
  colon: '---\nname: colon\ndescription: Use it: now\n---\n\nBody.\n',
  'at-sign': '---\nname: at-sign\ndescription: @someone\n---\n\nBody.\n',
  'repeated-key': '---\nname: repeated-key\ndescription: one\ndescription: two\n---\n\nBody.\n',
  tab: '---\nname: tab\ndescription: Tabs.\nmetadata:\n\tauthor: me\n---\n\nBody.\n',
  list: '---\nname: list\ndescription: [one, two]\n---\n\nBody.\n',
  number: '---\nname: number\ndescription: 12\n---\n\nBody.\n',
  'numeric-name': '---\nname: 12\ndescription: A name of digits.\n---\n\nBody.\n',
  'byte-order-mark': '\ufeff---\nname: byte-order-mark\ndescription: Marked.\n---\n\nBody.\n',
  'carriage-returns': '---\r\nname: carriage-returns\r\ndescription: Returns.\r\n---\r\n\r\nBody.\r\n',
  'blank-first': '\n---\nname: blank-first\ndescription: Blank.\n---\n\nBody.\n',
  'no-fence': '# No fence\n\nBody.\n',
  unclosed: '---\nname: unclosed\ndescription: Never closed.\n\nBody.\n',
  'empty-file': '',
  'no-name': '---\ndescription: No name.\n---\n\nBody.\n',
  'no-description': '---\nname: no-description\n---\n\n## First line\n\nBody.\n',
  'empty-description': '---\nname: empty-description\ndescription:\n---\n\nBody.\n',
  'quoted-empty': '---\nname: quoted-empty\ndescription: ""\n---\n\nBody.\n',
  folded: '---\nname: folded\ndescription: >-\n  Two\n  lines.\n---\n\nBody.\n',
  literal: '---\nname: literal\ndescription: |\n  Two\n  lines.\n---\n\nBody.\n',
  markup: '---\nname: markup\ndescription: Use <b>tags</b> & "quotes".\n---\n\nBody.\n',
  'unquoted-bracket': '---\nname: unquoted-bracket\ndescription: [one] and two\n---\n\nBody.\n',
  'unclosed-quote': '---\nname: unclosed-quote\ndescription: "never closed\n---\n\nBody.\n',
};

const valueFile = (name: string, value: string): string =>
  `---\nname: ${name}\ndescription: ${value}\n---\n\nBody of it.\n`;

/** Descriptions that YAML, or a reader that is not quite YAML, takes for something else. */
const VALUES: Record<string, string> = {
  bracket: '[one] and two',
  brace: '{one} and two',
  'open-brace': '{one and two',
  backtick: '`code` first',
  percent: '%percent first',
  star: '*star first',
  ampersand: '&anchor first',
  bang: '!bang first',
  bar: '| bar first',
  greater: '> greater first',
  question: '? question',
  dash: '- dash first',
  comma: ', comma first',
  'open-quote': '"never closed',
  'open-single': "'never closed",
  'after-quote': '"quoted" and more',
  'after-single': "'quoted' and more",
  'end-colon': 'Use it:',
  'two-colons': 'a: b: c',
  hash: 'text # comment',
  'hash-first': '# only',
  at: '@someone',
  'at-and-colon': '@a: b',
  'in-brackets': '[one, two]',
  boolean: 'true',
  nothing: 'null',
  tilde: '~',
  float: '1.50',
  hex: '0x10',
  'long-number': '12345678901234567890',
  apostrophe: "It's fine",
  'quote-inside': 'say "hi": now',
  padded: '  padded  ',
  'escaped-quote': '"escaped \\" quote"',
  'escaped-break': '"a\\nb"',
  'single-quotes': "'it''s'",
  'bad-escape': '"bad \\q escape"',
};

/** Files that are odd in other ways. */
const ODD: Record<string, string> = {
  'tab-nested': '---\nname: tab-nested\ndescription: Tabs.\nmetadata:\n\tauthor: me\n---\n\nBody.\n',
  'tab-value': '---\nname:\ttab-value\ndescription:\tTabs.\n---\n\nBody.\n',
  'two-lines': '---\nname: two-lines\ndescription: one\n  two\n\n  three\n---\n\nBody.\n',
  'two-lines-with-colon': '---\nname: two-lines-with-colon\ndescription: one\n  two: three\n---\n\nBody.\n',
  'line-without-key': '---\nname: line-without-key\ndescription: one\ntwo\n---\n\nBody.\n',
  paragraphs: '---\nname: paragraphs\ndescription: |\n  One.\n\n  Two.\n    indented\n---\n\nBody.\n',
  'other-colon': '---\nname: other-colon\ndescription: fine\nlicense: a: b\n---\n\nBody.\n',
  'other-tag': '---\nname: other-tag\ndescription: fine\nx: !!js/function "a"\n---\n\nBody.\n',
  'four-dashes': '----\nname: four-dashes\ndescription: fine\n----\n\nBody.\n',
  'blank-after-fence': '--- \nname: blank-after-fence\ndescription: fine\n--- \n\nBody.\n',
  dots: '---\nname: dots\ndescription: fine\n...\n\nBody.\n',
  'text-after-fence': '---yaml\nname: text-after-fence\ndescription: fine\n---\n\nBody.\n',
  'nothing-in-it': '---\n---\n\nBody.\n',
  'comment-first': '---\n# comment\nname: comment-first\ndescription: fine\n---\n\nBody.\n',
  'name-twice': '---\nname: another\nname: name-twice\ndescription: fine\n---\n\nBody.\n',
  'license-twice': '---\nname: license-twice\ndescription: fine\nlicense: a\nlicense: b\n---\n\nBody.\n',
  'list-as-name': '---\nname: [a]\ndescription: fine\n---\n\nBody.\n',
  'empty-name': '---\nname:\ndescription: fine\n---\n\nBody.\n',
  capitals: '---\nName: capitals\nDescription: fine\n---\n\nBody.\n',
  'mark-and-returns': '\ufeff---\r\nname: mark-and-returns\r\ndescription: fine\r\n---\r\nBody.\r\n',
  'long-first-line': `---\nname: long-first-line\n---\n\n# ${'x'.repeat(150)}\n`,
  'escaped-before-cut': valueFile('escaped-before-cut', `${'<'.repeat(20)}${'y'.repeat(1_500)}`),
  'when-list': '---\nname: when-list\ndescription: fine\nwhen_to_use: [a, b]\n---\n\nBody.\n',
  'paths-of-everything': '---\nname: paths-of-everything\ndescription: fine\npaths: "**"\n---\n\nBody.\n',
  'no-paths': '---\nname: no-paths\ndescription: fine\npaths: []\n---\n\nBody.\n',
  control: '---\nname: control\ndescription: "a\\tb\\u0007c\\u200bd\\u2028e"\n---\n\nBody.\n',
  'dot.and_line': '---\nname: Other.name_x\ndescription: fine\n---\n\nBody.\n',
};

const LENGTHS = [1_000, 1_024, 1_025, 1_535, 1_536, 1_537, 3_000];

/** A marketplace in a folder, as `claude plugin marketplace add ./market` leaves it. */
export const MARKET: ProjectFiles = {
  'home/market/.claude-plugin/marketplace.json': JSON.stringify({
    name: 'market',
    owner: { name: 'someone' },
    plugins: ['on', 'off', 'unnamed'].map((name) => ({ name, source: `./${name}`, description: name })),
  }),
  ...Object.assign(
    {},
    ...['on', 'off', 'unnamed'].map((plugin) => ({
      [`home/market/${plugin}/.claude-plugin/plugin.json`]: JSON.stringify({ name: plugin, version: '1.0.0' }),
      ...skill(`home/market/${plugin}/skills`, 'pdf'),
      ...skill(`home/market/${plugin}/skills`, `only-${plugin}`),
      [`home/market/${plugin}/skills/bare/SKILL.md`]: '---\nname: bare\n---\n\nNot described.\n',
      [`home/market/${plugin}/skills/empty/SKILL.md`]: '',
      [`home/market/${plugin}/skills/renamed/SKILL.md`]: skillText({ name: 'other' }),
    })),
  ),
  'home/.claude/plugins/known_marketplaces.json': JSON.stringify({
    market: {
      source: { source: 'directory', path: '{home}/market' },
      installLocation: '{home}/market',
      lastUpdated: '2026-11-01T00:00:00.000Z',
    },
  }),
  'home/.claude/plugins/installed_plugins.json': JSON.stringify({
    version: 2,
    plugins: Object.fromEntries(
      ['on', 'off', 'unnamed'].map((plugin) => [
        `${plugin}@market`,
        [
          {
            scope: 'user',
            installPath: `{home}/market/${plugin}`,
            version: '1.0.0',
            installedAt: '2026-11-01T00:00:00.000Z',
            lastUpdated: '2026-11-01T00:00:00.000Z',
          },
        ],
      ]),
    ),
  }),
  'home/.claude/settings.json': JSON.stringify({ enabledPlugins: { 'on@market': true, 'off@market': false } }),
};

export const json = (value: unknown): string => JSON.stringify(value);

/** What each agent is shown, by what the page says about it. */
export function scenesFor(client: ListedAgent['client']): Record<string, Scene> {
  const [home, here] = [`home/${OWN[client]}`, `project/${OWN[client]}`];
  const scene = (files: ProjectFiles, below?: string): Scene => ({
    files: { ...GIT, ...files },
    ...(below === undefined ? {} : { in: below }),
  });
  return {
    'no skills at all': scene({}),
    '5 skills': scene(many(here, 5, 250)),
    '60 skills': scene(many(here, 60, 250)),
    '200 skills': scene({ ...many(here, 100, 250), ...many(home, 100, 250) }),
    '1,000 skills': scene(many(here, 1_000, 200)),
    'the same names in the home and in the project': scene({
      ...skill(home, 'pdf'),
      ...skill(here, 'pdf'),
      ...skill(home, 'alone-in-home'),
      ...skill(here, 'alone-in-project'),
    }),
    'a skill in every folder that some agent reads': scene(
      Object.assign(
        {},
        ...EVERYWHERE.flatMap((root) =>
          ['home', 'project', 'project/app'].map((place) =>
            skill(`${place}/${root}`, `${place}-${root}`.replaceAll(/[^a-z]+/gu, '-')),
          ),
        ),
      ),
      'project/app',
    ),
    'plugins that are on, off and not mentioned': scene({ ...MARKET, ...skill(home, 'pdf') }),
    'broken frontmatter': scene(
      Object.fromEntries(Object.entries(FLAWED).map(([name, text]) => [`${here}/${name}/SKILL.md`, text])),
    ),
    'values that are not plain YAML': scene({
      ...Object.fromEntries(
        Object.entries(VALUES).map(([name, value]) => [`${here}/${name}/SKILL.md`, valueFile(name, value)]),
      ),
      ...Object.fromEntries(Object.entries(ODD).map(([name, text]) => [`${here}/${name}/SKILL.md`, text])),
      // A name that is not text is compared only if the treatment of lists is known.
      ...(PROFILES.find(({ id }) => id === client)?.reading.unknown.includes('list')
        ? { [`${here}/list-as-name/SKILL.md`]: '---\nname: [list-as-name]\ndescription: fine\n---\n\nBody.\n' }
        : {}),
    }),
    'descriptions that are too long': scene(
      Object.assign(
        {},
        ...LENGTHS.map((length) => skill(here, `long-${length}`, `${length} `.padEnd(length, 'x'))),
        skill(here, 'emoji-1024', '🙂'.repeat(1_024)),
        skill(here, 'emoji-1025', '🙂'.repeat(1_025)),
      ),
    ),
    'names that differ from their folders': scene({
      [`${here}/folder/SKILL.md`]: skillText({ name: 'other' }),
      [`${here}/spaces/SKILL.md`]: skillText({ name: 'with some spaces' }),
      [`${here}/slash/SKILL.md`]: skillText({ name: 'a/b:c' }),
      [`${here}/long/SKILL.md`]: skillText({ name: 'n'.repeat(65) }),
      [`${here}/script/SKILL.md`]: skillText({ name: 'große-Änderung' }),
      [`${here}/first/SKILL.md`]: skillText({ name: 'same', description: 'first' }),
      [`${here}/second/SKILL.md`]: skillText({
        name: client === 'opencode' ? 'second' : 'same',
        description: 'second',
      }),
    }),
    'keys that hold a skill back': scene({
      ...skill(here, 'by-hand', undefined, ['disable-model-invocation: true']),
      ...skill(here, 'by-hand-yes', undefined, ['disable-model-invocation: "yes"']),
      ...skill(here, 'not-by-hand', undefined, ['disable-model-invocation: false']),
      ...skill(here, 'not-for-users', undefined, ['user-invocable: false']),
      ...skill(here, 'with-paths', undefined, ['paths: ["src/**"]']),
      ...skill(here, 'with-when', undefined, ['when_to_use: When there is a need']),
      ...skill(here, 'explicit', undefined),
      [`${here}/explicit/agents/openai.yaml`]: 'policy:\n  allow_implicit_invocation: false\n',
    }),
    links: scene({
      ...skill(here, 'real'),
      [`${here}/twice`]: { link: 'real' },
      ...skill('project/elsewhere', 'linked'),
      [`${here}/linked`]: { link: '../../elsewhere/linked' },
      ...skill('project/elsewhere', 'file'),
      [`${here}/linked-file/SKILL.md`]: { link: '../../../elsewhere/file/SKILL.md' },
      [`${here}/gone`]: { link: '../../nowhere' },
    }),
    'nested folders': scene({
      ...skill(here, 'plain'),
      ...skill(`${here}/plain/inside`, 'inside-a-skill'),
      ...skill(`${here}/group`, 'one-deeper'),
      ...skill(`${here}/a/b/c/d/e`, 'six-deep'),
      ...skill(`${here}/a/b/c/d/e/f`, 'seven-deep'),
      ...skill(here, '.hidden'),
      ...skill(`${here}/node_modules`, 'installed'),
      [`${here}/SKILL.md`]: skillText({ name: 'in-the-root' }),
      [`${here}/lower/skill.md`]: skillText({ name: 'lower' }),
      [`${here}/switched-off/.SKILL.md`]: skillText({ name: 'switched-off' }),
      ...skill(`project/packages/web/${OWN[client]}`, 'of-a-package'),
    }),
    ...OF_ONE[client]?.(scene, home, here),
  };
}

type Make = (files: ProjectFiles, below?: string) => Scene;

const five = (root: string): ProjectFiles =>
  Object.assign({}, ...['a', 'b', 'c', 'd', 'e'].map((name) => skill(root, name)));

/** A folder that is a skill and a plugin with one skill. */
const folderPlugin = (root: string, folder: string, manifest: object): ProjectFiles => ({
  [`${root}/${folder}/.claude-plugin/plugin.json`]: json(manifest),
  ...skill(root, folder),
  ...skill(`${root}/${folder}/skills`, `of-${folder}`),
});

/** Settings that only one agent has. */
const OF_ONE: Partial<
  Record<ListedAgent['client'], (scene: Make, home: string, here: string) => Record<string, Scene>>
> = {
  claude: (scene, home, here) => ({
    '60 skills, on a model with 200,000 tokens': scene({
      ...many(here, 60, 250),
      'home/.claude/settings.json': json({ model: 'claude-sonnet-4-5' }),
    }),
    'settings that switch skills off': scene({
      ...five(here),
      ...skill(home, 'mine'),
      'home/.claude/settings.json': json({ skillOverrides: { a: 'off', b: 'name-only', mine: 'user-invocable-only' } }),
      'project/.claude/settings.json': json({ skillOverrides: { c: 'off', d: 'off' } }),
      'project/.claude/settings.local.json': json({ skillOverrides: { d: 'on' } }),
    }),
    'settings for the length of the list': scene({
      ...many(here, 60, 250),
      'home/.claude/settings.json': json({ skillListingBudgetFraction: 0.005, skillListingMaxDescChars: 200 }),
    }),
    'without built-in skills': scene({
      ...many(here, 60, 250),
      'home/.claude/settings.json': json({ disableBundledSkills: true, model: 'claude-haiku-4-5' }),
    }),
    'skills that were used before': scene({
      ...many(here, 60, 250),
      'home/.claude/settings.json': json({ model: 'claude-sonnet-4-5' }),
      'home/.claude.json': json({
        skillUsage: {
          'skill-no-0041': { usageCount: 3, lastUsedAt: Date.now() },
          'skill-no-0050': { usageCount: 8, lastUsedAt: Date.now() - 21 * 86_400_000 },
          'skill-no-0020': { usageCount: 5, lastUsedAt: Date.now() },
        },
      }),
    }),
    'a plugin whose marketplace is not known': scene({
      ...MARKET,
      'home/.claude/plugins/known_marketplaces.json': '{}',
    }),
    'plugins in the order of the settings': scene({
      ...MARKET,
      'home/.claude/settings.json': json({ enabledPlugins: { 'unnamed@market': true, 'on@market': true } }),
      'project/.claude/settings.json': json({ enabledPlugins: { 'off@market': true, 'unnamed@market': true } }),
    }),
    // Only one is loaded: the order of several is that of the file system.
    'plugins in the folder of personal skills': scene({
      ...MARKET,
      ...folderPlugin(home, 'kit', { name: 'tools', skills: ['./more', './'] }),
      ...skill(`${home}/kit/more`, 'two'),
      [`${home}/kit/skills/renamed/SKILL.md`]: skillText({ name: 'other' }),
      [`${home}/kit/skills/bare/SKILL.md`]: '---\nname: bare\n---\n\nNot described.\n',
      ...folderPlugin(home, 'switched-off', { name: 'switched-off' }),
      ...folderPlugin(home, 'taken', { name: 'on' }),
      ...folderPlugin(home, 'odd-name', { name: 'odd name' }),
      ...folderPlugin(home, 'odd-version', { name: 'odd-version', version: 1 }),
      ...folderPlugin(here, 'of-project', { name: 'of-project' }),
      'home/.claude/settings.json': json({ enabledPlugins: { 'switched-off@skills-dir': false, 'on@market': true } }),
    }),
    'a plugin without a SKILL.md in the folder of personal skills': scene({
      [`${home}/kit/.claude-plugin/plugin.json`]: json({ name: 'tools' }),
      ...skill(`${home}/kit/skills`, 'one'),
      ...skill(here, 'one'),
    }),
  }),
  codex: (scene, _home, here) => ({
    'descriptions that are not ASCII in a full list': scene({
      ...Object.assign(
        {},
        ...['d', 'é', '漢', '🎉'].flatMap((letter) =>
          [20, 100, 300].map((length) => skill(here, `${letter}-${length}`, letter.repeat(length))),
        ),
      ),
      'home/.codex/config.toml': '[skills]\nmax_context_tokens = 1000\n',
    }),
    'settings that switch skills off': scene({
      ...five(here),
      'home/.codex/config.toml': '[[skills.config]]\nname = "a"\nenabled = false\n',
    }),
    'settings for the length of the list': scene({
      ...many(here, 60, 250),
      'home/.codex/config.toml': '[skills]\nmax_context_tokens = 2000\n',
    }),
  }),
  // Its own skills take 5,856 characters, and the frame of an entry 104.
  qwen: (scene, _home, here) => ({
    'a list of 8,000 characters': scene({
      [`${here}/a/SKILL.md`]: `---\nname: a\ndescription: "First.\\n${'x'.repeat(2_032)}"\n---\n`,
    }),
    'a list of 8,001 characters': scene({
      [`${here}/a/SKILL.md`]: `---\nname: a\ndescription: "First.\\n${'x'.repeat(2_033)}"\n---\n`,
    }),
  }),
  gemini: (scene, _home, here) => ({
    'settings that switch skills off': scene({
      ...five(here),
      'home/.gemini/settings.json': json({ skills: { disabled: ['b'] } }),
      'project/.gemini/settings.json': json({ skills: { disabled: ['d'] } }),
    }),
  }),
  opencode: (scene, _home, here) => ({
    'settings that switch skills off': scene({
      ...five(here),
      'project/opencode.json': json({ permission: { skill: { '*': 'allow', a: 'deny', 'b*': 'ask', c: 'deny' } } }),
    }),
    'a later rule that matches everything': scene({
      ...five(here),
      'project/opencode.json': json({ permission: { skill: { a: 'deny', '*': 'allow' } } }),
    }),
    'folders that the user’s settings add': scene({
      'home/.config/opencode/opencode.json': json({
        skills: { paths: ['~/mine', 'relative', '{home}/deep', '~/gone'] },
      }),
      ...skill('home/mine', 'of-the-home'),
      ...skill('home/mine/.hidden', 'hidden'),
      ...skill('home/mine/node_modules', 'installed'),
      ...skill('home/mine/of-the-home', 'inside-a-skill'),
      ...skill('home/relative', 'beside-the-home'),
      ...skill('project/relative', 'beside-the-project'),
      ...skill('home/deep/a/b/c', 'deeper'),
    }),
    'folders that the settings of the project add': scene(
      {
        'home/.config/opencode/opencode.json': json({ skills: { paths: ['~/mine'] } }),
        'project/.opencode/opencode.json': json({ skills: { paths: ['relative', './one/alone'] } }),
        'project/app/.opencode/opencode.json': json({ skills: { paths: ['replaced'] } }),
        ...skill('home/mine', 'replaced-too'),
        ...skill('project/relative', 'beside-the-root'),
        ...skill('project/app/relative', 'beside-the-app'),
        ...skill('project/app/one', 'alone'),
        ...skill('project/app/one', 'not-named'),
        ...skill('project/app/replaced', 'replaced'),
      },
      'project/app',
    ),
    'rules in the .opencode folders': scene({
      ...five(here),
      'project/opencode.json': json({ permission: { skill: { a: 'deny', b: 'deny' } } }),
      'project/.opencode/opencode.json': json({ permission: { skill: { a: 'allow', c: 'deny', d: 'deny' } } }),
      'home/.opencode/opencode.json': json({ permission: { skill: { d: 'allow' } } }),
    }),
    'rules in the home and in the project': scene({
      ...five(here),
      'home/.config/opencode/opencode.json': json({ permission: { skill: { a: 'deny', b: 'deny' } } }),
      'project/opencode.json': json({ permission: { skill: { '*': 'allow', b: 'allow' } } }),
    }),
  }),
};
