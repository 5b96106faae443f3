import type { Client, Server } from './client.ts';
import { nested } from './entry.ts';
import { printJson } from './json-text.ts';
import type { Scope } from './names.ts';
import { printTomlTable } from './toml-text.ts';

/** Returns the content of a new configuration file, to use as is or to merge by hand into an existing one. */
export function snippetFor(client: Client, name: string, server: Server, scope: Scope): string {
  const place = client.place(name, server, undefined, scope);
  if (client.format === 'toml') return `${printTomlTable(place, '\n')}\n`;
  const document = nested(place.keys, place.entry);
  return `${printJson(document, '', { lineBreak: '\n', unit: '  ' })}\n`;
}
