/** Details of a skill for its page: its status in each agent, skills of the same name, findings, and a part of its text. */
import { isListed } from '../agents/status.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { changedAt } from '../core/disk/tree.ts';
import { integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { bodyOf } from '../core/frontmatter/split.ts';
import { foldName } from '../core/text.ts';
import { fullNameOf, type Skill } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import { absolutePlace } from '../workspace/skill-summary.ts';
import { COPY, COPY_MISSING, DIAGNOSTIC } from './shapes.ts';
import { judge } from './validate-skills.ts';
import { why } from './why.ts';

const SAME_NAME = {
  fullName: text(),
  path: text('The folder'),
  place: text('The kind of folder'),
  source: optional(text('In a shared catalog, the source')),
  differingLines: integer('Lines in which its text differs; 0 for the same text'),
  agents: list(text(), 'Agents that use it'),
} as const;
type SameName = ObjectOf<typeof SAME_NAME>;

export const SKILL_DETAILS = {
  copyMissing: COPY_MISSING,
  source: optional(text('On the page: the source, in a shared catalog')),
  modified: optional(text('On the page: time of the file’s last change, in ISO 8601')),
  findings: optional(list(object(DIAGNOSTIC), 'On the page: diagnostics, including those of lectern validate')),
  body: optional(
    object(
      { text: text(), from: integer(), total: integer() },
      'On the page: a part of the text below the frontmatter, with its position and the total in characters',
    ),
  ),
  seenBy: optional(list(object(why.output.agents.of.fields), 'On the page: the verdict of each agent found here')),
  sameName: optional(list(object(SAME_NAME), 'On the page: the skills of this name, this one first')),
  comparison: optional(object({ path: text(), diff: text('Unified') }, 'On the page: this text against another')),
  descriptionLimits: optional(
    list(object({ agent: text(), at: integer() }), 'On the page: the lengths at which agents cut a description'),
  ),
} as const;
type Details = ObjectOf<typeof SKILL_DETAILS>;

/** Web-only parameters of `show`. */
export const DETAIL_PARAMS = {
  copy: COPY,
  from: { type: 'integer', min: 0, faces: ['web'], help: 'Position of the part of the text' },
  characters: { type: 'integer', min: 1, faces: ['web'], help: 'Maximum length of the part of the text' },
  with: { type: 'text', filled: true, faces: ['web'], help: 'The folder of a skill of the same name to compare with' },
} as const;

interface Wanted {
  content: string;
  diagnostics: readonly Diagnostic[];
  from?: number | undefined;
  characters?: number | undefined;
  with?: string | undefined;
}

export async function skillDetails(workspace: Reader, skill: Skill, wanted: Wanted): Promise<Details> {
  const { content, diagnostics, from = 0, characters, with: other } = wanted;
  const compared = other === undefined ? undefined : absolutePlace(workspace, other);
  const body = bodyOf(content);
  const modified = changedAt(skill.stamp);
  const sameName = namesakes(workspace, skill);
  const seenBy = await verdictsOn(workspace, skill.dir);
  return {
    ...(skill.source === undefined ? {} : { source: skill.source }),
    ...(modified === undefined ? {} : { modified: modified.toISOString() }),
    findings: await findingsOf(workspace, skill, diagnostics),
    body: {
      text: body.slice(from, characters === undefined ? undefined : from + characters),
      from,
      total: body.length,
    },
    seenBy,
    ...(sameName.length < 2 ? {} : { sameName: await describeAll(workspace, sameName, content) }),
    ...(await comparedWith(workspace, sameName.find(({ dir }) => dir === compared) ?? skill, skill, content)),
    descriptionLimits: await limitsOf(seenBy),
  };
}

/** Includes the findings of `lectern validate`, so that the page agrees with it. */
async function findingsOf(
  workspace: Reader,
  { dir }: Skill,
  diagnostics: readonly Diagnostic[],
): Promise<NonNullable<Details['findings']>> {
  const request = { target: dir, all: false, profile: 'spec', strict: false, scan: false } as const;
  const report = await judge(request, workspace).catch(() => undefined);
  if (!report) return [...diagnostics];
  const found = (['error', 'warning'] as const).flatMap((severity) =>
    report[`${severity}s`].map(({ item: _item, file, description: message, ...rest }) => ({
      ...rest,
      severity,
      path: file,
      message,
    })),
  );
  const known = new Set(found.map(({ code }) => code));
  return [...found, ...diagnostics.filter(({ code }) => !known.has(code))];
}

/** Returns an empty list in a shared catalog, and for a skill that no agent could find. */
async function verdictsOn(workspace: Reader, name: string): Promise<NonNullable<Details['seenBy']>> {
  if (workspace.isShared) return [];
  const { agents } = await why.run({ name }, workspace, {}).catch(() => ({ agents: [] }));
  return agents;
}

/** More would not fit into the drawing. */
const NAMESAKES_MAX = 12;

/** Returns the skills of the same name, the given one first. */
function namesakes({ snapshot }: Reader, skill: Skill): Skill[] {
  const key = foldName(skill.name);
  const others = snapshot.all.copies.filter((copy) => copy.key === key && copy.dir !== skill.dir);
  return [skill, ...others];
}

async function describeAll(workspace: Reader, all: readonly Skill[], content: string): Promise<SameName[]> {
  const users = new Map<string, string[]>();
  for (const { title, status, path: dir, winner } of await verdictsOn(workspace, all[0]?.name ?? '')) {
    const used = isListed(status) ? dir : winner;
    if (typeof used === 'string') users.set(used, [...(users.get(used) ?? []), title]);
  }
  const described: SameName[] = [];
  for (const skill of all.slice(0, NAMESAKES_MAX)) {
    const { text: other } = await workspace.contentOf(skill).whole();
    described.push({
      fullName: fullNameOf(skill),
      path: skill.dir,
      place: skill.location,
      ...(skill.source === undefined ? {} : { source: skill.source }),
      differingLines: await differingLines(content, other),
      agents: users.get(skill.dir) ?? [],
    });
  }
  return described;
}

/** Returns at least 1 for texts that differ. */
async function differingLines(a: string, b: string): Promise<number> {
  if (a === b) return 0;
  const { unifiedDiff } = await import('../core/line-diff.ts');
  const lines = unifiedDiff(a, b, { from: 'a', to: 'b', context: 0 }).split('\n');
  const added = lines.filter((line) => /^\+(?!\+\+ )/u.test(line)).length;
  const removed = lines.filter((line) => /^-(?!-- )/u.test(line)).length;
  return Math.max(1, added, removed);
}

/** Only skills of the catalog are read. */
async function comparedWith(
  workspace: Reader,
  other: Skill,
  skill: Skill,
  content: string,
): Promise<Pick<Details, 'comparison'>> {
  if (other === skill) return {};
  const { unifiedDiff } = await import('../core/line-diff.ts');
  const { text: otherText } = await workspace.contentOf(other).whole();
  const diff = unifiedDiff(content, otherText, { from: skill.dir, to: other.dir });
  return { comparison: { path: other.dir, diff } };
}

/** Returns the limits of these agents, in ascending order. */
async function limitsOf(agents: NonNullable<Details['seenBy']>): Promise<NonNullable<Details['descriptionLimits']>> {
  const { PROFILES } = await import('../agents/profiles/index.ts');
  const known = new Set(agents.map(({ id }) => id));
  return PROFILES.flatMap(({ id, name: agent, reading: { descriptionMax } }) =>
    descriptionMax === undefined || !known.has(id) ? [] : [{ agent, at: descriptionMax }],
  ).sort((a, b) => a.at - b.at);
}
