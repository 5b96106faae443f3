/** Prints a command line for each shell, ready to copy. */
import { quoteForBash } from '../core/quote-for-bash.ts';
import type { Shell } from './names.ts';

/** Backslashes need no quotes on Windows. Commas and a leading @ have a special meaning in PowerShell. */
const PLAIN_POWERSHELL = /^[A-Za-z0-9_./:\\-][A-Za-z0-9_+=:./\\-]*$/u;
const PLAIN_CMD = /^[A-Za-z0-9_@+:./\\-]+$/u;

/** Single quotes are literal. PowerShell treats typographic quotes the same way, so they are doubled too. */
export function quoteForPowerShell(word: string): string {
  return PLAIN_POWERSHELL.test(word) ? word : `'${word.replace(/['\u2018\u2019\u201a\u201b]/gu, '$&$&')}'`;
}

/**
 * cmd interprets the line first, then the program splits it by the rules of the C runtime. Double quotes hide most
 * characters from cmd, but not %, and nothing after a quote inside the word. Such words are escaped with carets.
 */
export function quoteForCmd(word: string): string {
  if (PLAIN_CMD.test(word)) return word;
  const quoted = `"${escapeQuotes(word, true)}"`;
  const isSeenByCmd = word.includes('%') || (word.includes('"') && /[<>&|^]/u.test(word));
  return isSeenByCmd ? quoted.replace(/[()%!^"<>&|]/gu, '^$&') : quoted;
}

/** Escapes quotes for the C runtime, and doubles the backslashes before them. Also doubles trailing backslashes if a quote follows the word. */
function escapeQuotes(word: string, isQuoted: boolean): string {
  return word.replace(/\\+"?|"/gu, (run: string, at: number) => {
    const backslashes = run.replace('"', '');
    if (run.endsWith('"')) return String.raw`${backslashes}${backslashes}\"`;
    return isQuoted && at + run.length === word.length ? backslashes + backslashes : run;
  });
}

/** Batch files pass their arguments on, and Windows PowerShell drops unescaped quotes inside them. */
function quoteForBatchFile(word: string): string {
  return quoteForPowerShell(escapeQuotes(word, false));
}

/** Returns the command on one line, to run in `dir` if given. */
export function commandLine(shell: Shell, words: readonly string[], dir?: string): string {
  if (shell === 'bash')
    return (dir === undefined ? '' : `cd ${quoteForBash(dir)} && `) + words.map(quoteForBash).join(' ');
  if (shell === 'cmd')
    return (dir === undefined ? '' : `cd /d ${quoteForCmd(dir)} && `) + words.map(quoteForCmd).join(' ');
  // On Windows `code` is always a batch file. The other clients are programs or scripts that receive their arguments
  // unchanged.
  const quote = words[0] === 'code' ? quoteForBatchFile : quoteForPowerShell;
  return (
    (dir === undefined ? '' : `Set-Location -LiteralPath ${quoteForPowerShell(dir)}; `) + words.map(quote).join(' ')
  );
}
