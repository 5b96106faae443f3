import type { Client, Server } from './client.ts';
import { printJson } from './json-text.ts';
import type { Scope } from './names.ts';
import { printTomlTable } from './toml-text.ts';

/** What a new configuration file would hold: to be pasted whole, or its inner part into a file that exists. */
export function snippetFor(client: Client, name: string, server: Server, scope: Scope): string {
  const place = client.place(name, server, undefined, scope);
  if (client.format === 'toml') return `${printTomlTable(place, '\n')}\n`;
  const document = place.keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), place.entry);
  return `${printJson(document, '', { lineBreak: '\n', unit: '  ' })}\n`;
}
