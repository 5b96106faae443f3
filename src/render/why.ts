import { isListed } from '../agents/status.ts';
import { count } from '../core/text.ts';
import type { WhyOutput } from '../operations/why.ts';
import { paintStatus, STATUS_WORDS } from './agents-here.ts';
import { safe, sayFix, type Style } from './style.ts';
import { wrap } from './width.ts';

type Answer = WhyOutput['agents'][number];

const WIDTH = 80;

const SOURCES: Readonly<Record<string, string>> = {
  observed: 'observed with',
  'source code': 'read in the source of',
  documents: 'read in the',
};

/**
 * Renders one line for all agents with the same answer, and the fix below it. With `isLong`, also the folders that each agent
 * searches and the source of the answer.
 */
export function renderWhy({ name, unlisted, agents }: WhyOutput, style: Style, isLong: boolean): string {
  if (agents.length === 0)
    return `${style.bold(safe(name))}: no agent found here.\n\n${style.dim('Preview one anyway:')} lectern why ${safe(name)} --agent claude\n`;
  const head =
    style.bold(safe(name)) + (isLong ? '' : style.dim('  (--verbose shows the folders that each agent searches)'));
  const lines = grouped(agents).flatMap((same) => renderAnswer(same, style, isLong ? Infinity : FIXES_SHOWN));
  const note = unlisted === undefined ? [] : [`${style.dim('lectern list leaves it out:')} ${style.say(unlisted)}`];
  const details = isLong ? agents.flatMap((answer) => renderSearch(answer, style)) : [];
  return `${head}\n\n${[...lines, ...note, ...details].join('\n')}\n`;
}

/** Groups agents with the same status and the same reason, apart from their names. */
function grouped(agents: readonly Answer[]): Answer[][] {
  const groups = new Map<string, Answer[]>();
  for (const answer of agents) {
    const about = answer.status === 'seen' ? answer.path : reasonIn(answer, '');
    const key = JSON.stringify([answer.status, about]);
    const group = groups.get(key);
    if (group) group.push(answer);
    else groups.set(key, [answer]);
  }
  return [...groups.values()];
}

function reasonIn({ title, reason }: Answer, name: string): string {
  return reason.split(title).join(name);
}

function renderAnswer(same: readonly Answer[], style: Style, fixesShown: number): string[] {
  const [first] = same;
  if (!first) return [];
  const { status, path, text, winner } = first;
  const titles = style.bold(same.map(({ title }) => title).join(', '));
  const reason = same.length === 1 ? first.reason : reasonIn(first, 'the agent');
  const identical = first.identical ? ' (an identical copy)' : '';
  const where = isListed(status) && winner === undefined ? `, from ${style.place(path)}` : '';
  const about =
    status === 'seen'
      ? where
      : `${where}: ${style.say(reason)}${identical}${text === undefined ? '' : `: “${safe(text)}”`}`;
  const fixes = status === 'seen' ? [] : joinedFixes(same.flatMap(({ fix }) => fix ?? []));
  return [
    `${titles}: ${paintStatus(status, style, status === 'not-read' ? 'not used' : STATUS_WORDS[status])}${about}`,
    ...fixes.slice(0, fixesShown).map((fix) => `  ${style.dim('fix:')} ${sayFix(fix, style)}`),
    ...(fixes.length > fixesShown
      ? [style.dim(`  and ${count(fixes.length - fixesShown, 'more fix', 'more fixes')}: --verbose shows them`)]
      : []),
  ];
}

/** Maximum number of different fixes below one line, unless the answer is long. */
const FIXES_SHOWN = 2;

const TO = ' --to ';

/** Joins commands that differ only in the value of `--to`, and leaves out repeated fixes. */
function joinedFixes(fixes: readonly string[]): string[] {
  const joined = new Map<string, string[]>();
  for (const fix of fixes) {
    const [before = '', rest = ''] = fix.startsWith('lectern ') ? fix.split(TO, 2) : [fix];
    const [target = '', ...more] = rest.split(' ');
    const key = JSON.stringify([before, ...more]);
    const targets = joined.get(key) ?? [];
    if (target !== '' && !targets.includes(target)) targets.push(target);
    joined.set(key, targets);
  }
  return [...joined].map(([key, targets]) => {
    const [before = '', ...more] = JSON.parse(key) as string[];
    return targets.length === 0 ? before : [before + TO + targets.join(','), ...more].join(' ');
  });
}

/** Renders the folders that an agent searches and our source. */
function renderSearch({ title, chain, source, path }: Answer, style: Style): string[] {
  const shown = chain.filter(({ found }) => found);
  const places = (shown.length > 0 ? shown : chain).map(({ path: dir, found, used }) => {
    const state = used ? style.green('used') : found ? 'found, not used' : style.dim('not found');
    return `  ${style.place(dir)}  ${state}`;
  });
  return [
    '',
    `${style.bold(title)} ${style.dim(shown.length > 0 ? 'finds it in' : 'looks in')}`,
    ...places,
    ...(shown.length > 0 ? [] : [`  ${style.dim('it is in')} ${style.place(path)}`]),
    style.dim(
      wrap(`${SOURCES[source.source] ?? 'known from'} ${source.version}: ${source.fact}`, '  ', style.width ?? WIDTH),
    ),
  ];
}
