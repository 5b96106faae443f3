import type { SearchDocument } from '../document.ts';

/** In half steps, so that code can count half as much as prose and a weight still fits in a byte. */
const WEIGHT = { name: 6, description: 4, prose: 2, code: 1 } as const;

const FENCE = /^ {0,3}(`{3,}|~{3,})/u;

export type IndexedText = Pick<SearchDocument, 'name' | 'otherNames' | 'description' | 'body'>;

/** A document's texts with their weights: a word in the name counts more than one in a code block. */
export function weightedTexts(document: IndexedText): { text: string; weight: number }[] {
  return [
    { text: [...new Set([document.name, ...(document.otherNames ?? [])])].join(' '), weight: WEIGHT.name },
    { text: document.description, weight: WEIGHT.description },
    ...proseAndCode(document.body()).map(({ text, code }) => ({ text, weight: code ? WEIGHT.code : WEIGHT.prose })),
  ];
}

/** Splits Markdown at its code fences. An unclosed fence reaches to the end. */
export function proseAndCode(markdown: string): { text: string; code: boolean }[] {
  if (!markdown.includes('```') && !markdown.includes('~~~')) return [{ text: markdown, code: false }];
  const parts: { text: string; code: boolean }[] = [];
  let lines: string[] = [];
  let fence = '';
  const flush = (code: boolean): void => {
    if (lines.length > 0) parts.push({ text: lines.join('\n'), code });
    lines = [];
  };
  for (const line of markdown.split('\n')) {
    const found = FENCE.exec(line)?.[1] ?? '';
    const opens = fence === '' && found !== '';
    const closes = fence !== '' && found.startsWith(fence);
    if (!opens && !closes) {
      lines.push(line);
      continue;
    }
    flush(closes);
    fence = closes ? '' : found;
  }
  flush(fence !== '');
  return parts;
}
