/** Words for skills that the same agents see. */
import { isCut, isListed, type Status } from '../agents/status.ts';
import type { AgentsOutput } from '../operations/agents.ts';
import { count, grouped, inWords } from '../core/text.ts';
import { safe, type Style } from './style.ts';
import { fit } from './width.ts';

type Pattern = NonNullable<AgentsOutput['patterns']>[number];

/** Returns `Only Claude Code and Cursor`. Without “only” if it is unknown whether another agent lists them. */
export function patternTitle({ status }: Pick<Pattern, 'status'>, nameOf: (agent: string) => string): string {
  const agents = Object.entries(status);
  const listing = agents.filter(([, is]) => isListed(is)).map(([id]) => nameOf(id));
  const isUnknown = agents.some(([, is]) => is === 'unknown');
  if (listing.length === 0) return isUnknown ? 'No agent for certain' : 'No agent';
  if (listing.length === agents.length) return agents.length === 1 ? (listing[0] ?? '') : 'All agents';
  return `${isUnknown ? '' : 'Only '}${inWords(listing)}`;
}

/** Statuses that the title does not tell, such as `name only in Codex`. */
export function patternNotes(
  { status, versions }: Pick<Pattern, 'status' | 'versions'>,
  wordsOf: (status: Status) => string,
  nameOf: (agent: string) => string,
): string[] {
  const byStatus = new Map<Status, string[]>();
  for (const [id, is] of Object.entries(status))
    if (isCut(is) || !(isListed(is) || is === 'not-read' || is === 'unknown'))
      byStatus.set(is, [...(byStatus.get(is) ?? []), nameOf(id)]);
  return [
    ...[...byStatus].map(([is, names]) => `${wordsOf(is)} in ${inWords(names)}`),
    ...(versions ? ['agents use different versions'] : []),
  ];
}

/** Folders of a pattern, and where its plugins are from. */
export function patternPlaces(
  { folders, marketplaces = [] }: Pick<Pattern, 'folders' | 'marketplaces'>,
  place: (folder: string) => string,
): string {
  return [...folders.map((folder) => place(folder)), ...marketplaces.map((name) => `plugins of ${name}`)].join(', ');
}

const WIDTH = 80;

export function renderPatterns(
  { agents = [], patterns = [], total = 0, gap, nextCursor }: AgentsOutput,
  wordsOf: (status: Status) => string,
  style: Style,
): string {
  const ids = agents.map(String);
  if (patterns.length === 0) return `No skill to show for ${ids.join(', ') || 'any agent'}.\n`;
  const width = style.width ?? WIDTH;
  const columns = Math.max(...patterns.map((pattern) => grouped(pattern.total).length));
  const lines = patterns.flatMap((pattern) => {
    const { skills, total: all } = pattern;
    const notes = patternNotes(pattern, wordsOf, (id) => id);
    const names = skills.map(({ name }) => safe(name)).join(', ');
    const places = safe(patternPlaces(pattern, style.place));
    const more = all > skills.length ? `, … ${grouped(all - skills.length)} more` : '';
    const indent = ' '.repeat(columns + 2);
    return [
      `${style.bold(grouped(all).padStart(columns))}  ${patternTitle(pattern, (id) => id)}  ${style.dim(places)}`,
      ...notes.map((note) => `${indent}${style.yellow(note)}`),
      `${indent}${style.dim(fit(names + more, Math.max(20, width - indent.length)))}`,
    ];
  });
  const next =
    nextCursor === undefined ? '' : `\n${patterns.length} of ${total} lines; next page: --cursor ${nextCursor}\n`;
  const widest =
    gap === undefined
      ? ''
      : `\nLargest gap: ${gapSentence(gap, (id) => id, style.place)}:\n  ${style.cyan(safe(gap.command))}\n`;
  return `${lines.join('\n')}\n${next}${widest}`;
}

/** Returns `Codex does not read 28 skills in ~/.claude/skills`. */
export function gapSentence(
  gap: NonNullable<AgentsOutput['gap']>,
  nameOf: (agent: string) => string,
  place: (folder: string) => string,
): string {
  const { total, shared, agents } = gap;
  const part = shared < total ? `; the command shares ${grouped(shared)} of them` : '';
  return `${inWords(agents.map(nameOf))} ${agents.length === 1 ? 'does' : 'do'} not read ${count(total, 'skill')} in ${patternPlaces(gap, place)}${part}`;
}
