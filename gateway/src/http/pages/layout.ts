import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { staticAnswer, type HttpMiddleware } from '../context.ts';
import type { PageContext } from './context.ts';
import { html, type Html } from './html.ts';

const styleType = 'text/css; charset=utf-8';

/** Media type of every page. */
export const htmlType = 'text/html; charset=utf-8';

/** A whole page: what stands in its head, and its body. */
export interface Document {
  title: string;
  /** Path of its style sheet; a page without one brings its style in `head`. */
  stylesheet?: string;
  /** Further elements of the head. */
  head?: Html;
  /** Path of its script; the page also works without it. */
  script?: string;
  /** Without JavaScript the page reloads after this number of seconds. */
  refreshSeconds?: number | undefined;
  body: Html;
}

/** Writes a page. */
export function renderDocument(document: Document): string {
  const { title, stylesheet, head, script, refreshSeconds, body } = document;
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/site/icon.svg" type="image/svg+xml" />
        ${stylesheet !== undefined && html`<link rel="stylesheet" href="${stylesheet}" />`} ${head}
        ${script !== undefined && html`<script src="${script}" defer></script>`}
        ${
          refreshSeconds !== undefined &&
          html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`
        }
      </head>
      <body>
        ${body}
      </body>
    </html> `;
  return page.markup;
}

/** Answers a page. */
export function answerPage(ctx: PageContext, status: number, document: Document): void {
  ctx.status = status;
  ctx.set('Content-Type', htmlType);
  ctx.body = renderDocument(document);
}

/**
 * Headers of a page without forms and scripts: only our own style sheet, font and pictures load, and no page
 * may frame it.
 */
export const staticPageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

/**
 * Headers of a page with forms: our own style, font, script, pictures and results load, forms are sent to us,
 * and no page may frame it.
 * @param mediaUrl Where results are loaded from.
 */
export function formPageHeaders(mediaUrl: string): Record<string, string> {
  const { origin } = new URL(mediaUrl);
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "style-src 'self'",
      "font-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      `img-src 'self' ${origin}`,
      `media-src 'self' ${origin}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // Not "no-referrer", under which a browser sends "Origin: null" with our own forms.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/** What every form carries against forged requests. */
export function tokenField(ctx: PageContext): Html {
  return html`<input type="hidden" name="form_token" value="${ctx.state.formToken}" />`;
}

/** What stands behind the field of a password, or its label; the script makes it show what is typed. */
export const revealButton = html`<button
  type="button"
  class="small reveal only-script"
  aria-pressed="false"
>
  Show
</button>`;

/** The style of all pages: a later sheet may change what an earlier one says. */
const shared = ['base.css', 'layout.css', 'controls.css', 'parts.css'];

/** The design of all pages, with files of the folder `assets` behind it. */
export function designWith(...names: readonly string[]): string {
  return `${fontFaces}${readAssets([...shared, ...names])}`;
}

/** Answers the design of all pages, with files of the folder `assets` behind it, as one style sheet. */
export function pageStyle(...names: readonly string[]): HttpMiddleware {
  return staticAnswer(designWith(...names), styleType);
}

/** Answers a style sheet of the folder `assets` as it is. */
export function styleSheet(name: string): HttpMiddleware {
  return staticAnswer(readAssets([name]), styleType);
}

/** Answers files of the folder `assets`, one after the other, as one. */
export function script(...names: readonly string[]): HttpMiddleware {
  return staticAnswer(readAssets(names), 'text/javascript; charset=utf-8');
}

/** Answers the logo, which is the icon of all pages. */
export function logo(): HttpMiddleware {
  return staticAnswer(readAssets(['icon.svg']), 'image/svg+xml', staticPageHeaders);
}

function readAssets(names: readonly string[]): string {
  const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
  return names.map(read).join('\n');
}

/** The name with the logo, as a link. @param role What stands behind the name. */
export function brand(href: string, role?: string): Html {
  return html`<a class="brand" href="${href}"
    ><img src="/site/icon.svg" alt="" width="26" height="26" /> Framegate${
      role !== undefined && html` <span class="quiet">${role}</span>`
    }</a
  >`;
}

/** Inter (SIL OFL 1.1), all weights in one file, the Latin letters: others come from the system's fonts. */
const file = fileURLToPath(
  import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
);
const bytes = readFileSync(file);

/** Its address has its hash: what is kept under it for a year is never stale. */
export const fontPath = `/site/inter-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.woff2`;

/**
 * The faces, at the beginning of each style sheet. Where Inter does not come at once, a page stays in a font
 * of the system, drawn about as wide and as high, and the next page has Inter (`optional`): lines that break
 * anew would move what is being read.
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
