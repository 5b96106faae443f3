/** The page about what agents show their models, written from the records of the last runs. */
import { z } from 'zod';
import { grouped } from '../../src/core/text.ts';
import type { Seen } from './seen.ts';

/** The lists that one agent put in front of its model, by what was there. */
export const Lists = z.object({ name: z.string(), lists: z.record(z.string(), z.string()) });
export type Lists = z.infer<typeof Lists>;

export function agentsPage(seen: readonly Seen[], lists: readonly Lists[]): string {
  const scenes = [...new Set(lists.flatMap((each) => Object.keys(each.lists)))];
  const row = (label: string, cell: (each: Seen) => string): string => rowOf(label, seen, cell);
  const keys = (part: 'description' | 'replies' | 'tokens'): string[] => [
    ...new Set(seen.flatMap((each) => Object.keys(each[part]))),
  ];
  const tokens = ({ tokens: all }: Seen, key: string): string => {
    const { definitions, fullListing } = all[key] ?? { definitions: 0, fullListing: 0 };
    return `${grouped(definitions)} (${grouped(fullListing)})`;
  };
  return `# What agents show their models

An agent sits between the server and the model. It renames tools, and it may cut or hold back descriptions and results. This table
shows what the real agents did with \`lectern mcp\`, connected with \`lectern setup\`. A scripted model took the place of the real
one. The six skills are those of the example project; 60 and 300 have descriptions of 280 characters, as real ones have on average.

${row('', ({ name }) => name)}
${row('---', () => '---')}
${row('protocol', ({ protocol }) => protocol)}
${row('the tool’s name', ({ tool }) => (tool === 'not shown' ? tool : `\`${tool}\``))}
${row('tools shown at once', ({ tools }) => tools)}
${row('the server’s instructions', ({ instructions }) => instructions)}
${keys('description')
  .map((key) => row(`description of \`skill\`, ${key}`, ({ description }) => description[key] ?? ''))
  .join('\n')}
${keys('replies')
  .map((key) => row(key, ({ replies }) => replies[key] ?? ''))
  .join('\n')}

## What the definitions cost

In tokens (characters / 4): name, description and input schema of every tool that the server sent, and its instructions. In parentheses:
the list of the same skills alone, each in full, as other servers send it.

${row('', ({ name }) => name)}
${row('---', () => '---')}
${keys('tokens')
  .map((key) => row(key, (each) => tokens(each, key)))
  .join('\n')}

The output schemas of the tools are ${seen[0]?.tokens['6 skills']?.outputSchemas ?? 0} tokens more, with specs ${grouped(seen[0]?.tokens['6 skills and specs']?.outputSchemas ?? 0)}, if an agent shows them at all.

So every reply of Lectern arrives complete, and a longer \`SKILL.md\` arrives in pages. Shorter is still better: put details into files
beside the \`SKILL.md\`, which the agent opens when it needs them.

With its newer models, Codex shows no tools of servers until a program written by the model looks for them in \`ALL_TOOLS\`; in these runs
the model already knew the name. This setting in \`config.toml\` shows them at once:

\`\`\`toml
[features.code_mode]
direct_only_tool_namespaces = ["mcp__lectern"]
\`\`\`

Codex also puts skills of its own into the home folder. It lists them itself, so the server that \`lectern setup codex\` connects leaves them
out.

## Their own lists of skills

Agents list the skills that they find themselves. [What each agent sees](what-agents-see.md) is about these lists. Each cell is what an
agent showed its model without Lectern, and every line of it, its order and its copy were what \`lectern agents\` had said before the
agent was started. Built-in skills are not counted.

${rowOf('', lists, ({ name }) => name)}
${rowOf('---', lists, () => '---')}
${scenes.map((scene) => rowOf(scene, lists, (each) => each.lists[scene] ?? '')).join('\n')}

Some things change from run to run and are not compared: which of several copies opencode takes, and the order of Gemini CLI, Cline and
Continue inside a folder. Files of which the profile does not know whether the agent lists them are left out too.

### Where the documents differ

| agent | the documents | the agent |
| --- | --- | --- |
| Claude Code | without a description, the first paragraph counts | the first line that is not blank, cut to 100 characters |
| Claude Code | descriptions share 1% of the window, in characters | its own skills count too, each character by its width on a terminal |
| Claude Code | \`name\` is the name that is shown | the folder is, and \`name\` follows in parentheses unless another skill has it |
| Codex | a list that is too long has shorter descriptions, and Codex warns | nothing marks a cut one, and only the person is warned |
| opencode | names match their folders and have up to 64 lowercase characters | any name, and any folder |
| opencode | descriptions have 1 to 1,024 characters | any length, and an empty one in quotes |
| opencode | \`skills/*/SKILL.md\` | any depth, hidden folders too |

\`npm run test:agents\` installs each agent at its newest version (some gigabytes, into \`lectern/agents\` in the cache folder of the
user), runs it and compares. With \`-- -u\` it updates the records, and \`npm run docs\` then updates this page. If the newest version
cannot be installed, the newest one that can be is used. An agent that cannot be installed or started is skipped. The last lines of
the run say why. \`LECTERN_AGENT_PACKAGES\` names another folder for the agents.

### Following a new version

\`\`\`sh
npm run agents:refresh -- -t 'Qwen Code'   # without -t: all agents
\`\`\`

This installs the newest version, starts it in every scene of the table above and prints the lines that differ: \`-\` was predicted, \`+\`
is what the agent showed. If nothing differs, it writes the version to the profile in \`src/agents/profiles\` and to the record in
\`test/agents/lists\`. Otherwise correct the profile, add the rule to \`test/seen-by/more-agents.test.ts\`, and run it again. Then run
\`npm run test:agents -- -u\` and \`npm run docs\`. An agent gets its column in the table once all its lists are as predicted.
`;
}

function rowOf<T>(label: string, columns: readonly T[], cell: (each: T) => string): string {
  return `| ${[label, ...columns.map(cell)].join(' | ')} |`;
}
