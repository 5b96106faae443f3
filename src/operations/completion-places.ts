/** Where shells find completions. */
import path from 'node:path';
import { quoteForBash } from '../core/quote-for-bash.ts';
import { userConfigFolder, type WorkspaceOptions } from '../workspace/settings.ts';

export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type CompletionShell = (typeof COMPLETION_SHELLS)[number];

export interface CompletionPlace {
  shell: CompletionShell;
  /** The file with the completion script. */
  script: string;
  /** The file that the shell reads when it starts, if it has to load the script. */
  startFile?: string;
  /** The lines of the block in that file. */
  lines?: readonly string[];
}

export const COMPLETION_MARKS = { start: '# lectern completion: start', end: '# lectern completion: end' } as const;

/** Returns nothing if there is no home folder. */
export function completionPlaces(options: WorkspaceOptions, platform: string): CompletionPlace[] {
  const { userDir, environment = {} } = options;
  const config = userConfigFolder(options);
  if (userDir === undefined || config === undefined) return [];
  const zshDir = absolute(environment['ZDOTDIR']) ?? userDir;
  const configHome = path.dirname(config);
  const profile =
    platform === 'win32'
      ? path.join(userDir, 'Documents', 'PowerShell', 'Microsoft.PowerShell_profile.ps1')
      : path.join(configHome, 'powershell', 'Microsoft.PowerShell_profile.ps1');
  const script = (name: string): string => path.join(config, name);
  const bash = script('completion.bash');
  const zsh = script('completion.zsh');
  const powershell = script('completion.ps1');
  return [
    {
      shell: 'bash',
      script: bash,
      startFile: path.join(userDir, '.bashrc'),
      lines: [`if [ -f ${quoteForBash(bash)} ]; then . ${quoteForBash(bash)}; fi`],
    },
    {
      shell: 'zsh',
      script: zsh,
      startFile: path.join(zshDir, '.zshrc'),
      lines: [
        // Completions need this function, which only some configurations load.
        '(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }',
        `[[ -f ${quoteForBash(zsh)} ]] && source ${quoteForBash(zsh)}`,
      ],
    },
    // fish loads completions by their file name.
    { shell: 'fish', script: path.join(configHome, 'fish', 'completions', 'lectern.fish') },
    {
      shell: 'powershell',
      script: powershell,
      startFile: profile,
      lines: [`if (Test-Path '${powershell.replaceAll("'", "''")}') { . '${powershell.replaceAll("'", "''")}' }`],
    },
  ];
}

function absolute(place: string | undefined): string | undefined {
  return place !== undefined && path.isAbsolute(place) ? place : undefined;
}
