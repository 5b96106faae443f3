/** A new ability is its file and its line in the registry: every face finds it there. */
import { describe, expect, test } from 'vitest';
import { cliPage, operationsPage } from '../scripts/reference.ts';
import { libraryTypes } from '../scripts/library-types.ts';
import { commandsOf } from '../src/cli/commands.ts';
import { helpFor } from '../src/cli/help.ts';
import { parseCommandLine } from '../src/cli/parse.ts';
import { integer, map } from '../src/core/fields/field.ts';
import { methodsOf } from '../src/library.ts';
import { ServedWorkspace } from '../src/mcp/served-workspace.ts';
import { toolsOf } from '../src/mcp/tools.ts';
import { type AnyOperation, defineOperation } from '../src/operations/define.ts';
import { OPERATIONS } from '../src/operations/index.ts';
import { makeStyle } from '../src/render/style.ts';
import { project, PROJECT } from './support/project.ts';
import { skillText } from './support/skill-text.ts';

const toy = defineOperation({
  name: 'toy_count',
  title: 'Count toys',
  summary: 'Count the skills that have a letter in their name',
  params: {
    letter: { type: 'text', filled: true, required: true, positional: true, help: 'The letter to look for' },
    at_least: { type: 'integer', min: 0, max: 9, default: 0, help: 'Leave out providers with fewer' },
  },
  output: { total: integer('How many in all'), per_provider: map(integer()) },
  reads: 'skills',
  command: { name: 'toy count', group: 'Look', examples: [['lectern toy count p', 'those with a p']] },
  tool: 'skills',
  join: 'none',
  library: 'toys.count',
  async run({ letter, at_least }, workspace) {
    const skills = workspace.snapshot.view().skills.filter(({ name }) => name.includes(letter));
    const counts = new Map<string, number>();
    for (const { provider } of skills) counts.set(provider, (counts.get(provider) ?? 0) + 1);
    const per_provider = Object.fromEntries([...counts].filter(([, count]) => count >= at_least));
    return { total: skills.length, per_provider };
  },
});

const registry: readonly AnyOperation[] = [...OPERATIONS, toy];
const open = () =>
  project({
    [`${PROJECT}/.claude/skills/pdf/SKILL.md`]: skillText({ name: 'pdf' }),
    [`${PROJECT}/.codex/skills/ppt/SKILL.md`]: skillText({ name: 'ppt' }),
    [`${PROJECT}/.codex/skills/git/SKILL.md`]: skillText({ name: 'git' }),
  }).open();

describe('an operation that joins the registry', () => {
  test('is a command, with its flags, help and text output', async () => {
    const commands = commandsOf(registry);
    const parsed = parseCommandLine(['toy', 'count', 'p', '--at-least', '1'], commands);
    if (parsed.kind !== 'command') throw new Error('not a command');
    expect(helpFor(parsed.command, commands)).toMatchObject({
      usage: 'lectern toy count <letter> [flags]',
      summary: toy.summary,
      flags: expect.arrayContaining([
        expect.objectContaining({
          names: ['--at-least'],
          value: 'n',
          about: 'Leave out providers with fewer (0 to 9; default 0)',
        }),
      ]),
    });
    const workspace = await open();
    const outcome = await parsed.command.run({
      given: parsed.given.param,
      options: () => workspace.options,
      open: () => Promise.resolve(workspace),
      json: true,
      verbose: false,
      edge: { say: () => undefined } as never,
      progress: undefined,
      show: () => Promise.resolve(),
      signal: () => new AbortController().signal,
    });
    if ('until' in outcome) throw new Error('not a result');
    expect(outcome.json).toEqual({ total: 2, per_provider: { claude: 1, codex: 1 } });
    expect(await outcome.text(makeStyle({ color: false }))).toBe(
      'total         2\nper_provider\n  claude  1\n  codex   1\n',
    );
  });

  test('is a tool, with schemas from its tables', async () => {
    const tool = toolsOf(registry).find(({ name }) => name === 'toy_count');
    const settings = {
      serverName: 'x',
      tools: new Set(['skills'] as const),
      toolNames: 'dotted' as const,
      descriptionBudget: 0,
      refreshIntervalMs: undefined,
      watch: false,
    };
    const log = { info: () => undefined, warn: () => undefined, bug: () => undefined };
    const served = new ServedWorkspace(await open(), settings, log);
    expect(await tool?.list(served)).toMatchObject({
      name: 'toy.count',
      description: `${toy.summary}.`,
      inputSchema: {
        properties: { letter: { type: 'string', minLength: 1 }, at_least: { type: 'integer', default: 0 } },
        required: ['letter'],
        additionalProperties: false,
      },
      outputSchema: { properties: { per_provider: { additionalProperties: { type: 'integer' } } } },
      annotations: { readOnlyHint: true },
    });
    expect(await tool?.call({ letter: 'g' }, served)).toMatchObject({
      structuredContent: { total: 1, per_provider: { codex: 1 } },
    });
  });

  test('is a method of the library, in camelCase, with types', async () => {
    const { toys } = methodsOf(registry, await open()) as { toys: { count(input: object): Promise<object> } };
    expect(await toys.count({ letter: 'p', atLeast: 1 })).toEqual({ total: 2, perProvider: { claude: 1, codex: 1 } });
    await expect(toys.count({ letter: 'p', atleast: 1 })).rejects.toMatchObject({
      code: 'USAGE',
      suggestions: ['atLeast'],
    });
    expect(libraryTypes(registry)).toContain('  count(input: ToysCountInput): Promise<ToysCountResult>;');
  });

  test('is in the reference pages', () => {
    expect(operationsPage(registry)).toContain('## toy_count');
    expect(cliPage(commandsOf(registry))).toContain('## lectern toy count');
  });
});
