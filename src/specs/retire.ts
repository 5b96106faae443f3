import { outlineOf } from '../core/headings.ts';
import { isSectionHeading, requirementsSection } from './blocks.ts';
import { openspecSection } from './words.ts';

/**
 * Retiring a capability deletes its spec. Returns the first line that this would lose without the change naming it:
 * anything but a title, a Purpose and requirements.
 */
export function lostByRetiring(text: string): string | undefined {
  const outline = outlineOf(text);
  const section = requirementsSection(outline);
  const other = outline.headings.find((heading, index) => {
    const kind = isSectionHeading(outline, index) ? openspecSection(heading.text) : 'purpose';
    return kind !== 'purpose' && kind !== 'requirements';
  });
  if (other) return other.text;
  const beforeSections =
    outline.headings.find(({ level, tight }) => level === 2 && !tight)?.line ?? outline.lines.length;
  const preambleEnd = section?.blocks[0]?.line ?? section?.to ?? 0;
  const isLoose = (line: string, index: number): boolean =>
    line.trim() !== '' &&
    !/^#\s/u.test(line) &&
    (index < beforeSections || (section !== undefined && index > section.line && index < preambleEnd));
  return outline.lines.find(isLoose)?.trim();
}
