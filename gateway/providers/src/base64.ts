/** Everything but the digits of base64 and base64url. */
const otherThanBase64 = /[^A-Za-z0-9+/_-]/;

/**
 * Decodes base64 exactly: with or without the prefix of a `data:` URL, in the usual or the URL's alphabet, with or
 * without padding, in one or several lines. Null for any other text, which a lenient decoder would turn into garbage.
 */
export function decodeBase64(text: string): Buffer | null {
  const data = /^\s*data:[^,]{0,200};base64,/i.exec(text.slice(0, 300))?.[0] ?? '';
  let end = text.length;
  while (end > data.length && /[=\s]/.test(text.charAt(end - 1))) end -= 1;
  // White space belongs only between lines; elsewhere it may be a lost "+", or between words.
  const digits = text.slice(data.length, end).replace(/(?<![\t ])[\t ]*[\r\n][\t\r\n ]*/g, '');
  if (digits === '' || otherThanBase64.test(digits)) return null;
  // One digit alone is less than a byte.
  return digits.length % 4 === 1 ? null : Buffer.from(digits, 'base64');
}

/** The bytes of a `data:` URL (RFC 2397); null if it cannot be decoded. */
export function decodeDataUrl(url: string): Buffer | null {
  const [head = ''] = url.slice(0, 300).split(',', 1);
  if (/;base64\s*$/i.test(head)) return decodeBase64(url);
  try {
    return Buffer.from(decodeURIComponent(url.slice(head.length + 1)), 'latin1');
  } catch {
    return null;
  }
}
