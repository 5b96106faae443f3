import { clip, count, grouped } from '../core/text.ts';
import type { AgentSummary } from '../operations/agent-shapes.ts';
import type { FitOutput } from '../operations/fit.ts';
import { safe, type Style } from './style.ts';
import { renderSwitched, settingLines } from './toggle.ts';
import { wrap } from './width.ts';

type Remedy = FitOutput['remedies'][number];
type Effect = Pick<Remedy, 'kept' | 'shortened' | 'nameOnly' | 'dropped' | 'tokens'>;

const WIDTH = 80;
const SHOWN = 20;
const LOST_CHARACTERS = 160;

export function renderFit(output: FitOutput, style: Style): string {
  const { agent, limit, unused, shorten } = output;
  if (limit) return renderLimit(agent, limit, style);
  if (unused) return renderUnused(agent, unused, style);
  const head = [`${style.bold(safe(agent.name))}: ${state(output)}`, ...budgetLines(output, style)];
  if (output.fits) return `${head.join('\n')}\n`;
  if (shorten) return `${[...head, '', ...shortenLines(shorten, style)].join('\n')}\n`;
  const remedies = output.remedies.flatMap((remedy) => ['', ...remedyLines(agent, remedy, style)]);
  const none = remedies.length > 0 ? [] : ['', 'No remedy is known that would show more.'];
  return `${[...head, ...remedies, ...none, ...disableLines(output, style)].join('\n')}\n`;
}

/** If no remedy shows every description, the list has too many skills. Only agents with settings have commands. */
function disableLines({ agent, remedies }: FitOutput, style: Style): string[] {
  const hasSettings = remedies.some(({ command }) => command !== undefined);
  if (!hasSettings || remedies.some(isForAll)) return [];
  return [
    '',
    style.bold('To make room, disable skills that you do not need'),
    `  ${style.cyan(`lectern disable <skill> --for ${safe(agent.id)}`)}`,
  ];
}

function isForAll({ shortened, nameOnly, dropped }: Remedy): boolean {
  return shortened + nameOnly + dropped === 0;
}

function state({ agent, fits }: FitOutput): string {
  if (agent.budget.limit === null) return 'its skill list has no known limit, so nothing is cut';
  return fits ? 'every description fits' : 'the skill list is full';
}

function budgetLines({ agent: { budget }, now, share, fits }: FitOutput, style: Style): string[] {
  const { limit, unit, wanted } = budget;
  if (limit === null) return [];
  const needed = fits ? `${grouped(wanted)} used` : `the whole list needs ${grouped(wanted)}`;
  return [
    `Budget for the skill list: ${grouped(limit)} ${unit}${shareWords(budget, share)}; ${needed}.`,
    ...(fits ? [] : [style.dim(`Now: ${parts(now)}.`)]),
  ];
}

/** Describes the part of the model's window, such as `(1 % of a 1M-token window)`. */
export function shareWords({ window }: AgentSummary['budget'], share: number | null): string {
  return window === null || share === null ? '' : ` (${percent(share)} of a ${tokens(window)}-token window)`;
}

function percent(share: number): string {
  const value = share * 100;
  return `${grouped(value >= 10 ? Math.round(value) : Math.round(value * 10) / 10)} %`;
}

function tokens(window: number): string {
  if (window % 1_000_000 === 0) return `${window / 1_000_000}M`;
  return window % 1_000 === 0 ? `${window / 1_000}k` : grouped(window);
}

function parts({ kept, shortened, nameOnly, dropped }: Omit<Effect, 'tokens'>): string {
  return [
    `${grouped(kept)} with full description`,
    ...(shortened > 0 ? [`${grouped(shortened)} shortened`] : []),
    ...(nameOnly > 0 ? [`${grouped(nameOnly)} by name only`] : []),
    ...(dropped > 0 ? [`${grouped(dropped)} dropped`] : []),
  ].join(', ');
}

function cost({ tokens: more }: Effect): string {
  if (more === 0) return 'no more tokens per session';
  return `about ${grouped(Math.abs(more))} tokens ${more > 0 ? 'more' : 'fewer'} per session`;
}

function remedyLines(agent: AgentSummary, remedy: Remedy, style: Style): string[] {
  const { command, setting, fix } = remedy;
  const lines = [`${style.bold(title(agent, remedy))}`];
  if (command !== undefined) lines.push(`  ${style.cyan(safe(command))}`);
  if (setting !== undefined && command !== undefined)
    lines.push(
      `  ${style.dim(`sets ${safe(setting.key)} to ${String(setting.value)} in`)} ${style.place(setting.file)}`,
    );
  if (command === undefined) lines.push(`  ${style.say(fix)}`);
  lines.push(`  ${style.green(parts(remedy))}; ${cost(remedy)}`);
  return lines;
}

function title({ budget }: AgentSummary, remedy: Remedy): string {
  const { id, kept, share, to, skills = 0 } = remedy;
  const what = isForAll(remedy) ? `To show all ${count(kept, 'description')}` : 'To show more';
  switch (id) {
    case 'limit': {
      const words = share === undefined || budget.window === null ? '' : ` (${percent(share)} of the window)`;
      return `${what}${words}, raise the limit`;
    }
    case 'built-in':
      return `${what}, remove the built-in skills`;
    case 'shorten':
      return `${what}, shorten ${count(skills, 'description')} to ${grouped(to ?? 0)} characters`;
    case 'unused':
      return `${what}, disable ${count(skills, 'unused skill')}`;
  }
}

function renderLimit(agent: AgentSummary, limit: NonNullable<FitOutput['limit']>, style: Style): string {
  const isPreview = limit.state.startsWith('would');
  const length = `${grouped(limit.limit)} ${agent.budget.unit}${shareWords(agent.budget, limit.share)}`;
  if (limit.state === 'unchanged') {
    const reason =
      limit.value === undefined ? `${safe(limit.key)} is not set there` : `${safe(limit.key)} already has this value`;
    return `${style.dim('·')} Nothing to change: the list of ${safe(agent.name)} has ${length}, and ${reason} ${style.dim(style.place(limit.file))}\n`;
  }
  const mark = isPreview ? style.yellow('!') : style.green('✓');
  const verb = isPreview ? 'would have' : 'has';
  return `${[
    `${mark} The list of ${safe(agent.name)} ${verb} ${length}: ${parts(limit)}; ${cost(limit)}`,
    ...settingLines(limit, style),
    ...(limit.value === undefined || isPreview
      ? []
      : [
          '',
          `${style.dim('Undo:')} lectern fit ${safe(agent.id)} --reset${limit.scope === 'user' ? '' : ` --scope ${limit.scope}`}`,
        ]),
  ].join('\n')}\n`;
}

function renderUnused(agent: AgentSummary, unused: NonNullable<FitOutput['unused']>, style: Style): string {
  const { days, since, setting } = unused;
  const period = `in the last ${count(days, 'day')} (since ${since})`;
  if (!setting) return `Every skill that ${safe(agent.name)} lists was loaded ${period}.\n`;
  const note = `Loads through lectern mcp are counted${agent.id === 'claude' ? ', and uses that Claude Code records itself' : `; skills that ${agent.name} reads itself are not`}.`;
  return [
    `${style.bold(`${count(setting.skills.length, 'skill')} not loaded ${period}`)}\n`,
    renderSwitched(setting, 'disabled', style),
    `\n${safe(agent.name)} then lists ${parts(unused)}; ${cost(unused)}\n`,
    `${style.dim(wrap(note, '', style.width ?? WIDTH))}\n`,
  ].join('');
}

function shortenLines({ to, fits, skills, ...effect }: NonNullable<FitOutput['shorten']>, style: Style): string[] {
  const lines = skills
    .slice(0, SHOWN)
    .flatMap(({ name, file, plugin, characters, by, lost }) => [
      `  ${style.bold(safe(name))}: ${grouped(characters)} characters, remove ${grouped(by)} ${style.dim(style.place(file))}${plugin === undefined ? '' : style.dim(` (plugin ${safe(plugin)})`)}`,
      ...(lost === '' ? [] : [`    ${style.dim('the model does not get:')} ${safe(clip(lost, LOST_CHARACTERS))}`]),
    ]);
  const rest = skills.length - SHOWN;
  return [
    style.bold(`Shorten ${count(skills.length, 'description')} to at most ${grouped(to)} characters`),
    `  ${style.green(parts(effect))}; ${cost(effect)}`,
    ...(fits ? [] : ['  Shortening alone is not enough: even then, the list is full.']),
    '',
    ...lines,
    ...(rest > 0 ? [style.dim(`  and ${grouped(rest)} more; --json lists all`)] : []),
  ];
}
