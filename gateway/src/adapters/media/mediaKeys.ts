const keyPattern = /^(?:[a-z0-9_]{1,40}\/){1,4}[a-z0-9_]{1,40}\.[a-z0-9]{2,4}$/;

/** The key, if it is one of the media store's (application/ports/). @throws Error otherwise: a bug. */
export function requireMediaKey(key: string): string {
  if (!keyPattern.test(key)) throw new Error(`not a key of the media store: ${key}`);
  return key;
}
