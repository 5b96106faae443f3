/**
 * Counts habits that make English read as translated, in comments and in the strings that people see. The patterns are rough on
 * purpose: a share of one or two percent is normal in well-written projects, so only the trend counts.
 */
import { lineOf, type ParsedSource, walk } from './sources.ts';

export interface Passage {
  file: string;
  line: number;
  text: string;
}

const HABITS = {
  /** "Where what was there before is kept": a clause instead of a noun. */
  what: /\bwhat(?!\s+(?:if|kind|else)\b)(?![^.?!]*\?)/iu,
  /** Code does not speak. */
  speech:
    /\b(?:told|tells?|telling|says?|saying|hears?|heard|vouch(?:es)?|silent(?:ly)?|speaks?|spoken|asked|wants?)\b/iu,
  /** A sentence without a subject, such as "Of the token.": a preposition or conjunction and no clause after it. */
  fragment:
    /(?:^|[.!?]\s+)(?:(?:Those|Whoever|Whose|Nor|Neither|Than|So (?:long|many|much))\b|(?:Of|For|In|From|With|Without|As|Only (?:if|for|in|of|with|where|from|as|to)|Also (?:if|for|in|of|with|where|from|as|to)|If|Because|Even|And|Or)\b[^,.:;!?]*(?:[.!?;]|$))/u,
  persons: /\b(?:somebody|someone|nobody|no one|anybody|anyone|everybody|everyone|whoever|those who|they who)\b/iu,
  filler:
    /\b(?:at once|all the same|in vain|anew|made again|for ever|goes on|go on|is gone|are gone|brings? along|of (?:its|their) own|worth a word)\b/iu,
} as const;

export type Habit = keyof typeof HABITS;
export const HABIT_NAMES = Object.keys(HABITS) as Habit[];

export interface Language {
  passages: number;
  found: Record<Habit, Passage[]>;
}

export function languageOf(passages: readonly Passage[]): Language {
  const found = Object.fromEntries(
    HABIT_NAMES.map((habit) => [habit, passages.filter(({ text }) => HABITS[habit].test(text))]),
  ) as Record<Habit, Passage[]>;
  return { passages: passages.length, found };
}

/** Share of the passages with a habit, in percent. */
export function share({ passages, found }: Language, habit: Habit): number {
  return passages === 0 ? 0 : (found[habit].length * 100) / passages;
}

/** The comments of a file. Line comments on consecutive lines are one comment. */
export function commentsIn({ file, text, comments }: ParsedSource): Passage[] {
  const passages: (Passage & { end: number; isLine: boolean })[] = [];
  for (const { type, value, start, end } of comments) {
    const words = value
      .replace(/^\s*\*? ?/gmu, '')
      .replace(/\s+/gu, ' ')
      .replace(/`[^`]*`/gu, '`code`')
      .trim();
    const isLine = type === 'Line';
    const last = passages.at(-1);
    if (isLine && last?.isLine && /^\r?\n[ \t]*$/u.test(text.slice(last.end, start))) {
      last.text += ` ${words}`;
      last.end = end;
    } else if (words !== '') passages.push({ file, line: lineOf(text, start), text: words, end, isLine });
  }
  return passages.map(({ file: each, line, text: words }) => ({ file: each, line, text: words }));
}

/** String and template literals that read as a phrase: at least four words. */
export function stringsIn({ file, text, program }: ParsedSource): Passage[] {
  const passages: Passage[] = [];
  const add = (start: number, value: string): void => {
    const words = value.replace(/\s+/gu, ' ').trim();
    if (/^\S*[A-Za-z]\S*(?: \S+){3,}$/u.test(words)) passages.push({ file, line: lineOf(text, start), text: words });
  };
  walk(program, (node) => {
    if (node.type === 'Literal' && typeof node.value === 'string') add(node.start, node.value);
    else if (node.type === 'JSXText') add(node.start, node.value);
    else if (node.type === 'TemplateLiteral')
      add(node.start, node.quasis.map(({ value }) => value.cooked ?? '').join('…'));
    return true;
  });
  return passages;
}
