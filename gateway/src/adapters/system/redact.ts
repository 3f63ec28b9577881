/** A pattern and its replacement. Every pattern runs in time proportional to the text. */
type Rule = readonly [RegExp, string | ((match: string) => string)];

const ownKey: Rule = [/fg_(live|operator)_[0-9A-Za-z]+/g, 'fg_$1_[redacted]'];

/** Rules for a log line, which keeps its URLs without passwords and queries; applied to every request. */
const lineRules: readonly Rule[] = [
  ownKey,
  [/(:\/\/)[^\s/"'@]+@/g, '$1[redacted]@'],
  [/https?:\/\/[^\s"']+/g, (url) => url.replace(/\?.*/s, '?[redacted]')],
];

/**
 * Rules for an error's text, which keeps no URL: those of inputs and outputs contain signatures, those of databases
 * passwords. Paths of our own source files (file:///) are kept.
 */
const errorRules: readonly Rule[] = [
  ownKey,
  [/\bBearer\s+[^\s'"]+/gi, 'Bearer [redacted]'],
  [/\b([a-z][a-z0-9+.-]{0,19}:\/\/)(?!\/)[^\s'"<>]+/gi, '$1[redacted]'],
];

/** Removes keys, and passwords and queries of URLs, from a log line. */
export function redactLine(line: string): string {
  // Every rule starts with one of these; most lines, such as those of the access log, contain neither.
  if (!line.includes('fg_') && !line.includes('://')) return line;
  return apply(lineRules, line);
}

/** Removes keys and URLs from the text of an error. */
export function redactErrorText(text: string): string {
  return apply(errorRules, text);
}

function apply(rules: readonly Rule[], text: string): string {
  let clean = text;
  for (const [pattern, replacement] of rules) clean = clean.replace(pattern, replacement as string);
  return clean;
}
