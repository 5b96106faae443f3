import { disableSkills, enableSkills, type ToggleOutput } from '../../operations/toggle-skills.ts';
import { safe, type Style } from '../../render/style.ts';
import type { RunCommand } from '../command.ts';
import { isSet } from '../flags.ts';

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
  const changed = data.changed.flatMap(({ name, fullName, to, loads = [] }) => [
    `${style.green('✓')} ${safe(fullName)} ${done} ${style.dim(safe(to))}`,
    ...renderLoads(name, loads, style),
  ]);
  const unchanged = data.unchanged.map(
    ({ fullName, file }) => `${style.dim('·')} ${safe(fullName)} was already ${done} ${style.dim(safe(file))}`,
  );
  return `${[...changed, ...unchanged].join('\n')}\n`;
}

/** Whoever hides one copy may bring another to light. */
function renderLoads(name: string, loads: readonly { fullName: string; file: string }[], style: Style): string[] {
  const [only] = loads;
  if (only === undefined) return [];
  if (loads.length === 1)
    return [`  ${style.yellow('!')} ${safe(name)} now loads ${safe(only.fullName)} ${style.dim(safe(only.file))}`];
  return [
    `  ${style.yellow('!')} ${safe(name)} is now ambiguous: ${loads.map(({ fullName }) => safe(fullName)).join(', ')}`,
  ];
}
