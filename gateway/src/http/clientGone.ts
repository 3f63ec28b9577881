const goneCodes = new Set([
  'ECONNABORTED',
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_PREMATURE_CLOSE',
  'ERR_STREAM_WRITE_AFTER_END',
  'ERR_STREAM_DESTROYED',
]);

/**
 * The client closed the connection before it had its answer. `isClientGone` recognises it for the error
 * handlers, which log it at debug level and answer nothing.
 */
export class ClientGone extends Error {}

/** Whether an error only says that the client has gone. */
export function isClientGone(error: unknown): boolean {
  if (error instanceof ClientGone) return true;
  // Not by its class: an error of a stream may come from another realm.
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && goneCodes.has(String(error.code));
}
