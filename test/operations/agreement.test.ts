/** Every place that reports how agents treat skills gives the same answer, in homes that people would not think of. */
import { expect, test } from 'vitest';
import { type Status, STATUSES } from '../../src/agents/status.ts';
import { expectAgreement } from '../support/agreement.ts';
import { fc, times } from '../support/effort.ts';
import { HOME, project, PROJECT, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

const FOLDERS = [
  'home/.claude/skills',
  'home/.agents/skills',
  'home/.codex/skills',
  'home/.gemini/skills',
  'home/.config/opencode/skills',
  'home/.cursor/skills',
  'home/.copilot/skills',
  'project/.claude/skills',
  'project/.agents/skills',
  'project/.codex/skills',
  'project/.gemini/skills',
  'project/.opencode/skills',
  'project/.github/skills',
  'project/skills',
  'project/apps/web/.claude/skills',
  'project/.agents/skills/group/deeper',
];
const NAMES = ['pdf', 'git', 'release-notes', 'a', 'Über', 'docs'];

/** Homes rarely have all agents, so each one is there or not. */
const TRACES: ProjectFiles = {
  'home/.claude/settings.json': '{}',
  'home/.codex/config.toml': '',
  'home/.gemini/settings.json': '{}',
  'home/.config/opencode/opencode.json': '{}',
  'home/.cursor/mcp.json': '{}',
  'home/.copilot/config.json': '{}',
  'home/.config/goose/config.yaml': '',
};

const textFor = fc.record({
  name: fc.constantFrom(...NAMES),
  description: fc.constantFrom('Reads files.', 'Other text.', 'd'.repeat(300), 'd'.repeat(1_600)),
  kind: fc.constantFrom(
    'plain',
    'plain',
    'plain',
    'undescribed',
    'bare',
    'quotes',
    'unclosed',
    'colon',
    'manual',
    'paths',
    'number',
  ),
});

function written({ name, description, kind }: { name: string; description: string; kind: string }): string {
  if (kind === 'undescribed') return `---\nname: ${name}\n---\nThe first line.\n`;
  if (kind === 'bare') return `# ${name}\n\nText.\n`;
  if (kind === 'quotes') return `---\nname: ${name}\ndescription: "${description}" and more\n---\nBody.\n`;
  if (kind === 'unclosed') return `---\nname: ${name}\ndescription: ${description}\n`;
  if (kind === 'colon') return skillText({ name, description: `Use it: ${description}` });
  if (kind === 'manual') return skillText({ name, description, more: ['disable-model-invocation: true'] });
  if (kind === 'paths') return skillText({ name, description, more: ['paths: "**/*.md"'] });
  return skillText({ name, description: kind === 'number' ? '12' : description });
}

const aSkill = fc.record({
  folder: fc.constantFrom(...FOLDERS),
  /** Often the name, sometimes another one. */
  dir: fc.constantFrom(...NAMES),
  file: fc.constantFrom('SKILL.md', 'SKILL.md', 'SKILL.md', '.SKILL.md'),
  text: textFor,
});

const aLink = fc.record({ from: fc.constantFrom(...FOLDERS), name: fc.constantFrom(...NAMES), to: fc.nat() });

const aHome = fc.record({
  traces: fc.subarray(Object.keys(TRACES)),
  hasGit: fc.boolean(),
  skills: fc.array(aSkill, { minLength: 5, maxLength: 16, size: 'max' }),
  links: fc.array(aLink, { maxLength: 2 }),
  claude: fc.constantFrom(
    '{}',
    JSON.stringify({ skillOverrides: { pdf: 'off', git: 'name-only', a: 'user-invocable-only' } }),
    JSON.stringify({ skillListingBudgetFraction: 0.001 }),
    JSON.stringify({ enabledPlugins: { 'office@shop': true } }),
  ),
  codex: fc.constantFrom(
    '',
    '[skills]\nmax_context_tokens = 60\n',
    '[skills]\nmax_context_tokens = 200\n',
    '[[skills.config]]\nname = "git"\nenabled = false\n',
  ),
  gemini: fc.constantFrom('{}', '{"skills":{"disabled":["pdf"]}}'),
  plugin: fc.constantFrom('none', 'installed', 'known'),
});
type AHome = typeof aHome extends fc.Arbitrary<infer Home> ? Home : never;

function filesOf({ traces, hasGit, skills, links, claude, codex, gemini, plugin }: AHome): ProjectFiles {
  const files: ProjectFiles = Object.fromEntries(traces.map((file) => [file, TRACES[file] ?? '']));
  if (hasGit) files['project/.git/HEAD'] = '';
  const taken = new Set<string>();
  for (const { folder, dir, file, text } of skills) {
    const place = `${folder}/${dir}`;
    if (!taken.has(place)) files[`${place}/${file}`] = written(text);
    taken.add(place);
  }
  const places = [...taken];
  for (const { from, name, to } of links) {
    const target = places[to % Math.max(1, places.length)];
    const link = `${from}/${name}`;
    if (target === undefined || taken.has(link)) continue;
    taken.add(link);
    files[link] = { link: target.replace(/^project/u, PROJECT).replace(/^home/u, HOME) };
  }
  if (traces.includes('home/.claude/settings.json')) files['home/.claude/settings.json'] = claude;
  if (traces.includes('home/.codex/config.toml')) files['home/.codex/config.toml'] = codex;
  if (traces.includes('home/.gemini/settings.json')) files['home/.gemini/settings.json'] = gemini;
  if (plugin !== 'none') {
    const root = 'home/.claude/plugins';
    const installPath = `${HOME}/.claude/plugins/cache/shop/office/1.0.0`;
    files[`${root}/cache/shop/office/1.0.0/skills/pdf/SKILL.md`] = skillText({
      name: 'pdf',
      description: 'Of a plugin',
    });
    files[`${root}/installed_plugins.json`] = JSON.stringify({
      version: 2,
      plugins: { 'office@shop': [{ scope: 'user', installPath }] },
    });
    if (plugin === 'known')
      files[`${root}/known_marketplaces.json`] = JSON.stringify({
        shop: {
          source: { source: 'github', repo: 'acme/shop' },
          installLocation: `${HOME}/.claude/plugins/marketplaces/shop`,
        },
      });
  }
  return files;
}

test('list, why, agents, the matrix, the overview, doctor and the page agree about every skill and agent', async () => {
  const met = new Set<Status>();
  await fc.assert(
    fc.asyncProperty(aHome, async (home) => {
      const agreed = await expectAgreement(await project(filesOf(home)).open());
      for (const status of agreed.statuses) met.add(status);
    }),
    { numRuns: times(40, 200) },
  );
  // A sample without one of the statuses would prove little.
  expect([...met].toSorted()).toEqual([...STATUSES].toSorted());
});
