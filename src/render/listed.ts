import type { ExplainedError } from '../core/failure.ts';

/**
 * A message as the lines that people read. One that joins several suggestions with semicolons is a paragraph that nobody can
 * scan, so each of them gets a line.
 */
export function listed({ message, suggestions = [] }: Pick<ExplainedError, 'message' | 'suggestions'>): string[] {
  const joined = suggestions.join('; ');
  const at = suggestions.length > 1 ? message.indexOf(joined) : -1;
  if (at === -1) return [message];
  const rest = message.slice(at + joined.length).replace(/^[;.\s]+|\.$/gu, '');
  return [message.slice(0, at).trimEnd(), ...suggestions, ...(rest === '' ? [] : [rest])];
}
