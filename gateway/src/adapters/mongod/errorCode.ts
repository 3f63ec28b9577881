/** The `code` of a system error, such as ENOENT; undefined for anything else. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** For `catch`: passes over errors with one of these codes, throws all others on. */
export function ignoring(...codes: readonly string[]): (error: unknown) => void {
  return (error) => {
    const code = errorCode(error);
    if (code === undefined || !codes.includes(code)) throw error;
  };
}
