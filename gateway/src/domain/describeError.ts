/** An error as the log shows it: no properties but these, which libraries fill with what was sent. */
export interface DescribedError {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: DescribedError;
}

const secrets: readonly (readonly [RegExp, string])[] = [
  [/fg_live_[0-9A-Za-z]+/g, 'fg_live_[redacted]'],
  [/\bBearer\s+[^\s'"]+/gi, 'Bearer [redacted]'],
  // Addresses of inputs and outputs carry signatures, those of databases carry passwords; paths of
  // our own source files (file:///) stay.
  [/\b([a-z][a-z0-9+.-]{0,19}:\/\/)(?!\/)[^\s'"<>]+/gi, '$1[redacted]'],
];

/** A text without keys and addresses. */
export function redactText(text: string): string {
  let clean = text;
  for (const [pattern, replacement] of secrets) clean = clean.replace(pattern, replacement);
  return clean;
}

/** Describes an error whole, causes included (five deep), without keys, addresses or what was sent. */
export function describeError(error: unknown, depth = 5): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error, message: 'not an Error was thrown' };
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    name: error.name,
    message: redactText(error.message),
    ...(typeof code === 'string' && { code }),
    ...(error.stack !== undefined && { stack: redactText(error.stack) }),
    ...(error.cause !== undefined && depth > 1 && { cause: describeError(error.cause, depth - 1) }),
  };
}
