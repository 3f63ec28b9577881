/**
 * What stops a command or the start of a process and can be mended at the terminal: standard input, a file, a setting,
 * the database. Its message is one sentence for the operator; refusals of use cases are `Refusal`s.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
