import type { Child } from 'hono/jsx';
import type { Html } from './html.tsx';

/** A text with the given ranges marked; `between` changes the rest of it. */
export function Highlighted({
  text,
  marks,
  between = (part) => part,
}: {
  text: string;
  marks: readonly (readonly number[])[];
  between?: (text: string) => string;
}): Html {
  const parts: Child[] = [];
  let at = 0;
  for (const [start = 0, end = 0] of marks) {
    if (start < at) continue;
    parts.push(between(text.slice(at, start)), <mark>{text.slice(start, end)}</mark>);
    at = end;
  }
  return (
    <>
      {parts}
      {between(text.slice(at))}
    </>
  );
}
