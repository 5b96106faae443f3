/** The files of a machine in daily use: 46 skills over three agents' folders, a project and three plugins, and a project with specs. */
import { skillText } from './skill-text.ts';
import type { TempFile } from './temp-folder.ts';

type Skills = Readonly<Record<string, string>>;

const PERSONAL: Skills = {
  pdf: 'Read, fill and merge PDF files. Use when the user mentions a PDF.',
  docx: 'Create and edit Word documents with tracked changes.',
  xlsx: 'Build spreadsheets with formulas and charts.',
  pptx: 'Make slides from an outline.',
  'brand-guidelines': 'Colors, fonts and logos of the company.',
  'code-review': 'Review a pull request for mistakes, tests and names.',
  'commit-messages': 'Write commit messages in the style of the team.',
  'css-layout': 'Choose between grid and flexbox, and debug overflows.',
  'data-cleaning': 'Find and repair missing and inconsistent values in tables.',
  'design-tokens': 'Keep colors and spacing in one file.',
  diagrams: 'Draw sequence and architecture diagrams as text.',
  'email-drafts': 'Draft short emails in a friendly tone.',
  'frontend-testing': 'Test components the way that users use them.',
};

const SHARED: Skills = {
  'git-workflow': 'Branch, rebase and resolve conflicts the way this team does.',
  docker: 'Write small container images and debug builds.',
  kubernetes: 'Inspect and repair workloads in a cluster.',
  'sql-tuning': 'Read query plans and add the right indexes.',
  terraform: 'Plan and review changes to infrastructure.',
  'shell-scripts': 'Write shell scripts that fail early and clean up.',
  'code-review': 'Review code for security first. Use before every merge.',
};

const CODEX: Skills = {
  'api-client': 'Generate a typed client from an OpenAPI document.',
  benchmarks: 'Measure before and after a change.',
  migrations: 'Write database migrations that can be undone.',
  profiling: 'Find the slowest part of a program.',
  'rust-errors': 'Explain and repair errors of the borrow checker.',
};

const PROJECT_CLAUDE: Skills = {
  'release-notes': 'Write the notes of a release from merged pull requests.',
  'checkout-tests': 'Run the tests of the checkout with sample carts.',
  'feature-flags': 'Add, roll out and remove feature flags.',
  'seed-data': 'Fill the development database.',
  translations: 'Add a text in every language of the shop.',
  'incident-report': 'Write a report after an incident.',
};

const PROJECT_SHARED: Skills = {
  'api-conventions': 'Names, errors and paging of our endpoints.',
  'local-setup': 'Start the shop on a laptop.',
  'test-data': 'Create customers and orders for tests.',
};

const PLUGINS: Readonly<Record<string, Skills>> = {
  backend: {
    'queue-workers': 'Design workers that can be restarted at any time.',
    caching: 'Decide what to cache, where and for how long.',
    'rate-limits': 'Protect endpoints from too many requests.',
    webhooks: 'Send and verify webhooks.',
  },
  documents: {
    'style-guide': 'Write clear and short documentation.',
    tutorials: 'Write a tutorial that works when it is copied.',
    changelogs: 'Keep a changelog for people.',
    'api-reference': 'Document every endpoint with an example.',
  },
  research: {
    'literature-review': 'Summarize papers and compare their methods.',
    surveys: 'Design questions that do not suggest the answer.',
    interviews: 'Prepare and evaluate interviews with users.',
    statistics: 'Choose a test and report its result.',
  },
};

/** The skills of a source to install from. */
const OFFERED: Skills = {
  accessibility: 'Check pages for keyboard use, contrast and labels. Use when a page is built or changed.',
  'image-alt-text': 'Write alternative texts for images.',
  'link-checker': 'Find broken links on a page, and suggest where they should lead.',
};

function below(root: string, skills: Skills): [string, string][] {
  return Object.entries(skills).map(([name, description]) => [
    `${root}/${name}/SKILL.md`,
    skillText({ name, description }),
  ]);
}

function delta(kind: string, requirement: string, text: string): string {
  return `## ${kind} Requirements\n\n### Requirement: ${requirement}\n${text}\n\n#### Scenario: It works\n- **WHEN** it is tried\n- **THEN** it works\n`;
}

const PROPOSAL =
  '## Why\n\nCustomers ask for it every week, and support answers the same questions again.\n\n## What Changes\n\n- One more page\n';

const SPECS: Record<string, string> = {
  'project/openspec/specs/checkout/spec.md': `# checkout\n\n## Purpose\n\nCustomers pay for the contents of their carts, with a card or an invoice.\n\n${delta('', 'Payment by card', 'The shop SHALL accept cards.').replace('##  ', '## ')}`,
  'project/openspec/changes/add-gift-cards/proposal.md': PROPOSAL,
  'project/openspec/changes/add-gift-cards/tasks.md':
    '## 1. Checkout\n\n- [x] 1.1 Store gift cards\n- [x] 1.2 Accept a code at the checkout\n- [ ] 1.3 Show the remaining amount\n- [ ] 1.4 Test a card that has expired\n',
  'project/openspec/changes/add-gift-cards/specs/checkout/spec.md': delta(
    'ADDED',
    'Payment by gift card',
    'The shop SHALL accept gift cards.',
  ),
  'project/openspec/changes/add-invoices/proposal.md': PROPOSAL,
  'project/openspec/changes/add-invoices/tasks.md': '- [x] 1.1 Create the invoice\n- [x] 1.2 Send it\n',
  'project/openspec/changes/add-invoices/specs/checkout/spec.md': delta(
    'ADDED',
    'Payment by invoice',
    'The shop SHALL send an invoice on request.',
  ),
  'project/openspec/changes/faster-search/proposal.md': PROPOSAL,
  'project/openspec/changes/faster-search/tasks.md': '- [ ] 1.1 Measure the search\n- [ ] 1.2 Add an index\n',
  'project/openspec/changes/faster-search/specs/search/spec.md': delta(
    'ADDED',
    'Fast results',
    'The search SHALL show results within a second.',
  ),
  'project/openspec/changes/rename-cart/proposal.md': PROPOSAL,
  'project/openspec/changes/rename-cart/tasks.md': '- [x] 1.1 Rename the page\n',
  'project/openspec/changes/rename-cart/specs/checkout/spec.md': delta(
    'MODIFIED',
    'Shopping cart',
    'The shop SHALL call the cart a basket.',
  ),
};

/** Plugins are recorded with absolute paths, so `dir` is the folder that gets the files. */
export function busyHome(dir: string): Record<string, TempFile> {
  const cache = 'home/.claude/plugins/cache/market';
  const installed = Object.keys(PLUGINS).map((plugin) => [
    `${plugin}@market`,
    [
      {
        scope: 'user',
        installPath: `${dir}/${cache}/${plugin}/1.0.0`,
        version: '1.0.0',
        installedAt: '2026-01-01T00:00:00.000Z',
        lastUpdated: '2026-01-01T00:00:00.000Z',
      },
    ],
  ]);
  return Object.fromEntries([
    ['project/.git/HEAD', 'ref: refs/heads/main\n'],
    ['home/.codex/config.toml', 'model = "x"\n'],
    [
      'home/.claude/settings.json',
      JSON.stringify({
        enabledPlugins: { 'backend@market': true, 'documents@market': true, 'research@market': false },
      }),
    ],
    [
      'home/.claude/plugins/installed_plugins.json',
      JSON.stringify({ version: 2, plugins: Object.fromEntries(installed) }),
    ],
    ...below('home/.claude/skills', PERSONAL),
    ...below('home/.agents/skills', SHARED),
    ...below('home/.codex/skills', CODEX),
    ...below('project/.claude/skills', PROJECT_CLAUDE),
    ...below('project/.agents/skills', PROJECT_SHARED),
    ...Object.entries(PLUGINS).flatMap(([plugin, skills]) => [
      [`${cache}/${plugin}/1.0.0/.claude-plugin/plugin.json`, JSON.stringify({ name: plugin, version: '1.0.0' })],
      ...below(`${cache}/${plugin}/1.0.0/skills`, skills),
    ]),
    ...below('offered/skills', OFFERED),
    ...Object.entries(SPECS),
  ]) as Record<string, TempFile>;
}
