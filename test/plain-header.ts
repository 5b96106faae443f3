import type { Header } from '../src/skills/parse.ts';

/** What a header says, as plain data: readers may keep more, and read some of it late. */
export function plainHeader(header: Header | undefined): Header | undefined {
  if (!header) return undefined;
  const { name, description, frontmatter, lines, bodyLine, diagnostics } = header;
  return { name, description, frontmatter: { ...frontmatter }, lines, bodyLine, diagnostics };
}
