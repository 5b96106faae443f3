/** The page about what agents show their models, written from the records of the last runs. */
import type { Seen } from './seen.ts';

export function agentsPage(seen: readonly Seen[]): string {
  const row = (label: string, cell: (each: Seen) => string): string => `| ${[label, ...seen.map(cell)].join(' | ')} |`;
  const keys = (part: 'description' | 'body'): string[] => [
    ...new Set(seen.flatMap((each) => Object.keys(each[part]))),
  ];
  return `# What agents show their models

An agent sits between the server and the model. It renames tools, and it may cut or hold back descriptions and results. This table
shows what the real agents did when they loaded a skill from \`lectern mcp\`, connected with \`lectern setup\`. A scripted model took
the place of the real one.

${row('', ({ name }) => name)}
${row('---', () => '---')}
${row('protocol', ({ protocol }) => protocol)}
${row('the tool’s name', ({ tool }) => (tool === 'not shown' ? tool : `\`${tool}\``))}
${row('tools shown at once', ({ tools }) => tools)}
${row('the server’s instructions', ({ instructions }) => instructions)}
${keys('description')
  .map((key) => row(`description of \`skill\`, ${key}`, ({ description }) => description[key] ?? ''))
  .join('\n')}
${row('a result is read as', ({ result }) => result)}
${keys('body')
  .map((key) => row(`a skill of ${key}`, ({ body }) => body[key] ?? ''))
  .join('\n')}

So every reply of Lectern arrives complete, and a longer \`SKILL.md\` arrives in pages. Shorter is still better: put details into files
beside the \`SKILL.md\`, which the agent opens when it needs them.

With its newer models, Codex shows no tools of servers until a program written by the model looks for them in \`ALL_TOOLS\`; in these runs
the model already knew the name. This setting in \`config.toml\` shows them at once:

\`\`\`toml
[features.code_mode]
direct_only_tool_namespaces = ["mcp__lectern"]
\`\`\`

Codex also puts skills of its own into the home folder. They are listed too.

\`npm run test:agents\` installs the agents (more than a gigabyte, into \`.agent-packages\`), runs them and compares. With \`-- -u\` it
updates the records, and \`npm run docs\` then updates this page. An agent that cannot be installed is skipped, and the run says why.
`;
}
