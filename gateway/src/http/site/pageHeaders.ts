/**
 * Headers of a page for signed-in people: our own style and script, our own pictures and results; forms
 * come back to us; nobody frames it.
 */
export function pageHeaders(mediaOrigin: string): Record<string, string> {
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      `img-src 'self' ${mediaOrigin}`,
      `media-src 'self' ${mediaOrigin}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // Not "no-referrer", under which a browser sends "Origin: null" with our own forms.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}
