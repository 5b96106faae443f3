import type { Command } from '../command.ts';
import { verbatim } from '../../render/style.ts';
import { checkParams } from '../check.ts';

const params = {
  shell: {
    type: 'choice',
    choices: ['bash', 'zsh', 'fish', 'powershell'],
    required: true,
    positional: true,
    help: 'The shell to use',
  },
} as const;

export const completionCommand: Command = {
  name: 'completion',
  group: 'Connect',
  summary: 'Print a completion script for your shell',
  document: 'The keys shell and script',
  params,
  settings: [],
  writes: false,
  examples: [
    ['lectern completion bash >> ~/.bashrc', 'bash'],
    ['lectern completion fish > ~/.config/fish/completions/lectern.fish', 'fish'],
  ],
  async run({ given }) {
    const { shell } = checkParams(params, given);
    const { completionScript } = await import('../completion.ts');
    const script = completionScript(shell);
    return { json: { shell, script }, text: () => verbatim(script) };
  },
};
