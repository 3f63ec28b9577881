/** The command line does not say what to do. The message is one sentence for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
