/** Items of the overview that need attention: full lists of agents, findings by kind, other versions and overlapping changes. */
import path from 'node:path';
import { countOf, isListed } from '../agents/status.ts';
import type { Diagnostic } from '../core/diagnostics.ts';
import { choice, integer, list, object, type ObjectOf, optional, text } from '../core/fields/field.ts';
import { quoteForBash } from '../core/quote-for-bash.ts';
import { count, grouped } from '../core/text.ts';
import { filterNoMatch } from '../skills/codes.ts';
import { isSkillPath } from '../skills/skill.ts';
import type { Reader } from '../workspace/reader.ts';
import type { AgentSummary, Surveyed } from './agent-shapes.ts';
import { changeOverlaps } from './change-overlaps.ts';
import type { AnswerOf } from './perform.ts';

const ATTENTION_ITEM = {
  kind: choice(['finding', 'cut', 'other-version', 'overlap']),
  severity: choice(['error', 'warning']),
  code: optional(text('The code of a finding')),
  count: optional(integer('Number of findings of this kind, if there are several')),
  fact: text(),
  consequence: text(),
  command: text('Command that shows more about it'),
  skill: optional(text('The folder of the skill')),
  agent: optional(text('The ID of the agent')),
  change: optional(text('The ID of the change')),
} as const;
type AttentionItem = ObjectOf<typeof ATTENTION_ITEM>;

export const ATTENTION = {
  needsAttention: list(object(ATTENTION_ITEM), 'Items that need attention, most serious first, one for each kind'),
  needsAttentionTotal: integer('Number of items that need attention'),
} as const;

const ITEMS_MAX = 5;
const NAMES_MAX = 3;

interface Facts {
  problems: readonly Diagnostic[];
  agents: readonly AgentSummary[];
  surveyed: Surveyed;
}

export async function needingAttention(workspace: Reader, facts: Facts): Promise<ObjectOf<typeof ATTENTION>> {
  const items = await attentionItems(workspace, facts);
  return { needsAttention: items.slice(0, ITEMS_MAX), needsAttentionTotal: items.length };
}

/** Most serious first: lists that drop skills, errors, shortened lists, other versions, overlaps, then the rest. */
async function attentionItems(workspace: Reader, { problems, agents, surveyed }: Facts): Promise<AttentionItem[]> {
  const { overlaps } = await changeOverlaps.run({}, workspace, {});
  const { requirementContested } = await import('../specs/rules/overlap.ts');
  // Overlaps have their own items.
  const findings = await ofFindings(problems.filter(({ code }) => code !== requirementContested.code));
  // A misspelled filter may explain everything else.
  const isFirst = ({ severity, code }: AttentionItem): boolean => severity === 'error' || code === filterNoMatch.code;
  return [
    ...agents.flatMap(ofDropped),
    ...findings.filter(isFirst),
    ...agents.flatMap(ofCuts),
    ...surveyed.present.flatMap((profile) => ofOtherVersions(surveyed.seen(profile))),
    ...ofOverlaps(overlaps),
    ...findings.filter((item) => !isFirst(item)),
  ];
}

/** Returns one item for all findings with the same code and severity. */
async function ofFindings(problems: readonly Diagnostic[]): Promise<AttentionItem[]> {
  const kinds = new Map<string, [Diagnostic, ...Diagnostic[]]>();
  for (const problem of problems) {
    const key = `${problem.severity} ${problem.code}`;
    const same = kinds.get(key);
    if (same) same.push(problem);
    else kinds.set(key, [problem]);
  }
  const groups = [...kinds.values()];
  const titles = groups.some(({ length }) => length > 1) ? await titlesOfRules() : new Map<string, string>();
  return groups.map((same) => (same.length === 1 ? ofFinding(same[0]) : ofKind(same, titles.get(same[0].code))));
}

/** Titles by code. The rules take a while to load, and most overviews need none of them. */
async function titlesOfRules(): Promise<Map<string, string>> {
  const [{ SKILL_RULES }, { SPEC_CODES }, configuration] = await Promise.all([
    import('../skills/rules/index.ts'),
    import('../specs/rules/index.ts'),
    import('../workspace/codes.ts'),
  ]);
  const rules = [...SKILL_RULES, ...SPEC_CODES, ...Object.values(configuration)];
  return new Map(rules.map(({ code, title }) => [code, title]));
}

function ofFinding({ code, severity, message, path: file, line, fix }: Diagnostic): AttentionItem {
  const dir = path.dirname(file);
  const isSkill = isSkillPath(file);
  return {
    kind: 'finding',
    severity: severity === 'error' ? 'error' : 'warning',
    code,
    fact: isSkill ? `${path.basename(dir)}: ${message}` : message,
    consequence: `${file}${line === undefined ? '' : `:${line}`}. ${fix}`,
    command: isSkill ? `lectern validate ${quoteForBash(dir)}` : validateAll(severity),
    ...(isSkill ? { skill: dir } : {}),
  };
}

function ofKind(same: readonly [Diagnostic, ...Diagnostic[]], title: string | undefined): AttentionItem {
  const [first] = same;
  const places = new Set(same.map(({ path: file }) => (isSkillPath(file) ? path.basename(path.dirname(file)) : file)));
  const { code, severity, fact } = ofFinding(first);
  return {
    kind: 'finding',
    severity,
    ...(code === undefined ? {} : { code }),
    count: same.length,
    fact: `${title ?? fact}: ${count(same.length, 'finding')}`,
    consequence: `In ${some([...places])}.`,
    command: validateAll(severity),
  };
}

/** If there are no errors, `validate --all` prints warnings only on request. */
function validateAll(severity: Diagnostic['severity']): string {
  return severity === 'error' ? 'lectern validate --all' : 'lectern validate --all --severity warning';
}

/** Returns `a, b, c and 4 more`. */
function some(names: readonly string[]): string {
  const rest = names.length - NAMES_MAX;
  return names.slice(0, NAMES_MAX).join(', ') + (rest > 0 ? ` and ${grouped(rest)} more` : '');
}

function ofDropped({ counts, budget, name, id }: AgentSummary): AttentionItem[] {
  if (counts.dropped === 0) return [];
  const all = counts.dropped + countOf(counts, isListed);
  const cut = cutWords(counts);
  return [
    {
      kind: 'cut',
      severity: 'error',
      fact: `${name} drops ${grouped(counts.dropped)} of ${count(all, 'skill')}${cut === '' ? '' : `, and lists ${cut}`}`,
      consequence: `${sizesOf(budget)} Its model does not know the dropped skills.`,
      command: `lectern fit ${id}`,
      agent: id,
    },
  ];
}

function sizesOf({ wanted, limit, unit }: AgentSummary['budget']): string {
  return limit === null
    ? 'The descriptions are too long for it.'
    : `The full list needs ${grouped(wanted)} ${unit}; the budget is ${grouped(limit)}.`;
}

/** Returns `12 skills by name only`, or an empty text. */
function cutWords({ shortened, nameOnly }: AgentSummary['counts']): string {
  if (shortened + nameOnly === 0) return '';
  const how = shortened === 0 ? 'by name only' : nameOnly === 0 ? 'shortened' : 'shortened or by name only';
  return `${count(shortened + nameOnly, 'skill')} ${how}`;
}

function ofCuts({ counts, budget, name, id }: AgentSummary): AttentionItem[] {
  const cut = counts.nameOnly + counts.shortened;
  if (cut === 0 || counts.dropped > 0) return [];
  return [
    {
      kind: 'cut',
      severity: 'warning',
      fact: `${name} lists ${cutWords(counts)}`,
      consequence: `${sizesOf(budget)} The model may not know when to use ${cut === 1 ? 'it' : 'them'}.`,
      command: `lectern fit ${id}`,
      agent: id,
    },
  ];
}

function ofOtherVersions({ profile, verdicts, entries }: ReturnType<Surveyed['seen']>): AttentionItem[] {
  const listed = new Set(entries.flatMap(({ verdict }) => verdict?.copy ?? []));
  const others = [...verdicts.values()].filter(
    ({ status, copy }) => status === 'other-copy' && !listed.has(copy) && !copy.builtIn,
  );
  const [first] = others;
  if (!first) return [];
  const names = [...new Set(others.map(({ copy }) => copy.name))];
  const about = { kind: 'other-version', severity: 'warning', agent: profile.id } as const;
  if (others.length > 1)
    return [
      {
        ...about,
        count: others.length,
        fact: `${profile.name} uses another version of ${count(names.length, 'skill')}`,
        consequence: `${some(names)}: it reads several versions and uses the first in its order.`,
        command: `lectern why ${quoteForBash(names[0] ?? '')}`,
      },
    ];
  return [
    {
      ...about,
      fact: `${profile.name} uses a different ${first.copy.name}`,
      consequence: `${first.reason}, not the one in ${path.dirname(path.dirname(first.file))}.`,
      command: `lectern why ${quoteForBash(first.copy.name)}`,
      skill: path.dirname(first.file),
    },
  ];
}

type Overlap = AnswerOf<typeof changeOverlaps>['overlaps'][number];

function ofOverlaps(overlaps: readonly Overlap[]): AttentionItem[] {
  const [first] = overlaps;
  if (!first) return [];
  if (overlaps.length === 1) return [ofOverlap(first)];
  return [
    {
      kind: 'overlap',
      severity: 'warning',
      count: overlaps.length,
      fact: `Several open changes touch ${count(overlaps.length, 'requirement')}`,
      consequence: `${some(overlaps.map(({ requirement }) => `“${requirement}”`))}: the change archived second may undo the first.`,
      command: 'lectern change overlap',
      change: first.claims[0]?.change ?? '',
    },
  ];
}

function ofOverlap({ requirement, claims, left_out: more = 0 }: Overlap): AttentionItem {
  const names = claims.map(({ change }) => change);
  const total = names.length + more;
  const number = ['Two', 'Three', 'Four'][total - 2] ?? grouped(total);
  const all = more > 0 ? [...names, `${grouped(more)} more`] : names;
  return {
    kind: 'overlap',
    severity: 'warning',
    fact: `${number} open changes touch “${requirement}”`,
    consequence: `${all.join(' and ')}: the one archived second may undo the first.`,
    command: `lectern change overlap ${names.slice(0, 2).map(quoteForBash).join(' ')}`,
    change: names[0] ?? '',
  };
}
