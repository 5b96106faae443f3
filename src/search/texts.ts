/** Derives the searchable texts of a document: weighted texts for words, and texts for vectors. */

/** In half steps, so that code can count half as much as prose and a weight still fits in a byte. */
const WEIGHT = { name: 6, description: 4, prose: 2, code: 1 } as const;

const FENCE = /^ {0,3}(`{3,}|~{3,})/u;

/** A vector of more words represents each of them too weakly. */
const CHUNK_WORDS = 60;

/** The first paragraphs describe the subject of a document. */
const MAX_CHUNKS = 3;

/** A shorter remainder gets no vector. */
const MIN_CHUNK_WORDS = 12;

/** The beginning of the context states the subject. More of it would hide the document itself. */
const CONTEXT_WORDS = 30;

/** Heading marks, list markers, table lines and similar markup are not language. Applied to less than 3,000 characters. */
const MARKUP = /^[ \t]*(?:#{1,6}|[-*+>|]|\d+[.)]|\[[ xX]\])[ \t]+|[`*_|]+|<!--[\s\S]{0,3000}?-->|https?:\/\/\S+/gmu;

/** The texts of a document. */
export interface Text {
  names: readonly string[];
  description: string;
  context?: string | undefined;
  body: string;
}

export interface WeightedText {
  text: string;
  weight: number;
}

export interface DocumentTexts {
  /** All texts with weights. A word in the name counts more than one in a code block. */
  weighted: WeightedText[];
  /** Texts with one vector each: names, description and the beginning of the context, then chunks of the prose in the body. */
  head: string;
  chunks: string[];
}

export function textsOf({ names, description, context = '' }: Omit<Text, 'body'>, body: string): DocumentTexts {
  const named = [...new Set(names)];
  const parts = proseAndCode(body);
  return {
    weighted: [
      { text: named.join(' '), weight: WEIGHT.name },
      { text: description, weight: WEIGHT.description },
      ...(context === '' ? [] : [{ text: context, weight: WEIGHT.prose }]),
      ...parts.map(({ text, code }) => ({ text, weight: code ? WEIGHT.code : WEIGHT.prose })),
    ],
    head: [named.join('. '), description, ...beginningOf(context)].join('. '),
    chunks: chunksOf(parts.filter(({ code }) => !code).map(({ text }) => text)),
  };
}

function beginningOf(context: string): string[] {
  const words = context.split(/\s+/u).filter((word) => word !== '');
  return words.length === 0 ? [] : [words.slice(0, CONTEXT_WORDS).join(' ')];
}

function chunksOf(parts: readonly string[]): string[] {
  const enough = 16 * CHUNK_WORDS * MAX_CHUNKS;
  let prose = '';
  for (const part of parts) {
    if (prose.length >= enough) break;
    prose += `${prose === '' ? '' : '\n'}${part.slice(0, enough)}`;
  }
  const words = prose
    .slice(0, enough)
    .replace(MARKUP, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '')
    .slice(0, CHUNK_WORDS * MAX_CHUNKS);
  const chunks: string[] = [];
  for (let at = 0; at < words.length; at += CHUNK_WORDS) {
    const chunk = words.slice(at, at + CHUNK_WORDS);
    if (chunk.length >= MIN_CHUNK_WORDS) chunks.push(chunk.join(' '));
  }
  return chunks;
}

/** Splits Markdown at its code fences. An unclosed fence reaches to the end. */
function proseAndCode(markdown: string): { text: string; code: boolean }[] {
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
