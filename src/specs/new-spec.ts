import { outlineOf } from '../core/headings.ts';
import type { ParsedDelta } from './parse-delta.ts';
import { structureProblems } from './structure.ts';

/** OpenSpec writes exactly this sentence, and its validator recognizes it as a placeholder. */
const PLACEHOLDER = { before: 'TBD - created by archiving change ', after: '. Update Purpose after archive.' };

/** Returns the beginning of a new spec, up to the first requirement. */
export function newSpecText(
  names: { capability: string; change: string },
  delta: ParsedDelta,
): { text: string; notes: string[] } {
  const notes: string[] = [];
  const authored = authoredPurpose(delta);
  if (delta.purpose !== '' && authored === undefined)
    notes.push('the Purpose of the delta cannot be used, so a placeholder was written');
  const purpose = authored ?? `${PLACEHOLDER.before}${names.change}${PLACEHOLDER.after}`;
  return { text: `# ${names.capability} Specification\n\n## Purpose\n${purpose}\n\n## Requirements\n`, notes };
}

/** Returns the Purpose of the delta, unless a comment, open fence or section heading in it would hide or break later text. */
function authoredPurpose({ purpose }: ParsedDelta): string | undefined {
  const outline = outlineOf(purpose);
  const hasText = outline.lines.some((line, index) => outline.fenced[index] !== 1 && line.trim() !== '');
  const isHarmful =
    outline.openFence !== undefined || purpose.includes('<!--') || structureProblems(outline).length > 0;
  return hasText && !isHarmful ? purpose : undefined;
}

export function isPlaceholder(text: string): boolean {
  const end = text.indexOf(PLACEHOLDER.after);
  return end !== -1 && text.lastIndexOf(PLACEHOLDER.before, end) !== -1;
}
