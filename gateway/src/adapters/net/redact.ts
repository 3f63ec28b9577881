import { withoutKey } from './keyForms.ts';

/** A pattern and its replacement. Every pattern takes time in proportion to the text. */
type Rule = readonly [RegExp, string | ((found: string) => string)];

const customerKey: Rule = [/fg_live_[0-9A-Za-z]+/g, 'fg_live_[redacted]'];

/** Rules for a log line, which keeps its URLs without passwords and queries; applied for every request. */
const lineRules: readonly Rule[] = [
  customerKey,
  [/(:\/\/)[^\s/"'@]+@/g, '$1[redacted]@'],
  [/(https?:\/\/[^\s"'?]+)\?[^\s"']*/g, '$1?[redacted]'],
];

/**
 * Rules for an error's text, which keeps no URL: those of inputs and outputs contain signatures, those of
 * databases passwords. Paths of our own source files (file:///) stay.
 */
const errorRules: readonly Rule[] = [
  customerKey,
  [/\bBearer\s+[^\s'"]+/gi, 'Bearer [redacted]'],
  [/\b([a-z][a-z0-9+.-]{0,19}:\/\/)(?!\/)[^\s'"<>]+/gi, '$1[redacted]'],
];

const noteRules: readonly Rule[] = [[/\bhttps?:\/\/[^\s"'<>|]+/gi, '<url>']];

/**
 * Rules for a provider's answer, which may contain any credential; the first rule leaves no long run of
 * letters.
 */
const answerRules: readonly Rule[] = [
  // Files and other strings too long to read.
  [/[\w+/=-]{200,}/g, (run) => `<${String(run.length)} characters>`],
  [/\b[a-z][a-z0-9+.-]{0,19}:(?:\\?\/){2}[^\s"'<>]+/gi, bareUrl],
  [/\b(Bearer|Basic)\s+[^\s"'<>,;]+/gi, '$1 <redacted>'],
  [/\b(Key|Token)\s+(?=[\w.-]*\d)[\w.-]{8,}/gi, '$1 <redacted>'],
  [
    // `"token": "…"`, `signature=…`, also within a JSON string; token counts are not credentials.
    /([\w-]*(?:authorization|signature|token|secret|password|credential|cookie|api[-_]?key|access[-_]?key)[\w-]*\\*["']?\s*[:=]\s*\\*)(?!-?\d+(?:\.\d+)?\b|null\b)(?:"(?:[^"\\]|\\.){0,2000}"?|'[^']{0,2000}'?|\[[^\]]{0,2000}\]?|[^\s,;&"'<>{}\]]+)/gi,
    '$1<redacted>',
  ],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<redacted>'],
  [/\b(fg_live_|sk-)[\w-]{8,}/g, '$1<redacted>'],
];

/** Maximum kept characters of an answer's text. */
export const maxKeptCharacters = 4096;

/** Removes keys, and passwords and queries of URLs, from a log line. */
export function redactLine(line: string): string {
  return apply(lineRules, line);
}

/** Removes keys and URLs from the text of an error. */
export function redactErrorText(text: string): string {
  return apply(errorRules, text);
}

/** Removes URLs and the provider's key from a note for staff. */
export function redactNote(text: string, apiKey: string): string {
  return withoutKey(apply(noteRules, text), apiKey);
}

/**
 * Prepares a provider's raw answer for staff: without the provider's key, queries of URLs, and anything else
 * that looks like a credential or a file; then cut to `maxKeptCharacters` characters.
 */
export function redactAnswer(text: string, apiKey: string): string {
  const clean = apply(answerRules, withoutKey(text, apiKey));
  if (clean.length <= maxKeptCharacters) return clean;
  return `${clean.slice(0, maxKeptCharacters)}\n… (${String(clean.length)} characters in all)`;
}

/**
 * A readable form of a provider's job handle if it contains the provider's key: JSON without the key. Empty
 * otherwise. The handle itself stays unchanged, because the provider is called with it.
 */
export function redactHandle(operation: unknown, apiKey: string): { operationShown?: string } {
  const text = (JSON.stringify(operation) as string | undefined) ?? '';
  const operationShown = withoutKey(text, apiKey);
  return operationShown === text ? {} : { operationShown };
}

function apply(rules: readonly Rule[], text: string): string {
  let clean = text;
  for (const [pattern, replacement] of rules) clean = clean.replace(pattern, replacement as string);
  return clean;
}

/** A URL without password and query, which may be signed. */
function bareUrl(url: string): string {
  return url
    .replace(/^([a-z0-9+.-]+:(?:\\?\/){2})[^/\\?#]*@/i, '$1<redacted>@')
    .replace(/(\?|#|\\u003f).*$/is, '$1<redacted>');
}
