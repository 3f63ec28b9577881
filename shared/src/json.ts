/** Formats a path as in code, such as `models["alpha-2.0-pro"][0].does`. */
export function jsonPath(path: readonly (string | number)[]): string {
  const written = path.map((part, index) => {
    if (typeof part === 'number') return `[${part}]`;
    if (!/^[A-Za-z_]\w*$/.test(part)) return `[${JSON.stringify(part)}]`;
    return index === 0 ? part : `.${part}`;
  });
  return written.join('') || 'The file';
}

/** Whether a value is an object with fields: neither null nor a list. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
