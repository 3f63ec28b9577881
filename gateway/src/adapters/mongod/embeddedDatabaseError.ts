/**
 * The embedded database cannot be found, started or used. The message is for the person who started
 * the gateway: what is wrong and, where there is something, what to do about it.
 */
export class EmbeddedDatabaseError extends Error {
  override readonly name = 'EmbeddedDatabaseError';
}
