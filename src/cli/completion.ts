/**
 * Completion for four shells. Each script asks `lectern __complete` for the candidates, so that names of skills are
 * always those of the folder one stands in; the scripts themselves never change.
 */
import type { CommandDefinition } from './command.ts';
import { type Flag, type FlagValues, GLOBAL_FLAGS } from './flags.ts';
import { plainWords } from './parse.ts';

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

/** What a name may name, where one fits. */
export type NameKind = 'skills' | 'enabled' | 'disabled' | 'specs' | 'changes';

const NAMES_FOR: Readonly<Record<string, NameKind>> = {
  show: 'skills',
  validate: 'skills',
  enable: 'disabled',
  disable: 'enabled',
};

/** The candidates for the last of the words typed so far. `names` is asked only where a name fits, with the flags typed before. */
export async function complete(
  words: readonly string[],
  commands: readonly CommandDefinition[],
  names: (kind: NameKind, flags: FlagValues) => Promise<string[]>,
): Promise<string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const said = plainWords(before).map(({ text }) => text);
  const [first, second] = said[0] === 'help' ? said.slice(1) : said;
  const named = (name: string): CommandDefinition | undefined =>
    commands.find((each) => each.name === name || each.aliases?.includes(name));
  const command =
    first === undefined
      ? undefined
      : ((second === undefined ? undefined : named(`${first} ${second}`)) ?? named(first));
  const known = [...(command?.flags ?? []), ...GLOBAL_FLAGS];
  if (current.startsWith('-'))
    return starting(current, known.flatMap((flag) => [flag.names[0]]).concat('--help', '--version'));
  const flag = known.find(
    (candidate) => candidate.value !== undefined && candidate.names.some((name) => name === before.at(-1)),
  );
  if (flag) return starting(current, flag.choices ?? []);
  if (!command) {
    // `spec` and `change` are only the first half of a command.
    const halves = commands.map(({ name }) => name.split(' '));
    const begun = halves.filter(([half, other]) => other !== undefined && half === first);
    return starting(
      current,
      begun.length > 0 ? begun.map(([, other = '']) => other) : halves.map(([half = '']) => half),
    );
  }
  const choices = command.arguments?.[0]?.choices;
  if (choices) return before.some((word) => choices.includes(word)) ? [] : starting(current, choices);
  if (command.name === 'completion') return starting(current, COMPLETION_SHELLS);
  const kind = command.completes && command.arguments ? command.completes : NAMES_FOR[command.name];
  return kind === undefined ? [] : starting(current, await names(kind, typedFlags(before, known)));
}

/** Flags that tell where to look. What does not fit is passed over: the line is not finished yet. */
function typedFlags(words: readonly string[], known: readonly Flag[]): FlagValues {
  const flags: Record<string, string | boolean | string[]> = {};
  for (const [index, word] of words.entries()) {
    const [name = '', ...inline] = word.split('=');
    const flag = known.find(({ names }) => names.includes(name));
    if (!flag) continue;
    const value = inline.length > 0 ? inline.join('=') : words[index + 1];
    const before = flags[flag.key];
    if (flag.value === undefined) flags[flag.key] = !flag.negates;
    else if (value) flags[flag.key] = flag.repeatable ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  return flags;
}

function starting(prefix: string, candidates: readonly string[]): string[] {
  const wanted = prefix.toLowerCase();
  return [...new Set(candidates)].filter((candidate) => candidate.toLowerCase().startsWith(wanted)).sort();
}
