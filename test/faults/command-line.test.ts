/** Group J: the contract of the command line, row by row. The details of each are in test/cli. */
import { expect, test } from 'vitest';
import { skillText } from '../support/skill-text.ts';
import { scene, SKILLS } from '../support/oracles.ts';

const VERBS = [
  [],
  ['list'],
  ['show', 'good'],
  ['search', 'control'],
  ['validate'],
  ['scan'],
  ['doctor'],
  ['enable', 'good'],
  ['disable', 'good'],
  ['new', 'fresh'],
  ['completion', 'bash'],
];

test.each([['lits'], ['list', '--jso'], ['show'], ['list', 'too', 'many']])(
  '%s %s: exit 2, on stderr',
  async (...args) => {
    using place = scene();
    const { stdout, stderr } = await place.run(args, { expectCode: 2 });
    expect(stdout).toBe('');
    expect(stderr).toMatch(/^lectern: /u);
  },
);

test('colors: none in a pipe, with NO_COLOR or on a dumb terminal; forced by FORCE_COLOR', async () => {
  using place = scene();
  for (const env of [{}, { NO_COLOR: '1' }, { TERM: 'dumb' }])
    expect((await place.run(['list'], { env })).stdout).not.toContain('\u001b');
});

test.each(VERBS.map((args) => ({ args, line: ['lectern', ...args].join(' ') })))(
  '$line --json: one document, done or not',
  async ({ args }) => {
    using place = scene();
    await place.run([...args, '--json'], { expectCode: 0 });
    place.write({ 'project/.lectern/config.json': '{' });
    // A second skill of the same name is refused, whatever the configuration says.
    if (args[0] === 'completion' || args[0] === 'new') return;
    const { stdout, stderr } = await place.run([...args, '--json']);
    expect(JSON.parse(stdout)).not.toHaveProperty('error');
    // The document of `doctor` contains the problem, so stderr does not repeat it.
    const [expected, other] = args[0] === 'doctor' ? [stdout, stderr] : [stderr, stdout];
    expect(expected).toContain('config-invalid');
    if (args[0] === 'doctor') expect(other).toBe('');
  },
);

test.each(VERBS.map((args) => ({ args, line: ['lectern', ...args].join(' ') })))(
  '$line with stdin closed and CI=1 ends by itself',
  async ({ args }) => {
    using place = scene();
    await place.run(args, { env: { CI: '1' }, through: ['sh', '-c', 'exec "$@" <&-', 'sh'], expectCode: 0 });
  },
);

test('a project path with a space, quotes, a dollar, an umlaut and an emoji', async () => {
  using place = scene({ [`we "ird" $HOME it's ü 😀/skills/a/SKILL.md`]: skillText({ name: 'a' }) });
  const dir = place.at(`we "ird" $HOME it's ü 😀`);
  for (const args of [['list'], ['show', 'a'], ['validate'], ['doctor'], []])
    expect((await place.run([...args, '--project-dir', dir], { expectCode: 0 })).stdout).toContain('a');
  for (const verb of ['validate', 'scan']) {
    const sarif = JSON.parse((await place.run([verb, '--sarif', '--project-dir', dir])).stdout) as object;
    expect(sarif).toHaveProperty('runs');
  }
});

test('doctor names six seeded faults with a fix each and exits 1; with none it exits 0', async () => {
  using clean = scene();
  expect((await clean.run(['doctor'], { expectCode: 0 })).stdout).toContain('No errors or warnings');
  using place = scene({
    [`${SKILLS}/empty/SKILL.md`]: '',
    [`${SKILLS}/nameless/SKILL.md`]: '---\ndescription: d\n---\n',
    [`${SKILLS}/leak/SKILL.md`]: { link: '/etc/hostname' },
    [`${SKILLS}/gone`]: { link: 'nowhere' },
    'project/.codex/skills/good/SKILL.md': skillText({ name: 'good', description: 'Another' }),
    'home/.claude/plugins/installed_plugins.json': '{',
  });
  const { stdout } = await place.run(['doctor'], { expectCode: 1 });
  for (const code of [
    'file-empty',
    'name-missing',
    'symlink-outside',
    'link-dangling',
    'name-ambiguous',
    'plugins-file-invalid',
  ])
    expect(stdout).toMatch(new RegExp(`${code} .+\\n.+\\n +fix: \\S`, 'u'));
});

test.each(['C', 'tr_TR.UTF-8'])('LANG=%s: TITLE is title', async (LANG) => {
  using place = scene({ [`${SKILLS}/title/SKILL.md`]: skillText({ name: 'title' }) });
  await place.run(['show', 'TITLE'], { env: { LANG, LC_ALL: LANG }, expectCode: 0 });
});

test.each(
  VERBS.map((args) => ({
    args: [...args.slice(0, 1), '--help'],
    line: ['lectern', ...args.slice(0, 1), '--help'].join(' '),
  })),
)('$line: exit 0, with an example', async ({ args }) => {
  using place = scene();
  expect((await place.run(args, { expectCode: 0 })).stdout).toMatch(/Examples:?\n +lectern/u);
});
