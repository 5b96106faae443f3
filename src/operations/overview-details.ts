/** Details of the overview for its page: items that need attention, and the latest changes. */
import path from 'node:path';
import type { Diagnostic } from '../core/diagnostics.ts';
import { changedAt, type Stamp } from '../core/disk/tree.ts';
import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { count, grouped } from '../core/text.ts';
import { fullNameOf, isSkillPath } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import { type AgentSummary, summarizeAgent, surveyAgents, type Surveyed } from './agent-shapes.ts';
import { changeOverlaps } from './change-overlaps.ts';
import type { AnswerOf } from './perform.ts';

const ATTENTION_ITEM = {
  kind: choice(['finding', 'cut', 'other-version', 'overlap']),
  severity: choice(['error', 'warning']),
  fact: text(),
  consequence: text(),
  command: text('Shows more about it'),
  skill: optional(text('The folder of the skill')),
  agent: optional(text('The ID of the agent')),
  change: optional(text('The ID of the change')),
} as const;
type AttentionItem = ObjectOf<typeof ATTENTION_ITEM>;

const RECENT = {
  kind: choice(['skill', 'spec', 'change']),
  id: text('The full name of a skill, or the ID'),
  name: text(),
  file: text(),
  part: optional(choice(['proposal', 'tasks', 'design'], 'The part of a change; missing for its deltas')),
  modified: text('ISO 8601'),
} as const;
type Recent = ObjectOf<typeof RECENT>;

export const OVERVIEW_DETAILS = {
  needsAttention: optional(list(object(ATTENTION_ITEM), 'On the page: items that need attention, most serious first')),
  needsAttentionTotal: optional(integer('On the page: the number of items that need attention')),
  recent: optional(list(object(RECENT), 'On the page: the files that were changed last')),
} as const;
type Details = ObjectOf<typeof OVERVIEW_DETAILS>;

const ITEMS_MAX = 5;
const RECENT_MAX = 5;

export async function overviewDetails(workspace: Reader, attention: readonly Diagnostic[]): Promise<Details> {
  const items = await attentionItems(workspace, attention);
  return {
    needsAttention: items.slice(0, ITEMS_MAX),
    needsAttentionTotal: items.length,
    recent: await changedLast(workspace),
  };
}

/** Most serious first: errors, shortened lists, other versions, overlaps, then the rest. */
async function attentionItems(workspace: Reader, attention: readonly Diagnostic[]): Promise<AttentionItem[]> {
  const surveyed = await surveyAgents(workspace);
  const present = surveyed.present.map((profile) => surveyed.seen(profile));
  const { overlaps } = await changeOverlaps.run({}, workspace, {});
  return [
    ...attention.filter(({ severity }) => severity === 'error').map(ofFinding),
    ...present.flatMap((seen) => ofCuts(summarizeAgent(surveyed, seen))),
    ...present.flatMap(ofOtherVersions),
    ...overlaps.map(ofOverlap),
    ...attention.filter(({ severity }) => severity !== 'error').map(ofFinding),
  ];
}

function ofFinding({ severity, message, path: file, line, fix }: Diagnostic): AttentionItem {
  const dir = path.dirname(file);
  const isSkill = isSkillPath(file);
  return {
    kind: 'finding',
    severity: severity === 'error' ? 'error' : 'warning',
    fact: isSkill ? `${path.basename(dir)}: ${message}` : message,
    consequence: `${file}${line === undefined ? '' : `:${line}`}. ${fix}`,
    command: isSkill ? `lectern validate ${dir}` : 'lectern validate --all',
    ...(isSkill ? { skill: dir } : {}),
  };
}

function ofCuts({ counts, budget, name, id }: AgentSummary): AttentionItem[] {
  const cut = counts.nameOnly + counts.shortened;
  if (cut === 0) return [];
  const how =
    counts.shortened === 0 ? 'by name only' : counts.nameOnly === 0 ? 'shortened' : 'shortened or by name only';
  const cause =
    budget.limit === null
      ? 'The descriptions are too long for it.'
      : `The full list needs ${grouped(budget.wanted)} ${budget.unit}; the budget is ${grouped(budget.limit)}.`;
  return [
    {
      kind: 'cut',
      severity: 'warning',
      fact: `${name} lists ${count(cut, 'skill')} ${how}`,
      consequence: `${cause} The model may not know when to use ${cut === 1 ? 'it' : 'them'}.`,
      command: `lectern agents ${id}`,
      agent: id,
    },
  ];
}

function ofOtherVersions({ profile, verdicts, entries }: ReturnType<Surveyed['seen']>): AttentionItem[] {
  const listed = new Set(entries.flatMap(({ verdict }) => verdict?.copy ?? []));
  return [...verdicts.values()]
    .filter(({ status, copy }) => status === 'other-copy' && !listed.has(copy) && !copy.builtIn)
    .map(({ copy: { name }, file, reason }) => ({
      kind: 'other-version',
      severity: 'warning',
      fact: `${profile.name} uses a different ${name}`,
      consequence: `${reason}, not the one in ${path.dirname(path.dirname(file))}.`,
      command: `lectern why ${name}`,
      agent: profile.id,
      skill: path.dirname(file),
    }));
}

function ofOverlap({
  requirement,
  claims,
  left_out: more = 0,
}: AnswerOf<typeof changeOverlaps>['overlaps'][number]): AttentionItem {
  const names = claims.map(({ change }) => change);
  const total = names.length + more;
  const number = ['Two', 'Three', 'Four'][total - 2] ?? grouped(total);
  const all = more > 0 ? [...names, `${grouped(more)} more`] : names;
  return {
    kind: 'overlap',
    severity: 'warning',
    fact: `${number} open changes touch “${requirement}”`,
    consequence: `${all.join(' and ')}: the one archived second may undo the first.`,
    command: `lectern change overlap ${names.slice(0, 2).join(' ')}`,
    change: names[0] ?? '',
  };
}

async function changedLast({ snapshot }: Reader): Promise<Recent[]> {
  const specs = await snapshot.specs();
  const files: (Omit<Recent, 'modified'> & { stamp: Stamp })[] = [
    ...snapshot.all.copies.map((skill) => ({
      kind: 'skill' as const,
      id: fullNameOf(skill),
      name: skill.name,
      file: skill.file,
      stamp: skill.stamp,
    })),
    ...specs.specs.map(({ id, file }) => ({
      kind: 'spec' as const,
      id,
      name: `specs/${id}`,
      file: file.path,
      stamp: file.stamp,
    })),
    ...specs.changes.flatMap(filesOfChange),
  ];
  const dated = files.flatMap(({ stamp, ...rest }): Recent[] => {
    const modified = changedAt(stamp)?.toISOString();
    return modified === undefined ? [] : [{ ...rest, modified }];
  });
  return dated.sort((a, b) => Date.parse(b.modified) - Date.parse(a.modified)).slice(0, RECENT_MAX);
}

type Change = Awaited<ReturnType<Reader['snapshot']['specs']>>['changes'][number];

function filesOfChange({ id, proposal, tasksFile, design, deltas }: Change) {
  const parts = [
    { file: proposal, part: 'proposal' as const },
    { file: tasksFile, part: 'tasks' as const },
    { file: design, part: 'design' as const },
    ...deltas.map(({ file }) => ({ file })),
  ];
  return parts.flatMap(({ file, ...part }) =>
    file
      ? [
          {
            kind: 'change' as const,
            id,
            name: `${id}/${path.basename(file.path)}`,
            file: file.path,
            ...part,
            stamp: file.stamp,
          },
        ]
      : [],
  );
}
