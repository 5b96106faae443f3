import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CLIENTS } from '../../src/clients/all.ts';
import type { Server } from '../../src/clients/client.ts';
import { launchServer } from '../../src/clients/launch.ts';
import { CLIENT_NAMES, type Scope, flagsForOne } from '../../src/clients/names.ts';
import { commandLine } from '../../src/clients/shell-quote.ts';
import { snippetFor } from '../../src/clients/snippet.ts';
import { DEFAULT_SERVER_URL } from '../../src/operations/setup-client.ts';

const page = fs.readFileSync('docs/setup.md', 'utf8');

describe.each(CLIENT_NAMES)('docs/setup.md on %s', (name) => {
  const client = CLIENTS[name];
  const section = page.split(/^## /mu).find((each) => each.startsWith(`${client.title}\n`)) ?? '';
  const blocks = [...section.matchAll(/^```(\w+)\n([^]*?)^```$/gmu)].map(([, language, text]) => [language, text]);
  const stdio = (scope: Scope): Server => launchServer({ platform: 'linux', flags: flagsForOne(name, scope) });
  const http = { transport: 'http' as const, url: DEFAULT_SERVER_URL };

  test('shows the output of the command', () => {
    const [scope] = client.scopes;
    const command = client.command?.('lectern', stdio('user'), 'user');
    expect(blocks).toEqual([
      [client.format, snippetFor(client, 'lectern', stdio(scope), scope)],
      ...(client.startsOnly ? [] : [[client.format, snippetFor(client, 'lectern', http, scope)]]),
      ...(command ? [['sh', `${commandLine('bash', command)}\n`]] : []),
    ]);
  });

  test('names its files', () => {
    for (const scope of client.scopes) {
      const file =
        client.files(scope, { projectDir: '/p', userDir: '/h', environment: {}, platform: 'linux' })?.at(-1) ?? '';
      expect(section).toContain(file.split('/').at(-1));
    }
  });

  test('names the document, and whether the format was tried', () => {
    const row = `| ${client.title} | \`${name}\` | ${client.basis} | ${client.source} |`;
    expect(page.replaceAll(/ {2,}/gu, ' ')).toContain(row);
  });
});
