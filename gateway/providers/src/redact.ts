import { applyRules, redactedMark, type RedactionRule } from '@framegate/contract';
import { withoutKey } from './keyForms.ts';

/** Tokens that are made from a key, so that they are not the key itself: JWTs, and access tokens of Google. */
const madeTokens: RedactionRule = [/\b(?:eyJ[\w-]+\.[\w-]+\.[\w-]*|ya29\.[\w.-]+)/g, redactedMark];

const noteRules: readonly RedactionRule[] = [[/\bhttps?:\/\/[^\s"'<>|]+/gi, '<url>'], madeTokens];

/**
 * Rules for a provider's response, which may contain any credential; the first rule leaves no long run of letters.
 */
const responseRules: readonly RedactionRule[] = [
  // Files and other strings too long to read.
  [/[\w+/=-]{200,}/g, (run) => `<${run.length} characters>`],
  [/\b[a-z][a-z0-9+.-]{0,19}:(?:\\?\/){2}[^\s"'<>]+/gi, bareUrl],
  [/\b(Bearer|Basic)\s+[^\s"'<>,;]+/gi, `$1 ${redactedMark}`],
  [/\b(Key|Token)\s+(?=[\w.-]*\d)[\w.-]{8,}/gi, `$1 ${redactedMark}`],
  [
    // `"token": "…"`, `signature=…`, also within a JSON string; token counts are not credentials.
    /((?<![\w-])[\w-]*(?:authorization|signature|token|secret|password|credential|cookie|api[-_]?key|access[-_]?key)[\w-]*\\*["']?\s*[:=]\s*\\*)(?!-?\d+(?:\.\d+)?\b|null\b)(?:"(?:[^"\\]|\\.){0,2000}"?|'[^']{0,2000}'?|\[[^\]]{0,2000}\]?|[^\s,;&"'<>{}\]]+)/gi,
    `$1${redactedMark}`,
  ],
  madeTokens,
  [/\b(fg_live_|fg_operator_|sk-)[\w-]{8,}/g, `$1${redactedMark}`],
];

/** Maximum kept characters of a response's text. */
export const maxKeptCharacters = 4096;

/** Characters read from the start and from the end of a response: the rules are costly, and responses contain files. */
const maxReadCharacters = { start: 3 * maxKeptCharacters, end: maxKeptCharacters };
/** Maximum characters without a separator; a credential is not longer. */
const maxWordCharacters = maxKeptCharacters;

/** Removes URLs and the provider's key from a note for staff. */
export function redactNote(text: string, apiKey: string): string {
  return withoutKey(applyRules(noteRules, text), apiKey);
}

/**
 * Prepares a provider's raw response for staff: without the middle of a long one, the provider's key, queries of URLs,
 * and anything else that looks like a credential or a file; then cut to `maxKeptCharacters` characters.
 */
export function redactResponse(text: string, apiKey: string): string {
  const clean = partsToRead(text)
    .map((part) => applyRules(responseRules, withoutKey(part, apiKey)))
    .join('\n…\n');
  if (clean.length <= maxKeptCharacters) return clean;
  return `${clean.slice(0, maxKeptCharacters)}\n… (${text.length} characters in all)`;
}

/** The start and the end of a text, or all of it; cut between words, so that no part of a credential is left. */
function partsToRead(text: string): string[] {
  const [from, to] = [maxReadCharacters.start, text.length - maxReadCharacters.end];
  if (from >= to) return [text];
  const isWithin = (at: number) => !/[\s"'<>,]/.test(text.charAt(at));
  let [end, start] = [from, to];
  while (end > from - maxWordCharacters && isWithin(end)) end -= 1;
  while (start < to + maxWordCharacters && isWithin(start - 1)) start += 1;
  return [text.slice(0, end), text.slice(start)];
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

/** A URL without password and query, which may be signed. */
function bareUrl(url: string): string {
  return url
    .replace(/^([a-z0-9+.-]+:(?:\\?\/){2})[^/\\?#]*@/i, `$1${redactedMark}@`)
    .replace(/(\?|#|\\u003f).*$/is, `$1${redactedMark}`);
}
