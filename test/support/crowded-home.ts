/** The files of a long-lived machine: 80 skills over four agents and a project with 50 specs, 20 open and 30 archived changes. */
import type { ProjectFiles } from './project.ts';
import { skillText } from './skill-text.ts';

const TOPICS = [
  'accessibility',
  'benchmarks',
  'caching',
  'data-models',
  'email-drafts',
  'feature-flags',
  'git-history',
  'http-clients',
  'incident-reports',
  'json-schemas',
] as const;
const TASKS = ['audit', 'design', 'migration', 'review', 'testing', 'tuning', 'monitoring', 'planning'] as const;

/** Folder of the skills of each task. Three agents share some of them. */
const FOLDERS = [
  'home/.claude/skills',
  'home/.claude/skills',
  'home/.claude/skills',
  'home/.agents/skills',
  'home/.agents/skills',
  'home/.agents/skills',
  'project/.claude/skills',
  'home/.codex/skills',
] as const;

const words = (name: string): string => name.replaceAll('-', ' ');

/** Descriptions get longer from topic to topic, so that the lists of two agents are full. */
function describe(topic: string, task: string, index: number): string {
  const uses = Array.from(
    { length: 2 + index },
    (_, use) => `to compare ${words(topic)} before step ${use + 1} of a ${task}, with the figures of the last release`,
  );
  return `Plans and checks the ${task} of ${words(topic)}. Use it ${uses.join(', ')}.`;
}

function skills(): ProjectFiles {
  return Object.fromEntries(
    TASKS.flatMap((task, at) =>
      TOPICS.map((topic, index) => {
        const name = `${topic}-${task}`;
        const folder = task === 'planning' && index > 6 ? 'project/.github/skills' : FOLDERS[at];
        return [`${folder}/${name}/SKILL.md`, skillText({ name, description: describe(topic, task, index) })];
      }),
    ),
  );
}

const AREAS = ['billing', 'catalog', 'checkout', 'identity', 'shipping'] as const;
const PARTS = [
  'addresses',
  'alerts',
  'exports',
  'history',
  'imports',
  'limits',
  'permissions',
  'reports',
  'settings',
  'webhooks',
] as const;

function requirement(name: string, text = `The system SHALL keep ${name.toLowerCase()}.`): string {
  return `### Requirement: ${name}\n${text}\n\n#### Scenario: ${name} works\n- **WHEN** a customer needs it\n- **THEN** it works\n`;
}

const RULES = ['Limits are shown', 'Errors are explained', 'Changes are logged'] as const;

function specs(): ProjectFiles {
  return Object.fromEntries(
    AREAS.flatMap((area) =>
      PARTS.map((part) => [
        `project/openspec/specs/${area}/${part}/spec.md`,
        `# ${part}\n\n## Purpose\n\nHow ${area} handles ${part} for every customer of the shop.\n\n## Requirements\n\n${RULES.map((name) => requirement(name)).join('\n')}`,
      ]),
    ),
  );
}

interface Change {
  /** Finished tasks of four. */
  done: number;
  deltas: Readonly<Record<string, string>>;
}

const section = (kind: string, ...entries: readonly string[]): string =>
  `## ${kind} Requirements\n\n${entries.join('\n')}\n`;
const removed = (name: string): string =>
  section('REMOVED', `### Requirement: ${name}\n**Reason**: Nobody used it.\n**Migration**: None is needed.\n`);
const modified = (name: string, text: string): string => section('MODIFIED', requirement(name, text));
const added = (name: string): string => section('ADDED', requirement(name));

/** Changes that meet others, need others or would be refused. */
const SPECIAL: Readonly<Record<string, Change>> = {
  'add-export-queue': { done: 1, deltas: { 'billing/exports': added('Exports are queued') } },
  'limit-export-queue': {
    done: 4,
    deltas: { 'billing/exports': modified('Exports are queued', 'The system SHALL queue at most ten exports.') },
  },
  'explain-declined-cards': {
    done: 3,
    deltas: { 'checkout/limits': modified('Errors are explained', 'The system SHALL explain why a card is declined.') },
  },
  'shorten-error-texts': {
    done: 2,
    deltas: { 'checkout/limits': modified('Errors are explained', 'The system SHALL explain errors in a sentence.') },
  },
  'remove-change-log': { done: 4, deltas: { 'identity/history': removed('Changes are logged') } },
  'log-more-changes': {
    done: 0,
    deltas: { 'identity/history': modified('Changes are logged', 'The system SHALL log changes of permissions.') },
  },
  'rename-old-alerts': {
    done: 4,
    deltas: { 'shipping/alerts': modified('Alerts are grouped', 'The system SHALL group alerts by parcel.') },
  },
  'add-parcel-lockers': {
    done: 2,
    deltas: { 'shipping/lockers': added('Lockers are offered'), 'shipping/addresses': added('Lockers have addresses') },
  },
};

/** Changes that touch nothing that others touch. */
const PLAIN: Readonly<Record<string, Change>> = Object.fromEntries(
  Array.from({ length: 12 }, (_, index): [string, Change] => {
    const [area, part] = [AREAS[index % AREAS.length], PARTS[index % 7]];
    const deltas = {
      [`${area}/${part}`]:
        added(`Step ${index + 1} is shown`) + (index % 3 === 0 ? `\n${removed('Limits are shown')}` : ''),
      ...(index % 4 === 0 ? { [`${area}/webhooks`]: added(`Event ${index + 1} is sent`) } : {}),
    };
    return [`show-step-${String(index + 1).padStart(2, '0')}`, { done: index % 5, deltas }];
  }),
);

function changes(): ProjectFiles {
  return Object.fromEntries(
    Object.entries({ ...SPECIAL, ...PLAIN }).flatMap(([id, { done, deltas }]) => {
      const at = `project/openspec/changes/${id}`;
      const tasks = [1, 2, 3, 4].map((task) => `- [${task <= done ? 'x' : ' '}] 1.${task} Do part ${task}\n`);
      return [
        [
          `${at}/proposal.md`,
          `## Why\n\nCustomers ask for it every week, and support answers the same questions.\n\n## What Changes\n\n- ${words(id)}\n`,
        ],
        [`${at}/tasks.md`, `## 1. Work\n\n${tasks.join('')}`],
        ...Object.entries(deltas).map(([capability, delta]) => [`${at}/specs/${capability}/spec.md`, delta]),
      ];
    }),
  );
}

/** Three changes were archived in most weeks of a quarter. */
function archived(): ProjectFiles {
  return Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => {
      const day = new Date(Date.UTC(2026, 0, 5 + Math.floor(index / 3) * 7 + (index > 20 ? 14 : 0) + (index % 3)));
      const name = `${day.toISOString().slice(0, 10)}-finish-part-${index + 1}`;
      return [`project/openspec/changes/archive/${name}/proposal.md`, `## Why\n\nPart ${index + 1} was missing.\n`];
    }),
  );
}

export function crowdedHome(): ProjectFiles {
  return {
    'project/.git/HEAD': 'ref: refs/heads/main\n',
    'home/.claude/settings.json': '{"model":"claude-sonnet-4"}',
    'home/.codex/config.toml': 'model = "gpt-5.5-codex"\n',
    'home/.cursor/mcp.json': '{}',
    'home/.copilot/config.json': '{}',
    ...skills(),
    ...specs(),
    ...changes(),
    ...archived(),
  };
}
