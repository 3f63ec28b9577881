/** Makes a value on first use: the schema of a file that few settings name costs milliseconds. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
