import { isListed } from '../agents/status.ts';
import type { Outcome } from '../agents/names.ts';
import { NO_SKILL, shown } from '../agents/try-request.ts';
import { count } from '../core/text.ts';
import type { TryOutput } from '../operations/try.ts';
import type { TriedAgent } from '../operations/try-request.ts';
import { paintStatus, STATUS_WORDS } from './agents-here.ts';
import { safe, type Style } from './style.ts';
import { fit, padEnd, widthOf } from './width.ts';

const LIMITS_OF_TRY = 'This ranks the text your agents show; it does not ask a model.';

type Checked = NonNullable<TryOutput['checked']>;

export function renderTry({ agents = [], saved, checked, imported, with: ran }: TryOutput, style: Style): string {
  if (checked) return renderChecked(checked, style);
  if (imported) return renderImported(imported, style);
  const about = style.dim(LIMITS_OF_TRY);
  const parts = [...alike(agents).map((same) => renderAgents(same, style)), about];
  if (ran) parts.push(renderRan(ran, style));
  if (saved) parts.push(`${saved.replaced ? 'Replaced' : 'Saved'} in ${style.place(saved.file)}.`);
  return `${parts.join('\n\n')}\n`;
}

function renderRan(ran: NonNullable<TryOutput['with']>, style: Style): string {
  const { title, version, loaded, ended, predicted, agrees, leftOut, outcome } = ran;
  const names = loaded.map((name) => style.bold(safe(name))).join(', ');
  const did = loaded.length > 0 ? `loaded ${names}` : ended === 'time' ? NO_SKILL_IN_TIME : 'loaded no skill';
  const compared = agrees ? style.green('as predicted') : `${style.yellow('predicted')}: ${safe(predicted ?? 'none')}`;
  const lines = [`${style.bold(title)} ${safe(version)} ${did}; ${compared}.`];
  if (outcome !== undefined) lines.push(`  ${paintOutcome(outcome, style)}`);
  if (leftOut.length > 0)
    lines.push(`  Not part of the run: ${count(leftOut.length, 'skill')} of plugins and other places.`);
  return lines.join('\n');
}

const NO_SKILL_IN_TIME = 'was ended after 120 seconds, and had loaded no skill';

/** Groups agents with the same results. */
function alike(agents: readonly TriedAgent[]): TriedAgent[][] {
  const groups = new Map<string, TriedAgent[]>();
  for (const agent of agents) {
    const { id: _, title: __, results, ...rest } = agent;
    const key = JSON.stringify([rest, results.map(({ name, score }) => [name, score])]);
    const group = groups.get(key);
    if (group) group.push(agent);
    else groups.set(key, [agent]);
  }
  return [...groups.values()];
}

function renderAgents(same: readonly TriedAgent[], style: Style): string {
  const [first] = same;
  if (!first) return '';
  const { verdict, margin, results, missing = [], outcome, reason } = first;
  const titles = style.bold(same.map(({ title }) => title).join(', '));
  const best = safe(results[0]?.name ?? '');
  const judged =
    verdict === 'none'
      ? style.yellow('no skill fits')
      : verdict === 'clear'
        ? `${style.green(best)}, ${shown(margin)} ahead of the next`
        : `${style.yellow('close')}: ${best}, only ${shown(margin)} ahead of ${safe(results[1]?.name ?? '')}`;
  const fitting = results.filter(({ score }) => score > 0);
  const columns = Math.max(0, ...fitting.map(({ name }) => widthOf(safe(name))));
  const rows = fitting.map(({ name, score, words }) =>
    `  ${shown(score)}  ${padEnd(safe(name), columns)}  ${style.dim(safe(words.join(', ')))}`.trimEnd(),
  );
  const expected =
    outcome === undefined
      ? []
      : [`  ${paintOutcome(outcome, style)}${reason === undefined ? '' : `: ${style.say(reason)}`}`];
  const hidden = missing.flatMap(({ name, status, reason: why }) => [
    isListed(status)
      ? `  ${safe(name)} would fit better with its whole description (${paintStatus(status, style, STATUS_WORDS[status])}).`
      : `  ${safe(name)} would fit better, but is not in the list (${paintStatus(status, style, STATUS_WORDS[status])}): ${style.say(why)}.`,
    `    ${style.dim('why:')} lectern why ${safe(name)}`,
  ]);
  return [`${titles}: ${judged}`, ...rows, ...expected, ...hidden].join('\n');
}

const OUTCOME_WORDS = { pass: 'pass', close: 'close', fail: 'FAIL' } as const satisfies Record<Outcome, string>;

function paintOutcome(outcome: Outcome, style: Style): string {
  const word = OUTCOME_WORDS[outcome];
  return outcome === 'pass' ? style.green(word) : outcome === 'close' ? style.yellow(word) : style.red(word);
}

const REQUEST_COLUMNS = 44;

/** One row for each request and outcome, with the agents that have it. */
function renderChecked({ file, passed, close, failed, results, diagnostics }: Checked, style: Style): string {
  const rows = new Map<string, { first: Checked['results'][number]; agents: string[] }>();
  for (const result of results) {
    const key = JSON.stringify([result.line, result.outcome, result.reason]);
    const row = rows.get(key);
    if (row) row.agents.push(result.agent);
    else rows.set(key, { first: result, agents: [result.agent] });
  }
  const all = [...rows.values()];
  const columns = Math.min(REQUEST_COLUMNS, Math.max(0, ...all.map(({ first }) => widthOf(safe(first.request)))));
  const lines = all.flatMap(({ first: { request, outcome, expect, reason, line }, agents }) => {
    const gap = ' '.repeat(6 - OUTCOME_WORDS[outcome].length);
    const wanted = expect === NO_SKILL ? 'no skill' : safe(expect);
    const row = `  ${paintOutcome(outcome, style)}${gap}${padEnd(fit(safe(request), columns), columns)}  ${wanted}`;
    return outcome === 'pass'
      ? [row]
      : [row, `        ${style.dim(`line ${line}, ${agents.join(', ')}:`)} ${style.say(reason ?? '')}`];
  });
  const notes = diagnostics
    .filter(({ code }) => !code.startsWith('try-'))
    .map(
      ({ severity, line, message }) =>
        `  ${severity === 'error' ? style.red(severity) : style.yellow(severity)}  line ${line ?? 1}: ${style.say(message)}`,
    );
  const sum = [`${passed} passed`, `${close} close`, `${failed} failed`].join(', ');
  const body = [...lines, ...notes];
  return `${style.place(file)}\n\n${body.length === 0 ? '  no requests' : body.join('\n')}\n\n${failed > 0 ? style.red(sum) : sum}\n`;
}

function renderImported({ file, added, replaced, notRead }: NonNullable<TryOutput['imported']>, style: Style): string {
  const skipped = notRead.map(({ entry, reason }) => `  entry ${safe(entry)}: ${style.say(reason)}`);
  const head = `${count(added, 'request')} added and ${replaced} replaced in ${style.place(file)}.`;
  const rest = skipped.length === 0 ? [] : ['', `${count(skipped.length, 'entry', 'entries')} left out:`, ...skipped];
  return `${[head, ...rest].join('\n')}\n`;
}
