import type { Command } from '../command.ts';
import { COMPLETION_SHELLS, completionScript, type Shell } from '../completion.ts';
import { checkParams } from '../check.ts';

const params = {
  shell: { type: 'choice', choices: COMPLETION_SHELLS, required: true, positional: true, help: 'The shell to use' },
} as const;

export const completionCommand: Command = {
  name: 'completion',
  group: 'More',
  summary: 'Print a completion script for your shell',
  params,
  settings: [],
  writes: false,
  examples: [
    ['lectern completion bash >> ~/.bashrc', 'bash'],
    ['lectern completion fish > ~/.config/fish/completions/lectern.fish', 'fish'],
  ],
  async run({ given }) {
    const { shell } = checkParams(params, given);
    const script = completionScript(shell satisfies Shell);
    return { json: { shell, script }, text: () => script };
  },
};
