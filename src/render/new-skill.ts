import { quoteForBash } from '../core/quote-for-bash.ts';
import type { newSkill } from '../operations/new-skill.ts';
import type { AnswerOf } from '../operations/perform.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { safe, sayFix, type Style } from './style.ts';

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
  const shared = (data.shared ?? [])
    .filter(({ kind }) => kind !== 'present')
    .map(({ agent, kind, path }) => `  ${style.dim(`${kind} for ${safe(agent)}:`)} ${style.place(path)}`);
  const unaware = data.notSeenBy.flatMap(({ title, reason, fix }) => [
    `  ${style.yellow('!')} ${safe(title)} will not list it: ${style.say(reason)}`,
    ...(fix === undefined ? [] : [`      ${style.dim('fix:')} ${sayFix(fix, style)}`]),
  ]);
  const head = [`${style.green('✓')} ${style.place(data.file)}`, readBy, ...shared, ...unaware, ...others].join('\n');
  return `${head}\n\n${style.bold('Next')}\n  edit the file, then: ${command}\n`;
}
