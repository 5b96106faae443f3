import type { setupClient } from '../operations/setup-client.ts';
import type { AnswerOf } from '../operations/perform.ts';
import type { Shell } from '../clients/names.ts';
import { count, forTerminal, grouped } from '../core/text.ts';
import { safe, type Style, verbatim } from './style.ts';

type SetupOutput = AnswerOf<typeof setupClient>;

const SHELL_TITLES: Record<Shell, string> = { bash: 'bash, zsh, fish', powershell: 'PowerShell', cmd: 'cmd' };

/** The snippet and the commands are on separate lines, so that they can be copied. */
export function renderSetup(data: SetupOutput, style: Style, shell: Shell | undefined): string {
  const shells = shell ? [shell] : usualShells();
  const { file } = data;
  const place =
    file === undefined
      ? style.bold(safe(data.title))
      : `${style.bold(safe(data.title))} ${style.dim(`· ${data.scope}`)}\n  ${style.place(file)}`;
  const note = [
    ...addsLine(data, style),
    ...noteLine(data, style),
    ...(data.basis === 'documented' && file !== undefined
      ? [style.dim(`Format as documented, not tried with ${safe(data.title)} itself: ${data.source}`)]
      : []),
  ];
  if (data.state === 'removed' || data.state === 'would-remove' || data.state === 'absent')
    return `${[verdict(data, style), ...diff(data, style), ...(data.state === 'absent' ? noteLine(data, style) : [])].join('\n\n')}\n`;
  if (data.state !== 'printed')
    return `${[verdict(data, style) + triedLine(data, style), ...diff(data, style), ...note].join('\n\n')}\n`;
  return `${[place, verbatim(forTerminal(data.snippet).trimEnd()), ...ownCommand(data, style, shells), ...note, next(data, style)].join('\n\n')}\n`;
}

/** Renders the failure for one of several clients. The others are still set up. */
export function renderRefusedSetup({ message, hint }: { message: string; hint?: string }, style: Style): string {
  return `${style.red('✗')} ${safe(message)}\n${hint === undefined ? '' : `  ${style.dim(safe(hint))}\n`}`;
}

function verdict({ state, title, name, file, line }: SetupOutput, style: Style): string {
  const where = style.dim(style.place(file ?? '', line));
  if (state === 'unchanged')
    return `${style.dim('·')} ${safe(title)} already has the server "${safe(name)}"; nothing was changed ${where}`;
  if (state === 'absent')
    return `${style.dim('·')} ${safe(title)} has no server "${safe(name)}"; nothing was changed ${where}`;
  if (state === 'removed')
    return `${style.green('✓')} ${safe(title)} no longer has the server "${safe(name)}" ${where}`;
  if (state === 'would-remove') return `${style.yellow('!')} Would change ${where}`;
  if (state === 'would-create' || state === 'would-change')
    return `${style.yellow('!')} ${state === 'would-create' ? 'Would create' : 'Would change'} ${where}`;
  return `${style.green('✓')} ${safe(title)} now has the server "${safe(name)}" ${where}`;
}

function noteLine({ note }: SetupOutput, style: Style): string[] {
  return note === undefined ? [] : [style.dim(safe(note))];
}

const NAMES_SHOWN = 8;

/** Describes the skills that the server adds for a client that also reads skills itself. */
function addsLine({ adds, title }: SetupOutput, style: Style): string[] {
  if (!adds) return [];
  const { native, served } = adds;
  if (native + served.length === 0) return [];
  const rest = served.length - NAMES_SHOWN;
  const names = served.slice(0, NAMES_SHOWN).map(safe).join(', ') + (rest > 0 ? ` and ${grouped(rest)} more` : '');
  const adding = served.length === 0 ? 'The server adds none' : `The server adds ${grouped(served.length)}: ${names}`;
  return [
    `Without the server, ${safe(title)} lists ${native === 0 ? 'none' : grouped(native)} of the ${count(native + served.length, 'skill')} here. ${adding}.\n${style.dim('To serve all of them, add --everything.')}`,
  ];
}

function triedLine({ tried }: SetupOutput, style: Style): string {
  if (tried === undefined) return '';
  return tried
    ? `\n  ${style.green('✓')} The server was started once and responded.`
    : `\n  ${style.dim('The server was not tried: setup starts only this copy of Lectern, not the published package or a server at a URL.')}`;
}

function diff({ state, diff: text = '' }: SetupOutput, style: Style): string[] {
  if (!state.startsWith('would')) return [];
  const paint = (line: string): string =>
    line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line;
  return [verbatim(forTerminal(text).trimEnd().split('\n').map(paint).join('\n'))];
}

function ownCommand({ commands, title }: SetupOutput, style: Style, shells: readonly Shell[]): string[] {
  if (!commands) return [];
  const lines = shells.flatMap((shell) => {
    const command = commands[shell];
    if (command === undefined) return [];
    return [
      ...(shells.length > 1 ? [style.dim(`  ${SHELL_TITLES[shell]}:`)] : []),
      verbatim(`  ${style.cyan(safe(command))}`),
    ];
  });
  return [`${style.bold(`Or let ${safe(title)} do it`)}\n${lines.join('\n')}`];
}

function next({ file, format }: SetupOutput, style: Style): string {
  if (file === undefined) return `${style.bold('Next')}\n  add it to the configuration of the client`;
  if (format === 'yaml') return `${style.bold('Next')}\n  add it to ${style.place(file)} by hand`;
  return `${style.bold('Next')}\n  add it by hand, or run the same command with ${style.cyan('--write')} to merge it into ${style.place(file)}`;
}

function usualShells(): Shell[] {
  return process.platform === 'win32' ? ['powershell', 'cmd'] : ['bash'];
}
