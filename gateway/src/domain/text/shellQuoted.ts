/**
 * One word of a command for a POSIX shell, in quotes if it needs them. Every command that is shown is put together
 * with it.
 */
export function shellQuoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
