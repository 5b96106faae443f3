import path from 'node:path';
import { Failure } from '../../core/failure.ts';
import { COMPLETION_MARKS, COMPLETION_SHELLS, completionPlaces } from '../../operations/completion-places.ts';
import { type Style, verbatim } from '../../render/style.ts';
import { checkParams } from '../check.ts';
import type { Command } from '../command.ts';

const SHELL = { type: 'choice', choices: COMPLETION_SHELLS, positional: true } as const;

const params = { shell: { ...SHELL, required: true, help: 'The shell to use' } } as const;

const COMMON = { group: 'Connect', params, settings: [], writes: false } as const;

export const completionCommand: Command = {
  ...COMMON,
  name: 'completion',
  summary: 'Print a completion script for your shell, or install it',
  document: 'The keys shell and script',
  examples: [
    ['lectern completion install', 'complete commands, flags and names in your shell'],
    ['lectern completion bash >> ~/.bashrc', 'bash, by hand'],
    ['lectern completion fish > ~/.config/fish/completions/lectern.fish', 'fish, by hand'],
  ],
  async run({ given }) {
    const { shell } = checkParams(params, given);
    const { completionScript } = await import('../completion.ts');
    const script = completionScript(shell);
    return { json: { shell, script }, text: () => verbatim(script) };
  },
};

const installParams = {
  shell: { ...SHELL, help: 'The shell; by default the one in $SHELL' },
  dryRun: { type: 'flag', default: false, help: 'Show the files, and write nothing' },
} as const;

export const completionInstallCommand: Command = {
  ...COMMON,
  name: 'completion install',
  summary: 'Install completions: a script, and a marked block in the file that the shell reads when it starts',
  document: 'The keys shell, files and dryRun',
  params: installParams,
  examples: [
    ['lectern completion install', 'for the shell in $SHELL'],
    ['lectern completion install zsh --dry-run', 'the files that would be written'],
  ],
  async run({ given, open, edge }) {
    const { shell = shellOf(edge.environment['SHELL']), dryRun } = checkParams(installParams, given);
    const [{ completionScript }, { planLines }, workspace] = await Promise.all([
      import('../completion.ts'),
      import('../../operations/sync-block.ts'),
      open(),
    ]);
    const place = completionPlaces(workspace.options, process.platform).find((each) => each.shell === shell);
    if (!place) throw new Failure('REFUSED', 'There is no home folder to install completions in.');
    const disk = workspace.diskFor('user');
    const { startFile, lines = [], script } = place;
    // Planned first, so that a file with broken markers changes nothing.
    const plan = startFile === undefined ? undefined : planLines(disk, startFile, lines, COMPLETION_MARKS);
    if (!dryRun) {
      disk.replace(script, completionScript(shell));
      plan?.write?.();
    }
    const files = [script, ...(startFile === undefined ? [] : [startFile])];
    return {
      json: { shell, files, ...(dryRun ? { dryRun } : {}) },
      text: (style) => installedText({ shell, files, dryRun }, style),
    };
  },
};

function installedText(
  { shell, files, dryRun }: { shell: string; files: readonly string[]; dryRun: boolean },
  style: Style,
): string {
  const rows = files.map((file) => `  ${style.place(file)}\n`).join('');
  if (dryRun) return `Would write the completions for ${shell} to\n${rows}`;
  return `${style.green('✓')} Completions for ${shell} are installed\n${rows}\nOpen a new shell to use them. lectern uninstall removes them.\n`;
}

function shellOf(program: string | undefined): (typeof COMPLETION_SHELLS)[number] {
  const name = path.basename(program ?? '').replace(/^pwsh$/u, 'powershell');
  const found = COMPLETION_SHELLS.find((shell) => shell === name);
  if (found) return found;
  const known = COMPLETION_SHELLS.join(', ');
  if (name === '')
    throw new Failure('USAGE', 'The shell is unknown, because SHELL is not set.', { hint: `Name it: ${known}.` });
  throw new Failure('USAGE', `There are no completions for ${name}.`, { hint: `Name one of ${known}.` });
}
