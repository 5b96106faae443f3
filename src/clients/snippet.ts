import { nested } from '../core/config-text/edits.ts';
import { printJson } from '../core/config-text/json-text.ts';
import { printTomlTable } from '../core/config-text/toml-text.ts';
import type { Client, Server } from './client.ts';
import type { Scope } from './names.ts';
import { printYamlEntry } from './yaml-text.ts';

/** Returns the content of a new configuration file, to use as is or to merge by hand into an existing one. */
export function snippetFor(client: Client, name: string, server: Server, scope: Scope): string {
  const place = client.place(name, server, undefined, scope);
  if (client.format === 'toml') return `${printTomlTable(place, '\n')}\n`;
  if (client.format === 'yaml') return `${printYamlEntry(place)}\n`;
  const document = nested(place.keys, place.entry);
  return `${printJson(document, '', { lineBreak: '\n', unit: '  ' })}\n`;
}
