/**
 * The files of a machine after a year of use: 80 skills in the folders of four agents, three files that cannot be read, and a
 * project with 50 specs and 20 open changes. The texts contain everything that has once broken the layout of a page.
 */
import { skillText } from './skill-text.ts';
import type { TempFile } from './temp-folder.ts';

type Files = Record<string, TempFile>;

/** Where the skills are, and how many. With the skills below, these are 80. */
const FOLDERS: readonly (readonly [folder: string, skills: number])[] = [
  ['home/.claude/skills', 24],
  ['home/.agents/skills', 13],
  ['home/.codex/skills', 6],
  ['home/.gemini/skills', 4],
  ['home/.copilot/skills', 4],
  ['project/.claude/skills', 10],
  ['project/.agents/skills', 7],
  ['project/.github/skills', 3],
];

const TOPICS = [
  'api-contracts',
  'browser-tests',
  'cache-rules',
  'data-imports',
  'email-templates',
  'feature-flags',
  'git-history',
  'help-articles',
  'invoice-layout',
  'job-queues',
  'key-rotation',
  'load-tests',
  'map-tiles',
  'name-checks',
  'order-exports',
  'price-tables',
  'query-plans',
  'report-figures',
  'schema-changes',
  'theme-colors',
  'unit-prices',
  'video-captions',
  'web-fonts',
  'zip-archives',
];
const VERBS = ['review', 'write', 'repair'];

/** A name for each number. Numbers up to 71 have different names. */
function nameOf(index: number): string {
  return `${TOPICS[index % TOPICS.length]}-${VERBS[Math.floor(index / TOPICS.length) % VERBS.length]}`;
}

function descriptionOf(index: number): string {
  const [topic = '', verb = ''] = [
    TOPICS[index % TOPICS.length],
    VERBS[Math.floor(index / TOPICS.length) % VERBS.length],
  ];
  const words = topic.replace('-', ' ');
  const first = `Helps to ${verb} ${words} in this team’s projects. Use when a request mentions ${words}.`;
  const more = `start with the newest ${words}, compare them with the checklist, and report every difference with its line.`;
  // Most descriptions have one sentence; some are longer than the limits of agents.
  const repeated = index % 11 === 5 ? 12 : index % 5 === 2 ? 3 : 0;
  return [first, ...Array.from({ length: repeated }, (_, at) => `In step ${at + 1}, ${more}`)].join(' ');
}

/** Skills with texts that are hard to lay out. */
const ODD: Readonly<Record<string, string>> = {
  'home/.claude/skills/right-to-left/SKILL.md': skillText({
    name: 'right-to-left',
    description: '"כתיבת סיכום של פגישה. Use when the notes are in Hebrew. safe\\u202Egnp.exe\\u2066 end\\u2069"',
    body: '# סיכום\n\nכתבו סיכום קצר, עם `git log` בסוף.\n\n- **ראשון**: קראו הכול\n- שני: כתבו\n',
  }),
  'home/.claude/skills/dunder-methods/SKILL.md': skillText({
    name: 'dunder-methods',
    description: 'Explains `__init__`, `__repr__` and `__eq__` of Python classes. Use when a class has `__slots__`.',
    body: '# `__init__` and friends\n\nRead [`__init__`](references/__init__.md), then [`__eq__`](references/__eq__.md) first.\n',
  }),
  'home/.claude/skills/dunder-methods/references/__init__.md': '# __init__\n\nCalled for every new object.\n',
  'home/.claude/skills/dunder-methods/references/__eq__.md': '# __eq__\n\nCalled for `==`.\n',
  'home/.claude/skills/dunder-methods/scripts/list_slots.py': '"""Prints the slots."""\n',
  'project/.claude/skills/wide-tables/SKILL.md': skillText({
    name: 'wide-tables',
    description: 'Formats wide tables of figures. Use when a table has more columns than the page.',
    body: `# Wide tables\n\n${wideTable()}\n`,
  }),
};

/** Nine columns with whole sentences, which no narrow column can hold. */
function wideTable(): string {
  const columns = [
    'Status',
    'Meaning',
    'Owner',
    'First step',
    'Second step',
    'Escalation',
    'Deadline',
    'Record',
    'Notes',
  ];
  const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    row(columns),
    row(columns.map(() => '---')),
    ...['received', 'checked', 'shipped'].map((status) =>
      row(
        columns.map((column, at) =>
          at === 0 ? `\`order_${status}_at\`` : `The ${column.toLowerCase()} of ${status} orders`,
        ),
      ),
    ),
  ].join('\n');
}

/** One name in several folders: the same text, nearly the same text, and another text. */
function copies(): Files {
  const text = (last: string): string =>
    skillText({
      name: 'release-notes',
      description: 'Writes the notes of a release from merged pull requests. Use before a release.',
      body: `# Release notes\n\n1. List the merged pull requests.\n2. Group them by area.\n3. ${last}\n`,
    });
  const shared = skillText({ name: 'standup', description: 'Summarizes the work of a day. Use before a standup.' });
  return {
    'home/.claude/skills/release-notes/SKILL.md': text('Ask for a review.'),
    'home/.agents/skills/release-notes/SKILL.md': text('Ask two people for a review.'),
    'project/.claude/skills/release-notes/SKILL.md': text('Publish them.'),
    'project/.claude/skills/release-notes/references/template.md': '# Version\n\n- Changes\n',
    'home/.codex/skills/standup/SKILL.md': shared,
    'home/.gemini/skills/standup/SKILL.md': shared,
    // No agent reads this folder.
    'project/skills/draft-letters-to-customers-in-several-languages/SKILL.md': skillText({
      name: 'draft-letters-to-customers-in-several-languages',
    }),
    'home/.claude/skills/paused/.SKILL.md': skillText({ name: 'paused', description: 'Disabled for now.' }),
  };
}

const BROKEN: Files = {
  'home/.claude/skills/half-written/SKILL.md': '---\nname: half-written\ndescription: : : "no end\n  - x\n',
  'project/.agents/skills/no-header/SKILL.md': '# No header\n\nThis file has no frontmatter at all.\n',
  'home/.codex/skills/release-notez/SKILL.md': '---\nname: [release\n---\n',
};

function skills(): Files {
  const files: Files = {};
  let index = 0;
  for (const [folder, wanted] of FOLDERS)
    for (let at = 0; at < wanted; at += 1, index += 1) {
      const name = nameOf(index);
      files[`${folder}/${name}/SKILL.md`] = skillText({
        name,
        description: descriptionOf(index),
        body: `# ${name}\n\nRead the ${TOPICS[index % TOPICS.length]} first, then \`npm test\`.\n\n## Steps\n\n1. Look.\n2. Change one thing.\n3. Look again.\n`,
        more: index % 17 === 3 ? ['allowed-tools: Bash, Read', 'argument-hint: "[file]"'] : [],
      });
      if (index % 13 === 4)
        files[`${folder}/${name}/references/checklist.md`] = '# Checklist\n\n- [ ] Looked\n'.repeat(900);
    }
  return files;
}

const AREAS = [
  'accounts',
  'billing',
  'catalog',
  'delivery',
  'identity',
  'messages',
  'orders',
  'reports',
  'returns',
  'search',
];
const PARTS = ['rules', 'limits', 'history', 'export', 'notices'];

const requirement = (title: string, words: string): string =>
  `### Requirement: ${title}\nThe shop SHALL ${words}.\n\n#### Scenario: Usual case\n- **GIVEN** a customer with the role \`buyer\`\n- **WHEN** they open the page\n- **THEN** the shop shows \`order_id\` and ${words.split(' ').slice(0, 3).join(' ')}\n\n#### Scenario: Nothing to show\n- **WHEN** there is no entry\n- **THEN** the page says so\n`;

const titleOf = (area: string, part: string, at: number): string =>
  `${area.charAt(0).toUpperCase()}${area.slice(1)} ${part} ${['are complete', 'stay private', 'can be corrected'][at % 3]}`;

function specs(): Files {
  const files: Files = {};
  AREAS.forEach((area, row) =>
    PARTS.forEach((part, column) => {
      const titles = Array.from({ length: 2 + ((row + column) % 3) }, (_, at) => titleOf(area, part, at)).slice(0, 3);
      files[`project/openspec/specs/${area}/${part}/spec.md`] =
        `# ${area}/${part} Specification\n\n## Purpose\nThe ${part} of ${area}, as customers and \`support\` see them every day in the shop.\n\n## Requirements\n\n${titles
          .map((title) => requirement(title, `keep the ${part} of ${area} for one year`))
          .join('\n')}`;
    }),
  );
  return files;
}

/** Open changes. Numbers 3 and 4 change the same requirement, so do 7 and 8. Number 12 is finished but cannot be archived. */
function changes(): Files {
  const files: Files = {};
  for (let at = 0; at < 20; at += 1) {
    const [area = '', part = ''] = [AREAS[(at === 4 ? 3 : at === 8 ? 7 : at) % AREAS.length], PARTS[at < 10 ? 0 : 1]];
    const id = `${['improve', 'extend', 'limit', 'simplify'][at % 4]}-${area}-${part}${at === 4 || at === 8 ? '-again' : ''}`;
    const folder = `project/openspec/changes/${id}`;
    const [done, total] = at === 12 ? [4, 4] : [at % 5, 4 + (at % 3)];
    const isAdded = at % 3 === 2;
    const title = isAdded
      ? `New ${area} ${part}`
      : at === 12
        ? 'A requirement that was never written'
        : titleOf(area, part, 0);
    files[`${folder}/proposal.md`] =
      `# ${area} ${part}\n\n## Why\n\nCustomers ask for \`${area}/${part}\` every week, and support answers the same questions again.\n\n## What Changes\n\n- **${area}**: ${part} are kept for two years\n\n${at === 0 ? wideTable() : ''}\n`;
    files[`${folder}/tasks.md`] =
      `## 1. ${area}\n\n${Array.from({ length: total }, (_, task) => `- [${task < done ? 'x' : ' '}] 1.${task + 1} Change \`${area}_${part}_${task}\` and **test** it`).join('\n')}\n`;
    if (at % 4 === 0)
      files[`${folder}/design.md`] =
        `### Context\n\nThe table \`${area}\` has no index.\n\n##### Decision\n\nAdd one.\n`;
    files[`${folder}/specs/${area}/${part}/spec.md`] =
      `## ${isAdded ? 'ADDED' : 'MODIFIED'} Requirements\n\n${requirement(title, `keep the ${part} of ${area} for two ${at === 4 ? 'long years' : 'years'} in every country`)}`;
  }
  for (let week = 1; week <= 4; week += 1) {
    const [area = '', part = ''] = [AREAS[week], PARTS[4]];
    const folder = `project/openspec/changes/archive/2026-0${week}-1${week}-add-${area}-${part}`;
    files[`${folder}/proposal.md`] = `## Why\n\nCustomers missed ${part}.\n\n## What Changes\n\n- ${area}\n`;
    files[`${folder}/tasks.md`] = '- [x] 1.1 Done\n';
    files[`${folder}/specs/${area}/${part}/spec.md`] =
      `## ADDED Requirements\n\n${requirement(`${area} ${part}`, 'send it')}`;
  }
  return files;
}

/** The files, below `project/` and `home/`. The same in every run. */
export function largeHome(): Files {
  return {
    'project/.git/HEAD': 'ref: refs/heads/a-branch-with-a-long-name\n',
    'home/.claude/settings.json': '{"skillListingBudgetFraction":0.004}',
    'home/.codex/config.toml': 'model = "x"\n',
    'home/.gemini/settings.json': '{}',
    'home/.copilot/config.json': '{}',
    ...skills(),
    ...copies(),
    ...ODD,
    ...BROKEN,
    ...specs(),
    ...changes(),
  };
}
