import { count, grouped } from '../core/text.ts';
import type { UsageOutput } from '../operations/usage.ts';
import { safe, type Style } from './style.ts';
import { padEnd, widthOf } from './width.ts';

export function renderUsage({ counted, file, since, skills, elsewhere }: UsageOutput, style: Style): string {
  const hint = `To count skill use, set ${style.cyan('"usage": true')} in ~/.config/lectern/config.json (or config.json in the lectern folder of XDG_CONFIG_HOME). The counts stay on this machine.`;
  if (since === undefined)
    return counted
      ? `No skill has been loaded through ${style.cyan('lectern mcp')} yet.\n`
      : `Skill use is not counted.\n${hint}\n`;
  const loaded = skills.filter(({ loads }) => loads > 0);
  const columns = Math.max(0, ...loaded.map(({ fullName }) => widthOf(safe(fullName))));
  const digits = Math.max(0, ...loaded.map(({ loads }) => grouped(loads).length));
  const lines = loaded.map(
    ({ fullName, loads, last = '' }) =>
      `  ${padEnd(safe(fullName), columns)}  ${grouped(loads).padStart(digits)}  ${style.dim(last)}`,
  );
  const never = skills.filter(({ loads }) => loads === 0).map(({ fullName }) => safe(fullName));
  const parts = [`${style.bold('Loads through lectern mcp')} ${style.dim(`since ${since}`)}`];
  if (lines.length > 0) parts.push(lines.join('\n'));
  if (never.length > 0) parts.push(`${style.bold('Never')}\n  ${never.join(', ')}`);
  if (elsewhere > 0) parts.push(style.dim(`${count(elsewhere, 'load')} of skills not found here`));
  if (!counted) parts.push(`${style.yellow('Skill use is no longer counted.')} ${hint}`);
  if (file !== null) parts.push(style.dim(style.place(file)));
  return `${parts.join('\n\n')}\n`;
}
