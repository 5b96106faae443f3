/** Makes odd inputs out of ordinary ones. The same seed gives the same inputs on every machine. */

export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed | 0 || 1;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)] as Item;
}

/** What has a meaning somewhere in our formats, or has caused trouble in others. */
const PIECES = [
  '---',
  '---\n',
  '...',
  '---js',
  '--- ',
  '```',
  '~~~',
  '````md',
  '<!--',
  '-->',
  '<h2>',
  '===',
  '# ',
  '## ',
  '### ',
  '#### ',
  '## Purpose',
  '## Requirements',
  '## ADDED Requirements',
  '## MODIFIED Requirements',
  '## REMOVED Requirements',
  '## RENAMED Requirements',
  '### Requirement: ',
  '#### Scenario: ',
  '- FROM: `### Requirement: A`',
  '- TO: `### Requirement: B`',
  '- **WHEN** ',
  '- **THEN** ',
  '**GIVEN**',
  'SHALL',
  'MUST',
  '- [ ] ',
  '- [x] ',
  '* [X] ',
  '1. [ ] ',
  'name: ',
  'description: ',
  'description: >-\n  ',
  'description: |\n  ',
  'skip_specs: true\n',
  'retire_capabilities: true\n',
  '&a ',
  '*a',
  '!!js/function ',
  '? ',
  '- ',
  ': ',
  '%',
  '@',
  '{',
  '}',
  '[',
  ']',
  '"',
  "'",
  ',',
  ':',
  '\\',
  '\\u0000',
  '\\ud800',
  'null',
  'true',
  '1e999',
  '-0',
  '0x10',
  '__proto__',
  'constructor',
  '{"jsonrpc":"2.0","id":1,"method":"',
  '"params":',
  '"id":null',
  '"method":"tools/call"',
  '"cursor":"',
  '"_meta":{',
  '\u0000',
  '\u0007',
  '\u001b[31m',
  '\u0085',
  '\u2028',
  '\u202e',
  '\u200b',
  '\ufeff',
  '\ud800',
  '\udc00',
  '日本',
  'é',
  'e\u0301',
  '👩‍👩‍👧',
  'İ',
  'ß',
  '\r',
  '\r\n',
  '\n\n',
  '\t',
  '    ',
  ' '.repeat(80),
  'a'.repeat(300),
  '*a*a',
  '**/',
  '?*',
  ';',
  '=',
  '"*":"deny",',
  '[[a]]\n',
  '[a.b]\n',
  '/*',
  '../',
  '/etc/passwd',
  '~',
  '$HOME',
  '$(id)',
  '%2e%2e',
  'C:\\',
];

/** One to twelve changes to a text: a piece more, a part less, twice or elsewhere, other line ends. */
export function mutate(random: Random, text: string, others: readonly string[]): string {
  let result = text;
  const changes = 1 + Math.floor(random() * random() * 12);
  for (let change = 0; change < changes; change++) result = mutateOnce(random, result, others);
  return result.slice(0, 200_000);
}

function mutateOnce(random: Random, text: string, others: readonly string[]): string {
  const at = Math.floor(random() * (text.length + 1));
  const end = Math.min(text.length, at + Math.floor(random() ** 3 * 400));
  const lines = text.split('\n');
  const line = Math.floor(random() * lines.length);
  switch (Math.floor(random() * 12)) {
    case 0:
    case 1:
    case 2:
      return text.slice(0, at) + pick(random, PIECES) + text.slice(at);
    case 3:
      return text.slice(0, at) + text.slice(end);
    case 4:
      return text.slice(0, end) + text.slice(at, end) + text.slice(end);
    case 5:
      return [...lines.slice(0, line), pick(random, PIECES), ...lines.slice(line)].join('\n');
    case 6:
      return [...lines.slice(0, line), ...lines.slice(line + 1)].join('\n');
    case 7:
      return [
        ...lines.slice(0, line),
        `${' '.repeat(Math.floor(random() * 6))}${lines[line] ?? ''}`,
        ...lines.slice(line + 1),
      ].join('\n');
    case 8:
      return text.replaceAll('\n', pick(random, ['\r\n', '\r', '\n\n', '\n']));
    case 9: {
      const other = pick(random, others);
      const from = Math.floor(random() * other.length);
      return text.slice(0, at) + other.slice(from, from + Math.floor(random() * 600)) + text.slice(at);
    }
    case 10:
      return text.slice(0, at) + pick(random, PIECES).repeat(1 + Math.floor(random() ** 4 * 3_000)) + text.slice(at);
    default:
      return text.slice(0, at) + String.fromCharCode(Math.floor(random() * 0x1_0000)) + text.slice(at + 1);
  }
}
