import type { AnswerOf } from '../operations/perform.ts';
import type { shareSkills } from '../operations/share-skills.ts';
import { safe, type Style } from './style.ts';

type Shared = AnswerOf<typeof shareSkills>;
type Row = Shared['shared'][number];

/** Renders one group of lines for each skill. */
export function renderShared({ shared, undone = false, dryRun, notes = [] }: Shared, style: Style): string {
  const names = [...new Set(shared.map(({ name }) => name))];
  const lines = names.flatMap((name) => [
    style.bold(safe(name)),
    ...shared.filter((row) => row.name === name).flatMap((row) => renderRow(row, undone, style)),
  ]);
  const hasWork = shared.some(({ kind, status }) => kind !== 'present' || status === 'planned');
  const ends = [
    ...notes.map((note) => `${style.yellow('note:')} ${safe(note)}`),
    ...(hasWork ? [] : ['Nothing to do.']),
    ...(dryRun && hasWork ? [style.dim('Nothing was written.')] : []),
  ];
  return `${[...lines, ...ends].join('\n')}\n`;
}

function renderRow({ agent, scope, path, kind, status, reason }: Row, undone: boolean, style: Style): string[] {
  const mark =
    kind === 'present' ? style.dim('·') : status === 'done' ? style.green('✓') : style.yellow(undone ? '-' : '+');
  const who = `${safe(agent)}${scope === 'user' ? ' (user)' : ''}`;
  const word = kind === 'present' ? 'has it in' : undone ? `${kind} removed from` : `${kind} in`;
  const planned = kind === 'present' ? word : undone ? `${kind} in` : word;
  return [
    `  ${mark} ${who}: ${status === 'planned' ? planned : word} ${style.place(path)}`,
    ...(reason === undefined ? [] : [`      ${style.dim(style.say(reason))}`]),
  ];
}
