/** Failures about items that exist but cannot be read. They name the place, because "not found" would be misleading. */
import type { Diagnostic } from './diagnostics.ts';
import { type Available, Failure } from './failure.ts';
import { count, echo } from './text.ts';

type Problem = Pick<Diagnostic, 'path' | 'message' | 'fix'>;

/** `what` is the item with its noun, such as `Spec 'auth'`. */
export function unreadable(what: string, problem: Problem, available?: Available): Failure {
  return new Failure('UNREADABLE', `${what} cannot be read: ${reasonOf(problem)} (${echo(problem.path)}).`, {
    path: problem.path,
    hint: problem.fix,
    ...(available ? { available } : {}),
  });
}

/** Maximum number of places that a sentence names. */
const NAMED = 3;

/** Returns a sentence about places that may contain a missing item, or undefined if there are none. */
export function unreadablePlaces(problems: readonly Problem[]): string | undefined {
  const [first, ...rest] = problems;
  if (!first) return undefined;
  const named = [first, ...rest].slice(0, NAMED).map((problem) => `${echo(problem.path)} (${reasonOf(problem)})`);
  const more = problems.length - named.length;
  return `Not searched, because it cannot be read: ${named.join(', ')}${more > 0 ? ` and ${count(more, 'more path')}` : ''}.`;
}

function reasonOf({ message }: Problem): string {
  return message.replace(/^cannot be read \((.*)\)$/u, '$1');
}
