/** Words that need no quotes. A leading = is expanded by zsh, a leading ~ by all shells. */
const PLAIN = /^[A-Za-z0-9_@+:,./-][A-Za-z0-9_@+=:,./-]*$/u;

/** Quotes a word for bash, zsh and other POSIX shells if necessary. */
export function quoteForBash(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
