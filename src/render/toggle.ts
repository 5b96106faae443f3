import { forTerminal } from '../core/text.ts';
import type { AnswerOf } from '../operations/perform.ts';
import type { ChangedSetting, Switched } from '../operations/setting-shapes.ts';
import type { enableSkills } from '../operations/toggle-skills.ts';
import { safe, sayFix, type Style, verbatim } from './style.ts';

type Toggled = AnswerOf<typeof enableSkills>;

export function renderEnabled(data: Toggled, style: Style): string {
  return renderToggle(data, 'enabled', style);
}

export function renderDisabled(data: Toggled, style: Style): string {
  return renderToggle(data, 'disabled', style);
}

function renderToggle(data: Toggled, done: string, style: Style): string {
  if (data.setting) return renderSwitched(data.setting, done, style);
  const changed = data.changed.flatMap(({ name, fullName, to, loads = [], warning }) => [
    data.dryRun
      ? `${style.yellow('!')} ${safe(fullName)} would be ${done} ${style.dim(style.place(to))}`
      : `${style.green('✓')} ${safe(fullName)} ${done} ${style.dim(style.place(to))}`,
    ...renderLoads(name, loads, style),
    ...(warning === undefined ? [] : [`  ${style.yellow('!')} ${safe(warning)}`]),
  ]);
  const unchanged = data.unchanged.map(
    ({ fullName, file }) => `${style.dim('·')} ${safe(fullName)} was already ${done} ${style.dim(style.place(file))}`,
  );
  return `${[...changed, ...unchanged].join('\n')}\n`;
}

/** Who a setting applies to. */
const SCOPE_WORDS = {
  user: 'for you, in every project',
  project: 'for everyone in this project',
  local: 'for you, in this project',
} as const;

export function renderSwitched(setting: Switched, done: string, style: Style): string {
  const { title, skills } = setting;
  const isPreview = setting.state.startsWith('would');
  // A name may have several copies.
  const named = [...new Map(skills.map((each) => [`${each.name} ${each.status} ${each.reason ?? ''}`, each])).values()];
  const lines = named.flatMap(({ name, status, reason, fix }) => {
    const shown = `${style.bold(safe(name))}`;
    const why = reason === undefined ? '' : ` ${style.dim(`(${style.say(reason)})`)}`;
    const more = fix === undefined ? [] : [`  ${style.dim('fix:')} ${sayFix(fix, style)}`];
    if (status === 'unchanged')
      return [`${style.dim('·')} ${shown} is already ${done} for ${safe(title)}${why}`, ...more];
    if (reason !== undefined)
      return [`${style.yellow('!')} ${shown} is still disabled for ${safe(title)}${why}`, ...more];
    return isPreview
      ? [`${style.yellow('!')} ${shown} would be ${done} for ${safe(title)}`]
      : [`${style.green('✓')} ${shown} ${done} for ${safe(title)}`];
  });
  return `${[...lines, ...settingLines(setting, style)].join('\n')}\n`;
}

/** Renders the file and the change. Empty if nothing changed. */
export function settingLines({ state, file, scope, diff = '' }: ChangedSetting, style: Style): string[] {
  if (state === 'unchanged') return [];
  const paint = (line: string): string =>
    line.startsWith('+') ? style.green(line) : line.startsWith('-') ? style.red(line) : line;
  const verb = {
    created: 'Created',
    changed: 'Changed',
    'would-create': 'Would create',
    'would-change': 'Would change',
  };
  return [
    `${verb[state]} ${style.place(file)} ${style.dim(`(${SCOPE_WORDS[scope]})`)}`,
    '',
    verbatim(forTerminal(diff).trimEnd().split('\n').map(paint).join('\n')),
  ];
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
