import { applyRules, redactedMark, type RedactionRule } from '@framegate/contract';

const ownKey: RedactionRule = [/fg_(live|operator)_[0-9A-Za-z]+/g, `fg_$1_${redactedMark}`];

/** Rules for a log line, which keeps its URLs without passwords and queries; applied to every request. */
const lineRules: readonly RedactionRule[] = [
  ownKey,
  [/(:\/\/)[^\s/"'@]+@/g, `$1${redactedMark}@`],
  [/https?:\/\/[^\s"']+/g, (url) => url.replace(/\?.*/s, `?${redactedMark}`)],
];

/**
 * Rules for an error's text, which keeps no URL: those of inputs and outputs contain signatures, those of databases
 * passwords. Paths of our own source files (file:///) are kept. The rule of keys is the last: a mark would end a URL.
 */
const errorRules: readonly RedactionRule[] = [
  [/\bBearer\s+[^\s'"]+/gi, `Bearer ${redactedMark}`],
  [/\b([a-z][a-z0-9+.-]{0,19}:\/\/)(?!\/)[^\s'"<>]+/gi, `$1${redactedMark}`],
  ownKey,
];

/** Removes keys, and passwords and queries of URLs, from a log line. */
export function redactLine(line: string): string {
  // Every rule starts with one of these; most lines, such as those of the access log, contain neither.
  if (!line.includes('fg_') && !line.includes('://')) return line;
  return applyRules(lineRules, line);
}

/** Removes keys and URLs from the text of an error. */
export function redactErrorText(text: string): string {
  return applyRules(errorRules, text);
}
