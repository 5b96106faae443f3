/**
 * Completion for four shells. Each script asks `lectern __complete` for the candidates, so that names of skills are
 * always those of the folder one stands in; the scripts themselves never change.
 */
import type { CommandDefinition } from './command.js';
import { GLOBAL_FLAGS } from './flags.js';

export const COMPLETION_SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;
export type Shell = (typeof COMPLETION_SHELLS)[number];

export function isShell(text: string): text is Shell {
  return COMPLETION_SHELLS.some((shell) => shell === text);
}

const SCRIPTS: Record<Shell, string> = {
  bash: `# Lectern completion for bash
_lectern_complete() {
  local IFS=$'\\n' reply
  reply=$(lectern __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null) || return 0
  COMPREPLY=($(compgen -W "$reply" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lectern_complete lectern
`,
  zsh: `#compdef lectern
# Lectern completion for zsh
_lectern() {
  local -a reply
  reply=("\${(@f)$(lectern __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  [[ -n "\${reply[1]}" ]] && compadd -- "\${reply[@]}" || _files
}
compdef _lectern lectern
`,
  fish: `# Lectern completion for fish
function __lectern_complete
  set -l words (commandline -opc) (commandline -ct)
  lectern __complete -- $words[2..-1] 2>/dev/null
end
complete -c lectern -f -a '(__lectern_complete)'
`,
  powershell: `# Lectern completion for PowerShell
Register-ArgumentCompleter -Native -CommandName lectern -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  if ($wordToComplete -eq '') { $words += '' }
  lectern __complete -- @words 2>$null | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`,
};

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}

/** The candidates for the last of the words typed so far. `names` is asked only where a skill's name fits. */
export async function complete(words: readonly string[], commands: readonly CommandDefinition[], names: () => Promise<string[]>): Promise<string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const command = commands.find(({ name, aliases = [] }) => before.some((word) => word === name || aliases.includes(word)));
  if (current.startsWith('-'))
    return starting(current, [...(command?.flags ?? []), ...GLOBAL_FLAGS].flatMap((flag) => [flag.names[0]]).concat('--help', '--version'));
  const flag = command?.flags.find((candidate) => candidate.value !== undefined && candidate.names.some((name) => name === before.at(-1)));
  if (flag) return starting(current, flag.choices ?? []);
  if (!command)
    return starting(
      current,
      commands.map(({ name }) => name),
    );
  if (command.name === 'completion') return starting(current, COMPLETION_SHELLS);
  const takesNames = ['show', 'validate', 'enable', 'disable'].includes(command.name);
  return takesNames ? starting(current, await names()) : [];
}

function starting(prefix: string, candidates: readonly string[]): string[] {
  const wanted = prefix.toLowerCase();
  return [...new Set(candidates)].filter((candidate) => candidate.toLowerCase().startsWith(wanted)).sort();
}
