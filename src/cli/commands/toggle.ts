import { disableSkills, enableSkills, type ToggleOutput } from '../../operations/toggle-skills.js';
import { safe, type Style } from '../../render/style.js';
import type { RunCommand } from '../command.js';
import { isSet } from '../flags.js';

export const enable: RunCommand = toggleWith(enableSkills, 'enabled');
export const disable: RunCommand = toggleWith(disableSkills, 'disabled');

function toggleWith(operation: typeof enableSkills | typeof disableSkills, done: string): RunCommand {
  return async ({ workspace, arguments: names, flags }) => {
    const data = await operation.run(
      { names: names.flatMap((name) => name.split(',')).filter((name) => name !== ''), force: isSet(flags, 'force') },
      await workspace(),
    );
    return { json: data, text: (style) => renderToggle(data, done, style) };
  };
}

function renderToggle(data: ToggleOutput, done: string, style: Style): string {
  const changed = data.changed.map(({ fullName, to }) => `${style.green('✓')} ${safe(fullName)} ${done} ${style.dim(safe(to))}`);
  const unchanged = data.unchanged.map(({ fullName, file }) => `${style.dim('·')} ${safe(fullName)} was already ${done} ${style.dim(safe(file))}`);
  return `${[...changed, ...unchanged].join('\n')}\n`;
}
