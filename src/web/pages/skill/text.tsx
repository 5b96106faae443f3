/** The text of a skill, and how it differs from another. */
import { grouped } from '../../../core/text.ts';
import { skillAddress, skillFileAddress } from '../../address.ts';
import { Link, type Html } from '../../html.tsx';
import { markdown } from '../../markdown.ts';
import type { Here } from '../../here.ts';
import type { Details } from './shown.ts';

export function Body({ details, copy }: { details: Details; copy: string | undefined }): Html {
  const { text, from, total } = details.body ?? { text: '', from: 0, total: 0 };
  const files = new Set(details.files.map((file) => file.path));
  const fileAddress = (file: string): string | undefined =>
    files.has(file) ? skillFileAddress(details.fullName, file, copy) : undefined;
  const end = from + text.length;
  return (
    <article class="card pad">
      {text.trim() === '' ? (
        <p class="dim">The file has no text below its frontmatter.</p>
      ) : (
        <div class="read">{markdown(text, { fileAddress })}</div>
      )}
      {end < total ? (
        <p>
          <Link to={`${skillAddress(details.fullName, copy, { from: String(end) })}#text`}>
            {grouped(total - end)} more characters
          </Link>
        </p>
      ) : null}
      {from > 0 ? (
        <p>
          <Link to={`${skillAddress(details.fullName, copy)}#text`}>From the beginning</Link>
        </p>
      ) : null}
    </article>
  );
}

/** A unified diff. Color only repeats the first character of each line. */
export function Diff({ text, here }: { text: string; here: Here }): Html {
  return (
    <pre class="diff card" tabindex={0}>
      {text
        .trimEnd()
        .split('\n')
        .map((line, index) => (
          <span class={DIFF_LINES[line.charAt(0)] ?? ''}>
            {`${index < HEAD_LINES ? line.slice(0, MARK) + here.place(line.slice(MARK)) : line}\n`}
          </span>
        ))}
    </pre>
  );
}

const DIFF_LINES: Readonly<Record<string, string>> = { '+': 'now', '-': 'was', '@': 'at' };

/** Lines with the paths of both files. */
const HEAD_LINES = 2;
/** Length of `--- ` and `+++ `. */
const MARK = 4;
