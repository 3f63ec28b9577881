/** Makes a value on first use, so that processes without a use for it start sooner. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
