/**
 * An error that stops a command or the start of a process and that the operator can fix: in standard input, a file, a
 * setting or the database. Its message is one sentence for the operator; use cases throw a `Refusal` instead.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
