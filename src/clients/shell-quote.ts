/** One command line for each shell, so that what is printed can be copied as it is. */
import type { Shell } from './names.ts';

/** Words that no shell touches. A leading = is expanded by zsh, a leading ~ by all. */
const PLAIN = /^[A-Za-z0-9_@+:,./-][A-Za-z0-9_@+=:,./-]*$/u;
/** A backslash is plain to the shells of Windows. Commas and a leading @ mean something to PowerShell. */
const PLAIN_POWERSHELL = /^[A-Za-z0-9_./:\\-][A-Za-z0-9_+=:./\\-]*$/u;
const PLAIN_CMD = /^[A-Za-z0-9_@+:./\\-]+$/u;

export function quoteForBash(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Single quotes are literal; PowerShell takes the typographic ones for quotes as well, so they are doubled too. */
export function quoteForPowerShell(word: string): string {
  return PLAIN_POWERSHELL.test(word) ? word : `'${word.replace(/['\u2018\u2019\u201a\u201b]/gu, '$&$&')}'`;
}

/**
 * The program takes its command line apart by the rules of the C runtime, after cmd has looked at it. Double quotes stop
 * cmd from seeing most characters, but never %, and none at all behind a quote within; such words are escaped with carets.
 */
export function quoteForCmd(word: string): string {
  if (PLAIN_CMD.test(word)) return word;
  const quoted = `"${word.replace(/(\\*)"/gu, String.raw`$1$1\"`).replace(/(\\+)$/u, '$1$1')}"`;
  return /%|".*[<>&|^]|[<>&|^].*"/su.test(word) ? quoted.replace(/[()%!^"<>&|]/gu, '^$&') : quoted;
}

/** A batch file hands its arguments on, and Windows PowerShell drops the quotes within them unless they are escaped. */
function quoteForBatchFile(word: string): string {
  return quoteForPowerShell(word.replace(/(\\*)"/gu, String.raw`$1$1\"`));
}

/** The command on one line, run in a folder where one is given. */
export function commandLine(shell: Shell, words: readonly string[], dir?: string): string {
  if (shell === 'bash')
    return (dir === undefined ? '' : `cd ${quoteForBash(dir)} && `) + words.map(quoteForBash).join(' ');
  if (shell === 'cmd')
    return (dir === undefined ? '' : `cd /d ${quoteForCmd(dir)} && `) + words.map(quoteForCmd).join(' ');
  // On Windows `code` is always a batch file; the other clients are programs or scripts that get their words unharmed.
  const quote = words[0] === 'code' ? quoteForBatchFile : quoteForPowerShell;
  return (
    (dir === undefined ? '' : `Set-Location -LiteralPath ${quoteForPowerShell(dir)}; `) + words.map(quote).join(' ')
  );
}
