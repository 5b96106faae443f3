/**
 * Retiring a capability deletes its spec, so every line of the spec must be accounted for: the title, the Purpose, the heading
 * `## Requirements`, and the requirements that the delta removes, each with its statement and its scenarios. OpenSpec has the
 * same rule. Where the two could differ, this one is stricter: a line that Markdown might render as a heading, a comment or
 * raw HTML is always treated as such.
 */
import type { Outline } from '../core/headings.ts';
import { columnsOf } from './columns.ts';
import { openspecSection } from './words.ts';
import type { EditableSpec } from './structure.ts';

/** Returns the indexes of lines that retiring would lose. Empty if the spec can be deleted. */
export function linesLostByRetiring({ outline, section }: EditableSpec): number[] {
  const account = new Account(outline);
  const requirementsLine = section?.line ?? outline.lines.length;
  account.head(requirementsLine);
  account.nothing(requirementsLine + 1, section?.blocks[0]?.line ?? section?.to ?? requirementsLine + 1);
  for (const block of section?.blocks ?? []) account.requirement(block.line + 1, block.end);
  account.nothing(section?.to ?? outline.lines.length, outline.lines.length);
  return account.lost;
}

const LIST_ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s+/u;
/** Matches a line that starts a new block instead of continuing the paragraph above. */
const INTERRUPTION = /^(?:>|[-*+](?:\s|$)|\d{1,9}[.)](?:\s|$)|(?:[-*_]\s*){3,}$|[<|])/u;
/** Matches headings, including those inside quotes, bullets and indents. */
const HEADING = /^(?:\s|>|[-*+]\s|\d{1,9}[.)]\s)*#{1,6}(?:\s|$|#)/u;
const UNDERLINE = /^(?:\s|>)*(?:=+|-+)\s*$/u;
const HTML = /^\s*<|<!--|<\/?h[1-6]\b/iu;
const TABLE = /^\s*\|/u;
const FENCE = /^\s*(?:`{3,}|~{3,})/u;
/** With more backticks later in the line, it is inline code rather than a fence, and Markdown renders the lines below. */
const INLINE_FENCE = /^\s*`{3,}[^`]*`/u;

class Account {
  readonly lost: number[] = [];
  readonly #outline: Outline;
  /** Content column of the current list item. Undefined outside lists. */
  #item: number | undefined;
  /** True if the last line belongs to a paragraph of a list item, which an unindented line may continue. */
  #isParagraphOpen = false;
  /** Column of the code fence. A line further left would end its list item, and the fence with it. */
  #fenceColumn = 0;

  constructor(outline: Outline) {
    this.#outline = outline;
  }

  /** Marks everything in the range as lost. */
  nothing(from: number, to: number): void {
    for (let index = from; index < to; index++) if (!this.#isBlank(index)) this.lost.push(index);
  }

  /** Checks the lines up to `## Requirements`: one title, then one Purpose. */
  head(to: number): void {
    const { headings } = this.#outline;
    const top = headings.filter(({ level, line, tight }) => !tight && level <= 2 && line < to);
    const title = top[0]?.level === 1 ? top[0] : undefined;
    const purpose = top[title ? 1 : 0];
    const isPurpose = purpose?.level === 2 && openspecSection(purpose.text) === 'purpose';
    if (!isPurpose) {
      this.nothing(0, title?.line ?? to);
      if (title) this.nothing(title.line + 1, to);
      return;
    }
    this.nothing(0, title?.line ?? purpose.line);
    if (title) this.nothing(title.line + 1, purpose.line);
    this.#restart();
    for (let index = purpose.line + 1; index < to; index++) {
      if (this.#isSettled(index)) continue;
      const line = this.#line(index);
      if (LIST_ITEM.test(line)) this.#openItem(line);
      else this.#restart();
    }
  }

  /** Checks the lines below a requirement header: its statement, then scenarios, each with one unbroken list. */
  requirement(from: number, to: number): void {
    let isStatement = true;
    /** State of the scenario's list, which ends at the first blank line after a bullet. */
    let list: 'none' | 'awaited' | 'open' = 'none';
    this.#restart();
    for (let index = from; index < to; index++) {
      if (this.#isScenario(index)) {
        isStatement = false;
        list = 'awaited';
        this.#restart();
        continue;
      }
      if (this.#isBlank(index) && list === 'open') list = 'none';
      if (this.#isSettled(index, list !== 'none')) continue;
      const line = this.#line(index);
      const isItem = LIST_ITEM.test(line);
      if (isItem && list !== 'none') list = 'open';
      if (isStatement || (isItem && list === 'open')) {
        if (isItem) this.#openItem(line);
        else this.#restart();
      } else this.#lose(index);
    }
  }

  #isScenario(index: number): boolean {
    return this.#outline.fenced[index] !== 1 && /^####\s+scenario:/iu.test(this.#line(index));
  }

  /** Handles the common cases. Returns false for a line that starts a list item or a paragraph. */
  #isSettled(index: number, mayBeLazy = false): boolean {
    if (this.#isBlank(index)) this.#restart();
    else if (this.#outline.fenced[index] === 1) this.#fenced(index);
    else if (this.#isForbidden(index)) this.#lose(index);
    else return this.#continuesItem(index, mayBeLazy);
    return true;
  }

  /** A closed code fence belongs to the surrounding text, unless Markdown would not recognize it or would end it earlier. */
  #fenced(index: number): void {
    const { fenced, openFence } = this.#outline;
    const line = this.#line(index);
    const indent = columnsOf(line);
    const isFirst = fenced[index - 1] !== 1;
    if (this.#item !== undefined && indent < this.#item) this.#item = undefined;
    if (isFirst) this.#fenceColumn = this.#item ?? 0;
    this.#isParagraphOpen = false;
    const isDoubtful =
      indent < this.#fenceColumn || INLINE_FENCE.test(line) || (FENCE.test(line) && indent > this.#fenceColumn + 3);
    if (isDoubtful || (openFence !== undefined && index >= openFence)) this.#lose(index);
  }

  #isForbidden(index: number): boolean {
    const line = this.#line(index);
    if (UNDERLINE.test(line) && !this.#isBlank(index - 1)) {
      if (this.lost.at(-1) !== index - 1) this.lost.push(index - 1);
      return true;
    }
    return HEADING.test(line) || HTML.test(line) || UNDERLINE.test(line) || (TABLE.test(line) && !this.#isInItem(line));
  }

  #continuesItem(index: number, mayBeLazy: boolean): boolean {
    const line = this.#line(index);
    const isInterruption = INTERRUPTION.test(line.trim());
    const continues = this.#isInItem(line) || (mayBeLazy && this.#isParagraphOpen && !isInterruption);
    if (continues) this.#isParagraphOpen = !isInterruption;
    return continues;
  }

  #isInItem(line: string): boolean {
    return this.#item !== undefined && columnsOf(line) >= this.#item;
  }

  #openItem(line: string): void {
    this.#item = columnsOf(line, LIST_ITEM.exec(line)?.[0].length);
    this.#isParagraphOpen = true;
  }

  #lose(index: number): void {
    this.lost.push(index);
    this.#restart();
  }

  #restart(): void {
    this.#item = undefined;
    this.#isParagraphOpen = false;
  }

  #line(index: number): string {
    return this.#outline.lines[index] ?? '';
  }

  #isBlank(index: number): boolean {
    return this.#line(index).trim() === '';
  }
}
