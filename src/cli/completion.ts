/**
 * Completion for four shells. Each script calls `lectern __complete` for the candidates, so it completes the skills of the
 * current folder and never needs an update.
 */
import { argumentsOfCommand, type Command, flagsOfCommand, HELP_TOPICS } from './command.ts';
import type { CompletionShell } from '../operations/completion-places.ts';
import type { NameKind } from '../operations/define.ts';
import { type Flag, type GivenByTarget, GLOBAL_FLAGS } from './flags.ts';
import { commandNamed, plainWords } from './parse.ts';

type Shell = CompletionShell;

const SCRIPTS: Record<Shell, string> = {
  // compgen -W is not used, because it expands its words and a skill may be named $(anything).
  bash: `# Lectern completion for bash
_lectern_complete() {
  local word prefix= answer
  local -a words=()
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD}"; do
    # A typed backslash quotes the next character.
    word=\${word//\\\\/}
    # Bash splits words at colons, and full names contain them.
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
  reply=("\${(@f)$(lectern __complete -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
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

/** The arguments and flags that precede a name. */
export interface Typed {
  arguments: readonly string[];
  flags: GivenByTarget;
}

/** Returns candidates for the last word. `names` is called only if a name is expected. */
export async function complete(
  words: readonly string[],
  commands: readonly Command[],
  names: (kind: NameKind, typed: Typed) => Promise<string[]>,
): Promise<string[]> {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const typed = plainWords(before, commands).map(({ text }) => text);
  const [first = '', second = ''] = typed[0] === 'help' ? typed.slice(1) : typed;
  const command = commandNamed(commands, `${first} ${second}`) ?? commandNamed(commands, first);
  const known = [...(command ? flagsOfCommand(command) : []), ...GLOBAL_FLAGS];
  if (current.startsWith('-'))
    return starting(
      current,
      known.flatMap(({ unlisted, names: [name] }) => (unlisted ? [] : [name])).concat('--help', '--version'),
    );
  const flag = known.find(
    ({ value, names: spellings }) => value !== undefined && spellings.includes(before.at(-1) ?? ''),
  );
  const argumentsTyped = command ? typed.slice((typed[0] === 'help' ? 1 : 0) + command.name.split(' ').length) : [];
  const named = async (kind: NameKind | undefined): Promise<string[]> =>
    kind === undefined
      ? []
      : starting(current, await names(kind, { arguments: argumentsTyped, flags: typedFlags(before, known) }));
  if (flag) return flag.choices ? starting(current, flag.choices) : named(flag.completes);
  if (!command) {
    // `spec` and `change` are only the first word of a command.
    const commandWords = commands.map(({ name }) => name.split(' '));
    const matching = commandWords.filter(([one, two]) => two !== undefined && one === first);
    return starting(
      current,
      matching.length > 0
        ? matching.map(([, two = '']) => two)
        : [...commandWords.map(([one = '']) => one), ...(typed[0] === 'help' ? HELP_TOPICS : [])],
    );
  }
  const [firstArgument, ...others] = argumentsOfCommand(command);
  const choices = firstArgument?.choices;
  if (choices) return before.some((word) => choices.includes(word)) ? [] : starting(current, choices);
  const taken = argumentsTyped.length;
  return named(taken === 0 || firstArgument?.takesMany === true ? command.completes : others[taken - 1]?.completes);
}

/** Parses the flags typed so far. Invalid words are skipped, because the line is not finished yet. */
function typedFlags(words: readonly string[], known: readonly Flag[]): GivenByTarget {
  const given: GivenByTarget = { param: {}, setting: {}, global: {} };
  for (const [index, word] of words.entries()) {
    const [name = '', ...inline] = word.split('=');
    const flag = known.find(({ names }) => names.includes(name));
    if (!flag) continue;
    const value = inline.length > 0 ? inline.join('=') : words[index + 1];
    const values = given[flag.target];
    const before = values[flag.key];
    if (flag.value === undefined) values[flag.key] = flag.sets ?? true;
    else if (value) values[flag.key] = flag.repeatable ? [...(Array.isArray(before) ? before : []), value] : value;
  }
  return given;
}

function starting(prefix: string, candidates: readonly string[]): string[] {
  const wanted = prefix.toLowerCase();
  return [...new Set(candidates)]
    .filter((candidate) => candidate !== '' && candidate.toLowerCase().startsWith(wanted))
    .sort();
}
