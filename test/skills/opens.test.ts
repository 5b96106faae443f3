import { expect, test } from 'vitest';
import type { Disk } from '../../src/core/disk/writes.ts';
import { agents } from '../../src/operations/agents.ts';
import type { AnyOperation } from '../../src/operations/define.ts';
import { doctor } from '../../src/operations/doctor.ts';
import { listSkills } from '../../src/operations/list-skills.ts';
import { why } from '../../src/operations/why.ts';
import { isSkillPath } from '../../src/skills/skill.ts';
import type { OpenOptions } from '../../src/workspace/settings.ts';
import { Workspace } from '../../src/workspace/workspace.ts';
import { ask } from '../support/ask.ts';
import { HOME, project, PROJECT, type ProjectFiles } from '../support/project.ts';
import { skillText } from '../support/skill-text.ts';

/** Counts how often each SKILL.md of a disk is opened. */
function countingOpens(disk: Disk): { disk: Disk; opens: Map<string, number> } {
  const opens = new Map<string, number>();
  const note = (file: string): void => {
    const { realPath = file } = disk.follow(file) ?? {};
    if (isSkillPath(file) && disk.look(realPath)) opens.set(realPath, (opens.get(realPath) ?? 0) + 1);
  };
  return {
    opens,
    disk: {
      ...disk,
      readStart: (file, ...rest) => (note(file), disk.readStart(file, ...rest)),
      read: (file, ...rest) => (note(file), disk.read(file, ...rest)),
      readTarget: (file, ...rest) => (note(file), disk.readTarget(file, ...rest)),
      readWithin: (root, file, ...rest) => (note(file), disk.readWithin(root, file, ...rest)),
    },
  };
}

const named = (root: string, names: readonly string[], more = ''): ProjectFiles =>
  Object.fromEntries(names.map((name) => [`${root}/${name}/SKILL.md`, skillText({ name }) + more]));

/** Skills in several places, with agents that search deeper than Lectern. */
const FILES: ProjectFiles = {
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'home/.codex/config.toml': '',
  'home/.config/opencode/opencode.json': '{}',
  ...named('project/.agents/skills', ['alpha', 'beta', 'gamma']),
  ...named('project/.claude/skills', ['delta', 'epsilon']),
  ...named('home/.claude/skills', ['zeta'], 'Body.\n'.repeat(2_000)),
  // The small YAML reader leaves this one to the YAML library.
  'project/.agents/skills/odd/SKILL.md': '---\nname: odd\ndescription: {a: b}\n---\nBody\n',
  'project/.agents/skills/colon/SKILL.md': '---\nname: colon\ndescription: Use this: now\n---\nBody\n',
  'project/.agents/skills/off/.SKILL.md': skillText({ name: 'off' }),
  'project/.agents/skills/alpha/inner/SKILL.md': skillText({ name: 'inner' }),
  // A link gives a skill a second path.
  'project/.claude/skills/linked': { link: '../../.agents/skills/alpha' },
};

const CASES: [string, AnyOperation, Record<string, unknown>, Partial<OpenOptions>, number][] = [
  ['list', listSkills, {}, {}, 1],
  ['list --agents', listSkills, { agents: true }, {}, 1],
  ['list --agent codex', listSkills, { agent: 'codex' }, {}, 1],
  ['agents', agents, {}, { skills: false }, 1],
  ['agents codex', agents, { agent: 'codex' }, { skills: false }, 1],
  ['agents --matrix', agents, { matrix: true }, { skills: false }, 1],
  ['why', why, { name: 'alpha' }, { skills: false }, 1],
  // Validation and the security scan each read every file once more.
  ['doctor', doctor, {}, {}, 3],
];

test.each(CASES.flatMap((each) => [true, false].map((oneShot) => [...each, oneShot] as const)))(
  '%s opens each SKILL.md once for its header',
  async (_, operation, given, options, most, oneShot) => {
    const { disk, opens } = countingOpens(project(FILES).disk);
    const workspace = await Workspace.open({ projectDir: PROJECT, userDir: HOME, oneShot, ...options }, disk);
    await ask(operation, given, workspace);
    // The fast path of one-shot commands leaves uncommon headers to the general reader, which opens them once more.
    const mostOf = (file: string): number =>
      most + (oneShot && options.skills !== false && /odd|colon/u.test(file) ? 1 : 0);
    expect([...opens].filter(([file, count]) => count > mostOf(file))).toEqual([]);
    expect(opens.get(`${PROJECT}/.agents/skills/beta/SKILL.md`)).toBe(most);
  },
);
