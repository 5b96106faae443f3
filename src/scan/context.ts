/**
 * Determines the context of a passage: code that runs, an instruction to the agent, or text that only describes one. The same
 * command is dangerous as an instruction and useful in a lesson, so the context determines the severity of a finding. It is
 * determined only here, once per file, and not by the rules.
 */
import type { Outline } from '../core/headings.ts';
import type { TextKind } from './file-kinds.ts';

export type Context =
  /** A line of a program or configuration file. */
  | 'code'
  /** A sentence or code block in a text that the agent follows. */
  | 'order'
  /** A comment in a program. A model may read it, but nothing runs it. */
  | 'comment'
  /** An example of how not to do it. */
  | 'teaching'
  /** A pattern to look for. */
  | 'detection'
  /** An action that the text forbids. */
  | 'prohibition';

/** Whether the passage describes a command instead of giving it. */
export function isAbout(context: Context): boolean {
  return context === 'teaching' || context === 'detection' || context === 'prohibition';
}

const FORBIDS =
  /(?:\b(?:never|do not|don['’]t|must not|mustn['’]t|should not|shouldn['’]t|avoid(?:s|ing)?|instead of|rather than|refuse[sd]?(?: to)?|forbid(?:s|den)?|prohibit(?:s|ed)?|disallow(?:s|ed)?|not allowed|no need to)\b|[❌🚫⛔✗✘])(?! (?:forget|skip|hesitate|worry|have|omit|fail|stop|miss|wait|see|mention|tell|ask|inform)\b)/gu;
const DETECTS =
  /\b(?:detect(?:s|ed|ing|ion|or|ors)?|flag(?:s|ged|ging)? (?:any|all|as|if|when|these|it|lines|code|commands|texts?|skills?|usage)|look(?:s|ing)? for|search(?:es|ing)? for|check(?:s|ing)? for|scan(?:s|ned|ning)? for|watch for|block (?:any|all|access|requests?|these|it|metadata)|block(?= [`'"])|blocks|blocked|blocking|blocklist|reject(?:s|ed|ing)?|suspicious|malicious|attack(?:s|er|ers|ing)?|exploit(?:s|ed|ation)?|red flags?|indicators? of|phrases? (?:like|such as)|(?:prompt|command|sql|shell|code|template) injections?|injection (?:attempts?|attacks?|patterns?|phrases?)|jailbreaks?|adversarial|smuggl\w+|phishing|malware|threats?)\b/gu;
const TEACHES =
  /(?:\b(?:anti-?patterns?|bad|wrong|incorrect|vulnerab(?:le|ility|ilities)|insecure|unsafe|dangerous|mistakes?|pitfalls?|don['’]?ts|smells?|not recommended|discouraged|risky)\b|[❌🚫⛔✗✘👎])/gu;
/** Words that make the passage an order if they follow one of the words above: "to detect malware, run …". */
const ORDERS =
  /\b(?:run|execute|paste|install|start|invoke|launch|type|enter|then|first|must|always|proceed|continue|follow|apply)\b/u;
/** The forbidden verb in "Never run …" is not an order. */
const FORBIDDEN_VERB = /^ (?:(?:to|ever|blindly|directly|just) ){0,2}[a-z]+\b/u;
/** Phrases that condemn the command before them. */
const CONDEMNS =
  /^[^.!?\n]{0,60}?\b(?:is|are|would be|counts as) (?:an? )?(?:very |extremely |highly |considered )?(?:dangerous|unsafe|insecure|forbidden|blocked|denied|rejected|prohibited|malicious|suspicious|not allowed|never allowed|anti-?pattern|red flag|attack|injection|bad practice)|^[`'"”’)\s]*(?:→|->|—|–|:)\s*(?:reject|block|deny|flag|never|dangerous|malicious|critical|high risk|🔴|❌)|^[^.!?\n]{0,60}?\b(?:must|should) (?:be (?:rejected|blocked|flagged|refused|denied|reported)|never|not)\b/u;

/** Whether the last match applies to the passage, with no order in between. */
function governs(pattern: RegExp, before: string): boolean {
  let last: RegExpExecArray | undefined;
  for (const match of before.matchAll(pattern)) last = match;
  if (last === undefined) return false;
  const between = before.slice(last.index + last[0].length);
  return !ORDERS.test(pattern === FORBIDS ? between.replace(FORBIDDEN_VERB, '') : between);
}

/** Returns the context that a sentence gives to the text after it. */
function contextAfter(sentence: string): Context | undefined {
  if (governs(FORBIDS, sentence)) return 'prohibition';
  if (governs(TEACHES, sentence)) return 'teaching';
  if (governs(DETECTS, sentence)) return 'detection';
  return undefined;
}

const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)])\s/u;
/** Maximum length of a lead-in, counted from its end. Longer sentences are not written by hand. */
const LEAD_IN_CHARACTERS = 400;

/** Iterates over the lines of a Markdown text and determines the context of each. */
export class Contexts {
  readonly #outline: Outline;
  readonly #classifies: boolean;
  readonly #after: (sentence: string) => Context | undefined;
  /** Contexts from the headings above, by level. */
  readonly #headings: (Context | undefined)[] = [];
  #nextHeading = 0;
  /** Context from the paragraph before a list, table or fence. `order` if the paragraph instructs the agent to run it. */
  #leadIn: Context | undefined;
  /** Context from the list item that a fence may belong to. */
  #item: Context | undefined;
  /** Context from the last comment inside the fence. */
  #inFence: Context | undefined;
  #fenceClosed = false;
  #paragraph = '';
  #inTable = false;
  #inList = false;
  #inFrontmatter = false;

  /** Without `classifies`, only the beginnings of passages are found, which is enough for most files. */
  constructor(outline: Outline, classifies: boolean) {
    this.#outline = outline;
    this.#classifies = classifies;
    this.#after = classifies ? contextAfter : () => undefined;
  }

  next(line: string, index: number): { context: Context; starts: boolean; blank: boolean } {
    const { fenced, headings, lines } = this.#outline;
    const low = this.#classifies ? line.toLowerCase() : line;
    if (index === 0 && /^---\S{0,10}\s*$/u.test(line)) {
      this.#inFrontmatter = true;
      return { context: 'order', starts: true, blank: true };
    }
    if (this.#inFrontmatter) {
      if (/^(?:---|\.\.\.)\s*$/u.test(line)) this.#inFrontmatter = false;
      return { context: 'order', starts: /^\s*(?:- |[\w-]+:)/u.test(line), blank: line.trim() === '' };
    }
    if (fenced[index] === 1) {
      const isMark = /^\s*(?:`{3,}|~{3,})/u.test(line);
      const opens = isMark && (fenced[index - 1] !== 1 || this.#fenceClosed);
      this.#fenceClosed = isMark && !opens && /^[\s`~]*$/u.test(line);
      return this.#fence(line, low, opens);
    }
    this.#inFence = undefined;
    if (line.trim() === '') {
      this.#endParagraph();
      this.#inTable = false;
      return { context: 'order', starts: true, blank: true };
    }
    const heading = headings[this.#nextHeading];
    if (heading?.line === index) {
      this.#nextHeading += 1;
      this.#endParagraph();
      this.#headings.length = heading.level;
      // The title of a file is the name of the skill. It must not excuse everything below it.
      this.#headings[heading.level] = heading.level === 1 ? undefined : this.#after(low);
      [this.#leadIn, this.#item, this.#inList] = [undefined, undefined, false];
      return { context: 'order', starts: true, blank: false };
    }
    if (/^\s*\|/u.test(line)) return this.#row(low, lines[index + 1]);
    this.#inTable = false;
    if (ITEM.test(line)) {
      this.#endParagraph();
      this.#inList = true;
      this.#paragraph = low;
      this.#item = this.#after(low.slice(-LEAD_IN_CHARACTERS));
      return { context: this.#above(), starts: true, blank: false };
    }
    const isContinued = this.#paragraph !== '';
    if (!isContinued && this.#inList && !/^\s/u.test(line))
      [this.#inList, this.#item, this.#leadIn] = [false, undefined, undefined];
    if (this.#paragraph.length < LEAD_IN_CHARACTERS) this.#paragraph += ` ${low.slice(-LEAD_IN_CHARACTERS)}`;
    else this.#paragraph = low.slice(-LEAD_IN_CHARACTERS);
    const quoted = /^\s*>/u.test(line);
    return { context: this.#section() ?? 'order', starts: !isContinued || quoted, blank: false };
  }

  #fence(line: string, low: string, opens: boolean): { context: Context; starts: boolean; blank: boolean } {
    if (opens) {
      this.#endParagraph();
      this.#inFence = this.#item ?? this.#above();
      return { context: 'order', starts: true, blank: false };
    }
    const comment = /(?:^|\s)(?:#|\/\/|--|<!--|\/\*)\s?([^]*)/u.exec(low)?.[1];
    if (comment !== undefined) {
      const said = this.#after(comment);
      const whole = /^\s*(?:#|\/\/|--|<!--|\/\*)/u.test(low);
      if (whole)
        this.#inFence = said ?? (/✅|\bgood\b|\bright\b|\bsafe\b|\bcorrect\b/u.test(comment) ? 'order' : this.#inFence);
      else if (said) return { context: said, starts: true, blank: line.trim() === '' };
    }
    return { context: this.#inFence ?? 'order', starts: false, blank: line.trim() === '' };
  }

  /** The header of a table determines the context of its rows. */
  #row(low: string, next: string | undefined): { context: Context; starts: boolean; blank: boolean } {
    if (!this.#inTable) {
      this.#endParagraph();
      this.#inTable = true;
      if (next !== undefined && /^[\s:|-]+$/u.test(next))
        this.#leadIn = this.#after(low.replaceAll('|', ' ')) ?? this.#leadIn;
    }
    return { context: this.#above(), starts: true, blank: false };
  }

  #section(): Context | undefined {
    return this.#headings.findLast((context) => context !== undefined);
  }

  #above(): Context {
    return this.#leadIn ?? this.#section() ?? 'order';
  }

  #endParagraph(): void {
    const paragraph = this.#paragraph.trim();
    this.#paragraph = '';
    if (paragraph === '') return;
    if (ITEM.test(paragraph)) return;
    const sentence = paragraph.slice(lastSentence(paragraph));
    const leads = paragraph.endsWith(':') || sentence.length <= 80;
    this.#leadIn = leads ? (this.#after(sentence) ?? (ORDERS.test(sentence) ? 'order' : undefined)) : undefined;
  }
}

function lastSentence(text: string): number {
  let at = 0;
  for (const match of text.matchAll(/[.!?] (?=\S)/gu)) at = match.index + 2;
  return at;
}

/** `Pattern: rm -rf /` is a description, not an order. */
const LABELS =
  /^[\s*_|>-]{0,8}(?:pattern|finding|evidence|matched|indicator|risk|signature|violation|vulnerability)s?[*_]{0,2}\s?:/u;
/** Length of the text around a match that can determine its context. */
const SENTENCE_CHARACTERS = 300;

interface Match {
  low: string;
  kind: TextKind;
  start: number;
  end: number;
  passage: { start: number; end: number };
  /** Context of the line. */
  context: Context;
}

/** Returns the context of one match: that of its line, unless its sentence is more specific. */
export function contextOfMatch({ low, kind, start, end, passage, context }: Match): Context {
  if (isAbout(context)) return context;
  const before = low.slice(Math.max(passage.start, start - SENTENCE_CHARACTERS), start);
  const after = low.slice(end, Math.min(passage.end, end + SENTENCE_CHARACTERS));
  const quoted = quotedBy(before, kind);
  if (
    quoted !== undefined &&
    !/[|>]\s*(?:sudo |\/bin\/|~|"?\$|\.?\.?\/|[\w./~-]*(?:rc|profile)\b|(?:ba|z|da)?sh\b|crontab|python|node|at\b|tee)/u.test(
      after,
    )
  )
    return quoted;
  if (kind !== 'prose') return context;
  // A line of a code block that is only a text in quotes is an element of a list of examples.
  if (isLiteral(low.slice(passage.start, Math.min(passage.end, passage.start + 600)))) return 'teaching';
  const sentence = before.slice(lastSentence(before));
  if (LABELS.test(sentence)) return 'detection';
  return contextAfter(sentence) ?? (CONDEMNS.test(after) ? 'prohibition' : context);
}

function isLiteral(passage: string): boolean {
  return /^\s{0,40}(?:[-*] )?["'“][^\n]{1,500}["'”],?\s{0,4}$/u.test(passage);
}

const SEARCHES =
  /(?:\b(?:e|f|z)?grep\b|\brg\b|\back\b|\bre\.(?:compile|search|match|findall|sub)\(|\bregexp?\(|\b(?:pattern|regex|regexp|signature|rule|deny|blocked|forbidden|banned)\w*["']?\s*[:=(])/u;
const PRINTS =
  /\b(?:echo|printf|print|println|console\.\w+|logger?\.\w+|logging\.\w+|warn|error|write-host|write-output|fail|die|throw new \w+|raise \w+)\b/u;
/** Keys of descriptive values in programs and settings. */
const DESCRIBES =
  /\b(?:help|usage|description|message|hint|title|about|epilog|command_?line|cmdline|process\.\w{1,20})["']?\s*[:=]\s*$/u;

/** Returns the context of a match inside a text that the line searches for or prints. */
function quotedBy(before: string, kind: TextKind): Context | undefined {
  const open = openQuote(before);
  if (open === -1) return undefined;
  const ahead = before.slice(0, open);
  const unquoted = ahead.slice(Math.max(...['"', "'", '`'].map((quote) => ahead.lastIndexOf(quote)), 0));
  // `$(printf '…')` turns the text into a command.
  if (/(?:\$\(|^`)\s*(?:echo|printf)\b/u.test(unquoted)) return undefined;
  if (SEARCHES.test(ahead) && !/[;&|]\s*$/u.test(ahead)) return 'detection';
  return PRINTS.test(unquoted) || (kind !== 'prose' && DESCRIBES.test(ahead)) ? 'teaching' : undefined;
}

/** Returns the start of the quotation that is still open at the end of the text, or -1 if there is none. */
function openQuote(text: string): number {
  let [open, mark] = [-1, ''];
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at += 1;
    else if (open !== -1) {
      if (character === mark) open = -1;
    } else if (character === '"' || character === "'") [open, mark] = [at, character];
  }
  return open;
}
