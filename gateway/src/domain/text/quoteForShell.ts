/** Quotes a word of a command for a POSIX shell, if it needs that. Used for every command that is shown. */
export function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
