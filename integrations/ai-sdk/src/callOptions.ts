/** The parts of a call to a model that concern its requests. */
export interface CallOptions {
  headers?: Record<string, string | undefined> | undefined;
  abortSignal?: AbortSignal | undefined;
}

/** The headers, except those that a caller left undefined. */
export function presentIn(headers: CallOptions['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
