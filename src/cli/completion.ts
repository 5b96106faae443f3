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
  // No compgen -W: it expands its words, and a skill may be called $(anything).
  bash: `# Lectern completion for bash
_lectern_complete() {
  local word prefix= answer
  local -a words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # Bash makes a word of every colon, and full names have them.
    if (( \${#words[@]} > 0 )) && [[ $word == :* || \${words[\${#words[@]}-1]} == *: ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
  done
  word=\${words[\${#words[@]}-1]}
  [[ $word == *:* && $COMP_WORDBREAKS == *:* ]] && prefix=\${word%:*}:
  COMPREPLY=()
  while IFS= read -r answer; do
    COMPREPLY+=("$(printf '%q' "\${answer#"$prefix"}")")
  done < <(lectern __complete -- "\${words[@]}" 2>/dev/null)
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
    $text = if ($_ -match '^[\\w.:@/-]+$') { $_ } else { "'" + $_.Replace("'", "''") + "'" }
    [System.Management.Automation.CompletionResult]::new($text, $_, 'ParameterValue', $_)
  }
}
`,
};

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}

/** The candidates for the last of the words typed so far. `names` is asked only where a name fits. */
export async function complete(
  words: readonly string[],
  commands: readonly CommandDefinition[],
  names: (kind: 'skills' | 'specs' | 'changes') => Promise<string[]>,
): Promise<string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const said = ` ${before.join(' ')} `;
  // The longer name first, so that `change show` is not taken for `show`.
  const command = [...commands]
    .sort((a, b) => b.name.length - a.name.length)
    .find(({ name, aliases = [] }) => [name, ...aliases].some((each) => said.includes(` ${each} `)));
  if (current.startsWith('-'))
    return starting(current, [...(command?.flags ?? []), ...GLOBAL_FLAGS].flatMap((flag) => [flag.names[0]]).concat('--help', '--version'));
  const flag = command?.flags.find((candidate) => candidate.value !== undefined && candidate.names.some((name) => name === before.at(-1)));
  if (flag) return starting(current, flag.choices ?? []);
  if (!command) {
    // `spec` and `change` are only the first half of a command.
    const halves = commands.map(({ name }) => name.split(' '));
    const begun = halves.filter(([first, second]) => second !== undefined && before.at(-1) === first);
    return starting(current, begun.length > 0 ? begun.map(([, second = '']) => second) : halves.map(([first = '']) => first));
  }
  const choices = command.arguments?.[0]?.choices;
  if (choices) return before.some((word) => choices.includes(word)) ? [] : starting(current, choices);
  if (command.name === 'completion') return starting(current, COMPLETION_SHELLS);
  const takesNames = ['show', 'validate', 'enable', 'disable'].includes(command.name);
  if (command.completes && command.arguments) return starting(current, await names(command.completes));
  return takesNames ? starting(current, await names('skills')) : [];
}

function starting(prefix: string, candidates: readonly string[]): string[] {
  const wanted = prefix.toLowerCase();
  return [...new Set(candidates)].filter((candidate) => candidate.toLowerCase().startsWith(wanted)).sort();
}
