/** Makes a value on first use, so that processes without a use for it start sooner. */
export function once<T>(make: () => T): () => T {
  let memo: { value: T } | undefined;
  return () => (memo ??= { value: make() }).value;
}
