/** Commands that take an agent, for each agent whose lists were observed. */
import fs from 'node:fs';
import { describe, expect, test } from 'vitest';
import { LISTED_AGENTS } from '../agents/more-agents.ts';
import { lectern } from '../support/run-lectern.ts';
import { skillText } from '../support/skill-text.ts';
import { tempFolder } from '../support/temp-folder.ts';

const AGENTS = [...new Set(LISTED_AGENTS.map(({ client }) => client))];
/** `setup` writes no entry for these: they have no MCP configuration, or it is not known. */
const WITHOUT_SETUP = new Set(['pi', 'kimi', 'continue']);

const FILES = {
  'project/.git/HEAD': 'ref: refs/heads/main\n',
  'source/pdf/SKILL.md': skillText({ name: 'pdf', description: 'Merges PDF files. Use when several PDFs become one.' }),
  'project/skills/xlsx/SKILL.md': skillText({
    name: 'xlsx',
    description: 'Edits spreadsheets. Use when a request mentions Excel or CSV files.',
  }),
};

test('eleven agents were observed', () => expect(AGENTS).toHaveLength(11));

describe.each(AGENTS)('%s', (agent) => {
  test('an installed skill and a shared one are in its list', async () => {
    using folder = tempFolder(FILES);
    const install = await lectern(folder, ['install', folder.at('source'), 'pdf', '--to', agent, '--yes']);
    expect([install.code, install.stderr]).toEqual([0, '']);
    const share = await lectern(folder, ['share', 'xlsx', '--to', agent, '--yes']);
    expect([share.code, share.stderr]).toEqual([0, '']);
    const { stdout } = await lectern(folder, ['agents', agent, '--json']);
    const { entries } = JSON.parse(stdout) as { entries: { name: string; builtIn?: boolean }[] };
    expect(entries.filter(({ builtIn }) => !builtIn).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['pdf', 'xlsx']),
    );
    expect((await lectern(folder, ['share', 'xlsx', '--undo', '--yes'])).code).toBe(0);
    expect(fs.existsSync(folder.at('project/skills/xlsx/SKILL.md'))).toBe(true);
  });

  test('validate has its profile, setup its entry, and mcp --for its name', async () => {
    using folder = tempFolder(FILES);
    expect((await lectern(folder, ['validate', '--profile', agent])).code).toBe(0);
    const setup = await lectern(folder, ['setup', agent]);
    expect([agent, setup.code]).toEqual([agent, WITHOUT_SETUP.has(agent) ? 2 : 0]);
    // Standard input is at its end, so the server stops after it has checked its flags.
    const server = await lectern(folder, ['mcp', '--for', agent]);
    expect([agent, server.code]).toEqual([agent, 0]);
  });
});
