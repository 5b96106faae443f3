import type { ExplainedError } from '../core/failure.ts';

/**
 * Splits a message into lines. A message that joins several suggestions with semicolons is hard to scan, so each
 * suggestion gets a line.
 */
export function listed({ message, suggestions = [] }: Pick<ExplainedError, 'message' | 'suggestions'>): string[] {
  const joined = suggestions.join('; ');
  const at = suggestions.length > 1 ? message.indexOf(joined) : -1;
  if (at === -1) return [message];
  const rest = message.slice(at + joined.length).replace(/^[;.\s]+|\.$/gu, '');
  return [message.slice(0, at).trimEnd(), ...suggestions, ...(rest === '' ? [] : [rest])];
}
