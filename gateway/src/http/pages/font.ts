import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HttpMiddleware } from '../context.ts';

/** Inter (SIL OFL 1.1), all weights in one file, the Latin letters: others come from the system's fonts. */
const file = fileURLToPath(
  import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
);
const bytes = readFileSync(file);

/** Its address has its hash: what is kept under it for a year is never stale. */
export const fontPath = `/site/inter-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.woff2`;

/**
 * The faces, at the beginning of each style sheet. Text is there at once in a font of the system, drawn as
 * wide and as high as Inter, so that nothing moves when Inter comes.
 */
export const fontFaces = `@font-face {
  font-family: 'Inter Variable';
  font-weight: 100 900;
  font-display: swap;
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

/** Answers the font; a cache never asks for it again. */
export function font(): HttpMiddleware {
  return (ctx) => {
    ctx.set({
      'Content-Type': 'font/woff2',
      'Cache-Control': 'public, max-age=31536000, immutable',
    });
    ctx.body = bytes;
  };
}
