const depthMax = 10;

/** An error and what caused it, the innermost last. */
export function causesOf(error: unknown): object[] {
  const found: object[] = [];
  for (let at = error; typeof at === 'object' && at !== null && found.length < depthMax;) {
    found.push(at);
    at = 'cause' in at ? at.cause : undefined;
  }
  return found;
}

/** The text of an error. */
export function errorText(error: unknown): string {
  const hasText = typeof error === 'object' && error !== null && 'message' in error;
  return String(hasText ? error.message : error);
}
