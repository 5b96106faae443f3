import { count } from '../core/text.ts';
import type { AnswerOf } from '../operations/perform.ts';
import type { syncSkills } from '../operations/sync-skills.ts';
import type { Style } from './style.ts';

const WORDS = {
  created: 'created',
  updated: 'updated',
  unchanged: 'up to date',
  'would-create': 'would be created',
  'would-update': 'would be updated',
} as const;

export function renderSync({ files, stale }: AnswerOf<typeof syncSkills>, style: Style): string {
  const lines = files.map(({ file, status, skills }) => {
    const mark = status.startsWith('would') ? style.yellow('!') : style.green('✓');
    return `${mark} ${style.place(file)} ${WORDS[status]} ${style.dim(`(${count(skills, 'skill')})`)}`;
  });
  if (stale === true) lines.push(`  ${style.dim('Run lectern sync to bring it up to date.')}`);
  return `${lines.join('\n')}\n`;
}
