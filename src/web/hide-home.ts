/** Replaces the path of the home folder, so that a reply to another machine does not contain the name of the user. */
import path from 'node:path';

/** `spell` writes the path the way the reply does, such as escaped for JSON. */
export function hideHome(text: string, home: string | undefined, spell: (path: string) => string): string {
  // The root of a file system contains everything.
  if (home === undefined || path.dirname(home) === home) return text;
  return text.split(spell(home)).reduce((before, after) => {
    const isWhole = !/[\w./\\-]$/u.test(before) && !/^[\w.-]/u.test(after);
    return before + (isWhole ? '~' : spell(home)) + after;
  });
}

export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

export function inMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
