import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HttpMiddleware } from '../context.ts';

/** Inter (SIL OFL 1.1): all weights, Latin letters. Other scripts use system fonts. */
const fontFile = fileURLToPath(
  import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
);
const fontBytes = readFileSync(fontFile);

/** The path contains a hash of the font, so it can be cached for a year. */
export const fontPath = `/site/inter-${createHash('sha256').update(fontBytes).digest('hex').slice(0, 12)}.woff2`;

/**
 * Font faces at the start of each style sheet. If Inter is late, the page keeps a system font of about the same
 * size (`optional`), because a change of font would move the text while it is being read.
 */
export const fontFaces = `@font-face {
  font-family: 'Inter Variable';
  font-weight: 100 900;
  font-display: optional;
  src: url('${fontPath}') format('woff2');
}
@font-face {
  font-family: 'Inter Fallback';
  src: local('Arial'), local('Liberation Sans'), local('Roboto');
  size-adjust: 107.4%;
  ascent-override: 90.2%;
  descent-override: 22.48%;
  line-gap-override: 0%;
}
`;

/** Serves the font as immutable. */
export function font(): HttpMiddleware {
  return (ctx) => {
    ctx.set({
      'Content-Type': 'font/woff2',
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
    ctx.body = fontBytes;
  };
}
