/** The page about what agents show their models, written from the records of the last runs. */
import type { Seen } from './seen.js';

export function agentsPage(seen: readonly Seen[]): string {
  const row = (label: string, cell: (each: Seen) => string): string => `| ${[label, ...seen.map(cell)].join(' | ')} |`;
  const keys = (part: 'description' | 'body'): string[] => [...new Set(seen.flatMap((each) => Object.keys(each[part])))];
  return `# What agents show their models

Between the server and a model stands the agent: it renames tools, and it may cut descriptions and results or hold them back.
This table tells what was seen when the real agents loaded a skill from \`lectern mcp\`, connected with \`lectern setup\`, with
a made-up model in place of the real one.

${row('', ({ title, version }) => `${title} ${version}`)}
${row('---', () => '---')}
${row('protocol', ({ protocol }) => protocol)}
${row('the tool’s name', ({ tool }) => `\`${tool}\``)}
${row('tools shown at once', ({ tools }) => tools)}
${row('the server’s instructions', ({ instructions }) => instructions)}
${keys('description')
  .map((key) => row(`description of \`skill\`, ${key}`, ({ description }) => description[key] ?? ''))
  .join('\n')}
${row('a result is read as', ({ result }) => result)}
${keys('body')
  .map((key) => row(`a skill of ${key}`, ({ body }) => body[key] ?? ''))
  .join('\n')}

So a \`SKILL.md\` of at most 10 kB arrives whole everywhere; put the rest into files beside it, which the agent opens when it needs
them. Codex cuts by what it knows of the model, and it knew nothing of this one; it puts skills of its own into the home folder,
which are listed too.

\`npm run test:agents\` installs the agents (more than a gigabyte, into \`.agent-packages\`), runs them and compares; with \`-- -u\` it
writes the records anew, and \`npm run docs\` this page. An agent that cannot be installed is skipped, and the run says why.
`;
}
