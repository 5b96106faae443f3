/** Commands that fixes print. They work as printed, in a POSIX shell. */
import path from 'node:path';
import { quoteForBash } from '../core/quote-for-bash.ts';

/** Shares a skill, given by its name or its folder, with an agent. */
export function shareCommand(skill: string, agent: string): string {
  return `${shareManyCommand([skill], [agent])} --yes`;
}

/** Shares skills with agents. Without `--yes`, because the list of the changes should be read before so many are made. */
export function shareManyCommand(skills: readonly string[], agents: readonly string[]): string {
  return `lectern share ${skills.map(quoteForBash).join(' ')} --to ${agents.join(',')}`;
}

/** Moves conflicting copies out of their skills folders, and shares another copy with the agent. */
export function replaceCommand(dir: string, others: readonly string[], agent: string): string {
  const moves = others.map((other) => {
    const aside = path.join(path.dirname(path.dirname(other)), `${path.basename(other)}.old`);
    return `mv ${quoteForBash(other)} ${quoteForBash(aside)}`;
  });
  return [...moves, shareCommand(dir, agent)].join(' && ');
}

/** Copies a skill into a skills folder. */
export function installCommand(dir: string, root: string): string {
  return `lectern install ${quoteForBash(dir)} --dir ${quoteForBash(root)} --yes`;
}
