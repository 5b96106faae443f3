import { quoteForBash } from '../clients/shell-quote.ts';
import type { newSkill } from '../operations/new-skill.ts';
import type { AnswerOf } from '../operations/perform.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { safe, type Style } from './style.ts';

export function renderNewSkill(
  data: AnswerOf<typeof newSkill>,
  style: Style,
  { workspace }: { workspace: Workspace },
): string {
  // The name may load another copy, or none if the skill is outside the known folders.
  const found = workspace.snapshot.view('all').find(data.name);
  const target = found.kind === 'found' && found.skill.file === data.file ? data.name : data.path;
  const command = style.cyan(`lectern validate ${quoteForBash(safe(target))}`);
  const readBy =
    data.readBy.length === 0
      ? `  ${style.yellow('!')} no known agent reads this folder; lectern mcp --skill-dir serves it`
      : `  ${style.dim(`read by ${data.readBy.join(', ')}`)}`;
  const others = data.others.map(
    ({ fullName, file }) =>
      `  ${style.yellow('!')} the name already exists: ${safe(fullName)} ${style.dim(style.place(file))}`,
  );
  const head = [`${style.green('✓')} ${style.place(data.file)}`, readBy, ...others].join('\n');
  return `${head}\n\n${style.bold('Next')}\n  edit the file, then: ${command}\n`;
}
