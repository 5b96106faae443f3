/** Texts that belong together, from one file of a source. The types are those of README.md. Pure: text in, pairs out. */
import { outlineOf, sectionEnd, textOf } from '../src/core/headings.ts';
import { readFrontmatter } from '../src/core/frontmatter/read.ts';
import type { Kind } from './sources.ts';
import { proposalPairs, specPairs } from './spec-pairs.ts';

export interface TextPair {
  type: number;
  left: string;
  right: string;
}

/** How much of a body belongs to a sentence about it. */
const BODY_WORDS = 60;

/** What a file says of its own license, and its pairs. */
export interface MadePairs {
  license?: string;
  pairs: TextPair[];
}

/** `below` returns the specs in the folder of the file and below it, for a proposal and its deltas. */
export function pairsOf(kind: Kind, file: string, text: string, below: () => string[] = () => []): MadePairs {
  if (kind === 'specs') {
    const [, name] = /[\\/]openspec[\\/](?:.+[\\/])?(spec|proposal)\.md$/u.exec(file) ?? [];
    if (name === 'spec') return { pairs: specPairs(text).filter(isFilled) };
    return { pairs: name === 'proposal' ? proposalPairs(text, below()).filter(isFilled) : [] };
  }
  if (kind === 'skills') return /(?:^|[\\/])SKILL\.md$/u.test(file) ? skillPairs(text) : { pairs: [] };
  if (kind === 'markdown') return { pairs: file.endsWith('.md') ? markdownPairs(text) : [] };
  if (kind === 'packages') return { pairs: packagePairs(text) };
  if (kind === 'wordnet') return { pairs: /(?:^|[\\/])data\.\w+$/u.test(file) ? wordNetPairs(text) : [] };
  return { pairs: file.endsWith('.md') ? taskPairs(text) : [] };
}

function skillPairs(text: string): MadePairs {
  const { name, description, license, body } = headOf(text);
  if (description === '') return { pairs: [] };
  const { first, rest } = sentences(description);
  const phrases = [...description.matchAll(/["“]([^"“”]{4,80})["”]/gu)].map(([, phrase = '']) => phrase);
  const start = wordsOf(body).slice(0, BODY_WORDS).join(' ');
  return {
    ...(license === '' ? {} : { license }),
    pairs: [
      ...phrases.map((left) => ({ type: 1, left, right: `${name} ${description.replace(left, ' ')} ${start}` })),
      { type: 2, left: first, right: start },
      { type: 3, left: rest, right: `${name} ${first}` },
      ...sections(body).map(([left, right]) => ({ type: 4, left, right })),
      { type: 5, left: name, right: description },
    ].filter(isFilled),
  };
}

function markdownPairs(text: string): TextPair[] {
  const { name, title, description, body } = headOf(text);
  const heading = title || name || (/^# (.+)$/mu.exec(body)?.[1] ?? '');
  const start = wordsOf(body.replace(/^# .+$/mu, ''))
    .slice(0, BODY_WORDS)
    .join(' ');
  return [
    ...sections(body).map(([left, right]) => ({ type: 11, left, right })),
    { type: 12, left: `${heading} ${description}`.trim(), right: start },
  ].filter(isFilled);
}

/** Paragraphs of `Package:` and `Description:`, as in the lists of Debian: one line, then indented ones. */
function packagePairs(text: string): TextPair[] {
  return text.split(/\n\n+/u).flatMap((paragraph) => {
    const found = /^Description(?:-en)?: (.+)((?:\n .*)*)/mu.exec(paragraph);
    const name = /^Package: (.+)$/mu.exec(paragraph)?.[1] ?? '';
    const [, short = '', long = ''] = found ?? [];
    return [{ type: 6, left: short, right: `${name} ${long.replaceAll(/\n \.?/gu, ' ')}` }].filter(isFilled);
  });
}

/** The data files of WordNet: `offset file type count word id … | gloss; "example"`. */
function wordNetPairs(text: string): TextPair[] {
  return text.split('\n').flatMap((line) => {
    const [head = '', gloss = ''] = line.split(' | ');
    const fields = head.split(' ');
    const count = Number.parseInt(fields[3] ?? '', 16);
    if (!/^\d{8}$/u.test(fields[0] ?? '') || !Number.isInteger(count)) return [];
    const words = Array.from({ length: count }, (_, index) => (fields[4 + 2 * index] ?? '').replaceAll('_', ' '));
    const meaning = gloss.split('; "')[0] ?? '';
    return words
      .flatMap((word, index) => [
        { type: 8, left: word, right: meaning },
        ...(words.length > 1
          ? [{ type: 9, left: word, right: `${words.filter((_, at) => at !== index).join(' ')} ${meaning}` }]
          : []),
      ])
      .filter(isFilled);
  });
}

/** Pages of tldr: a tool as title, then `- A task:` before each command. */
function taskPairs(text: string): TextPair[] {
  const tool = /^# (.+)$/mu.exec(text)?.[1] ?? '';
  const about = [...text.matchAll(/^> (?!More information)(.+)$/gmu)].map(([, line = '']) => line).join(' ');
  const tasks = [...text.matchAll(/^- (.+?):?$/gmu)].map(([, task = '']) => task);
  return tasks
    .map((left) => ({
      type: 10,
      left,
      right: `${tool} ${about} ${tasks.filter((task) => task !== left).join(' ')}`,
    }))
    .filter(isFilled);
}

function headOf(text: string): { name: string; title: string; description: string; license: string; body: string } {
  const found = readFrontmatter(text);
  const value = (key: string): string => {
    const given = found?.data[key];
    return typeof given === 'string' ? given : '';
  };
  return {
    name: value('name'),
    title: value('title'),
    description: value('description'),
    license: value('license'),
    body: plain(text.slice(found?.bodyStart ?? 0)),
  };
}

/** Without code and addresses: they do not say what a text is about. */
function plain(body: string): string {
  const { lines, fenced } = outlineOf(body);
  const kept = lines.filter((_, index) => fenced[index] !== 1).join('\n');
  return kept.replaceAll(/`[^`\n]*`/gu, ' ').replaceAll(/https?:\/\/\S+/gu, ' ');
}

function sections(body: string): [heading: string, text: string][] {
  const outline = outlineOf(body);
  return outline.headings.map((heading, index) => [
    heading.text,
    wordsOf(textOf(outline, heading.line + 1, sectionEnd(outline, index)))
      .slice(0, BODY_WORDS)
      .join(' '),
  ]);
}

function sentences(description: string): { first: string; rest: string } {
  const [first = ''] = /^.*?[.!?](?=\s|$)/su.exec(description) ?? [description];
  return { first, rest: description.slice(first.length).trim() };
}

function wordsOf(text: string): string[] {
  return text.match(/\S+/gu) ?? [];
}

function isFilled({ left, right }: TextPair): boolean {
  return /\p{L}{3}/u.test(left) && /\p{L}{3}/u.test(right);
}
