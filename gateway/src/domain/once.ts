/** Makes a value on first use: what few processes need costs none of the others time at their start. */
export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
