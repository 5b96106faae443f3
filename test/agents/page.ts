/** The page about what agents show their models, written from the records of the last runs. */
import type { Seen } from './seen.ts';

export function agentsPage(seen: readonly Seen[]): string {
  const row = (label: string, cell: (each: Seen) => string): string => `| ${[label, ...seen.map(cell)].join(' | ')} |`;
  const keys = (part: 'description' | 'body'): string[] => [
    ...new Set(seen.flatMap((each) => Object.keys(each[part]))),
  ];
  return `# What agents show their models

Between the server and a model stands the agent: it renames tools, and it may cut descriptions and results or hold them back.
This table tells what was seen when the real agents loaded a skill from \`lectern mcp\`, connected with \`lectern setup\`, with
a made-up model in place of the real one.

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

So whatever one reply of Lectern holds arrives whole, and a longer \`SKILL.md\` in pages. Shorter is better still: put the rest into
files beside it, which the agent opens when it needs them.

With its newer models Codex shows no tools of servers until a program of the model looks for them in \`ALL_TOOLS\`; here the model
knew the name already. This setting in \`config.toml\` shows them at once:

\`\`\`toml
[features.code_mode]
direct_only_tool_namespaces = ["mcp__lectern"]
\`\`\`

Codex also puts skills of its own into the home folder, which are listed too.

\`npm run test:agents\` installs the agents (more than a gigabyte, into \`.agent-packages\`), runs them and compares; with \`-- -u\` it
writes the records anew, and \`npm run docs\` this page. An agent that cannot be installed is skipped, and the run says why.
`;
}
