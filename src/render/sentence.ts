import { safe, type Style } from './style.ts';

/** Renders a result of one sentence, and the command that usually follows. */
export function renderSentence(sentence: string, next: string | undefined, style: Style): string {
  const hint = next === undefined ? '' : `  next: ${style.cyan(safe(next))}\n`;
  return `${style.green('✓')} ${safe(sentence)}\n${hint}`;
}
