/** The most that is kept of an answer's text, in characters. */
export const keptMax = 4096;

/** The key in the forms in which an answer may repeat it; of `id:secret`, each part, too. */
function formsOf(apiKey: string): string[] {
  const whole = [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)];
  const base64 = Buffer.from(apiKey).toString('base64').replace(/=+$/, '');
  const parts = apiKey.split(':').filter((part) => part.length >= 8);
  return [...new Set([...whole, base64, ...parts])].toSorted((a, b) => b.length - a.length);
}

/** Every pattern takes time in proportion to the text: the first leaves no long run of letters. */
const secrets: readonly (readonly [RegExp, string | ((found: string) => string)])[] = [
  // Files, and whatever else is too long to read.
  [/[\w+/=-]{200,}/g, (run) => `<${String(run.length)} characters>`],
  [/\b[a-z][a-z0-9+.-]{0,19}:(?:\\?\/){2}[^\s"'<>]+/gi, bareUrl],
  [/\b(Bearer|Basic)\s+[^\s"'<>,;]+/gi, '$1 <redacted>'],
  [/\b(Key|Token)\s+(?=[\w.-]*\d)[\w.-]{8,}/gi, '$1 <redacted>'],
  [
    // `"token": "…"`, `signature=…`, also within a string of JSON; counts of tokens are none.
    /([\w-]*(?:authorization|signature|token|secret|password|credential|cookie|api[-_]?key|access[-_]?key)[\w-]*\\*["']?\s*[:=]\s*\\*)(?!-?\d+(?:\.\d+)?\b|null\b)(?:"(?:[^"\\]|\\.){0,2000}"?|'[^']{0,2000}'?|\[[^\]]{0,2000}\]?|[^\s,;&"'<>{}\]]+)/gi,
    '$1<redacted>',
  ],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '<redacted>'],
  [/\b(fg_live_|sk-)[\w-]{8,}/g, '$1<redacted>'],
];

/** A URL without a password and without its query, which may be signed. */
function bareUrl(url: string): string {
  return url
    .replace(/^([a-z0-9+.-]+:(?:\\?\/){2})[^/\\?#]*@/i, '$1<redacted>@')
    .replace(/(\?|#|\\u003f).*$/is, '$1<redacted>');
}

/**
 * A provider's raw words as staff may read them: without the provider's key, queries of URLs, and
 * whatever else looks like a credential or a file; then cut to `keptMax` characters.
 */
export function redactAnswer(text: string, apiKey: string): string {
  let clean = text;
  if (apiKey !== '') {
    for (const form of formsOf(apiKey)) clean = clean.replaceAll(form, '<key>');
  }
  for (const [pattern, instead] of secrets) {
    clean = clean.replace(pattern, instead as string);
  }
  if (clean.length <= keptMax) return clean;
  return `${clean.slice(0, keptMax)}\n… (${String(clean.length)} characters in all)`;
}
