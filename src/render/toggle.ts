import type { AnswerOf } from '../operations/perform.ts';
import type { enableSkills } from '../operations/toggle-skills.ts';
import { safe, type Style } from './style.ts';

type Toggled = AnswerOf<typeof enableSkills>;

export function renderEnabled(data: Toggled, style: Style): string {
  return renderToggle(data, 'enabled', style);
}

export function renderDisabled(data: Toggled, style: Style): string {
  return renderToggle(data, 'disabled', style);
}

function renderToggle(data: Toggled, done: string, style: Style): string {
  const changed = data.changed.flatMap(({ name, fullName, to, loads = [] }) => [
    data.dryRun
      ? `${style.yellow('!')} ${safe(fullName)} would be ${done} ${style.dim(style.place(to))}`
      : `${style.green('✓')} ${safe(fullName)} ${done} ${style.dim(style.place(to))}`,
    ...renderLoads(name, loads, style),
  ]);
  const unchanged = data.unchanged.map(
    ({ fullName, file }) => `${style.dim('·')} ${safe(fullName)} was already ${done} ${style.dim(style.place(file))}`,
  );
  return `${[...changed, ...unchanged].join('\n')}\n`;
}

/** Disabling one copy may make the name load another. */
function renderLoads(name: string, loads: readonly { fullName: string; file: string }[], style: Style): string[] {
  const [only] = loads;
  if (only === undefined) return [];
  if (loads.length === 1)
    return [
      `  ${style.yellow('!')} ${safe(name)} now loads ${safe(only.fullName)} ${style.dim(style.place(only.file))}`,
    ];
  return [
    `  ${style.yellow('!')} ${safe(name)} is now ambiguous: ${loads.map(({ fullName }) => safe(fullName)).join(', ')}`,
  ];
}
