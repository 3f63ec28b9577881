/** Freezes a value and everything in it, except bytes, which cannot be frozen. */
export function freezeDeep<T>(value: T): T {
  if (
    typeof value === 'object' &&
    value !== null &&
    !Object.isFrozen(value) &&
    !ArrayBuffer.isView(value)
  ) {
    Object.freeze(value);
    for (const member of Object.values(value)) freezeDeep<unknown>(member);
  }
  return value;
}
