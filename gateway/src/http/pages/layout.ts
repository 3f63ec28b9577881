import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Addresses } from '../../application/generations/presentGeneration.ts';
import type { Brand } from '../../domain/brand/brand.ts';
import { language } from '../../texts/language.ts';
import { text } from '../../texts/text.ts';
import { type HttpMiddleware, staticAnswer } from '../context.ts';
import { foot, iconLinks, tokensOf } from './brand.ts';
import type { PageContext } from './context.ts';
import { type Html, html } from './html.ts';

const styleType = 'text/css; charset=utf-8';

/** Media type of every page. */
export const htmlType = 'text/html; charset=utf-8';

/** A complete page. */
export interface Document {
  title: string;
  /** Path of the style sheet; a page without one has its style in `head`. */
  stylesheet?: string;
  /** Additional elements of the head. */
  head?: Html;
  /** Path of the script; the page must also work without it. */
  script?: string;
  /** Texts of the script by name, in the language of the page. */
  texts?: Readonly<Record<string, string>>;
  /** Reload interval without JavaScript, in seconds. */
  refreshSeconds?: number | undefined;
  /** Its main element has the id `content`. */
  body: Html;
  /** Shown at the foot of the page next to the brand's links. */
  foot?: Html | null | false;
}

export function renderDocument(brand: Brand, document: Document): string {
  const { title, stylesheet, head, script, texts, refreshSeconds, body } = document;
  const page = html`<!doctype html>
    <html lang="${language()}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${iconLinks(brand)}
        ${stylesheet !== undefined && html`<link rel="stylesheet" href="${stylesheet}" />`} ${head}
        ${script !== undefined && html`<script src="${script}" defer></script>`}
        ${texts && dataBlock(texts)}
        ${
          refreshSeconds !== undefined &&
          html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}" /></noscript>`
        }
      </head>
      <body>
        <a class="skip" href="#content">${text('site.skip')}</a>
        ${body} ${foot(brand, document.foot)}
      </body>
    </html> `;
  return page.markup;
}

/**
 * Data for the script. It is not executed, so the page's policy allows it; `<` is escaped: it could end the block.
 */
function dataBlock(texts: Readonly<Record<string, string>>): Html {
  const known = dataBlocks.get(texts);
  if (known) return known;
  const json = JSON.stringify(texts).replaceAll('<', '\\u003c');
  const block = { markup: `<script type="application/json" id="texts">${json}</script>` };
  dataBlocks.set(texts, block);
  return block;
}

const dataBlocks = new WeakMap<object, Html>();

export function answerPage(ctx: PageContext, status: number, document: Document): void {
  ctx.status = status;
  ctx.set('Content-Type', htmlType);
  // As bytes, because Koa would walk through a text to count them, and Node once more to send them.
  ctx.body = Buffer.from(renderDocument(ctx.state.brand, document));
}

/**
 * Headers of a page without forms and scripts: it loads only our own style sheet, font and images and cannot
 * be framed.
 */
export const staticPageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};

type ResultAddresses = Pick<Addresses, 'mediaUrl' | 'redirectUrl'>;

/** The origins of results for a policy, including redirect targets, which browsers check as well. */
const originsOf = ({ mediaUrl, redirectUrl = mediaUrl }: ResultAddresses): string =>
  [...new Set([mediaUrl, redirectUrl].map((url) => new URL(url).origin))].join(' ');

/**
 * Headers of a page with forms: it loads only our own style sheet, font, scripts, images and results, sends
 * forms only to us and cannot be framed.
 * @param pictureOrigins Origins of other images.
 */
export function formPageHeaders(
  addresses: ResultAddresses,
  pictureOrigins: readonly string[] = [],
): Record<string, string> {
  const origins = originsOf(addresses);
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "style-src 'self'",
      "font-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      ['img-src', "'self'", origins, ...pictureOrigins].join(' '),
      `media-src 'self' ${origins}`,
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    // With "no-referrer", browsers would send "Origin: null" with our own forms.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

/**
 * Headers of a page for anyone with its link: only results and our own style, no scripts, no forms, hidden from search
 * engines and other sites.
 */
export function sharedPageHeaders(addresses: ResultAddresses): Record<string, string> {
  const origins = originsOf(addresses);
  const policy = (staticPageHeaders['Content-Security-Policy'] ?? '').replace(
    "img-src 'self'",
    `img-src 'self' ${origins}; media-src ${origins}`,
  );
  return {
    ...staticPageHeaders,
    'Content-Security-Policy': policy,
    'X-Robots-Tag': 'noindex, nofollow',
  };
}

/** Hidden field with the CSRF token, for every form. */
export function tokenField(ctx: PageContext): Html {
  return html`<input type="hidden" name="form_token" value="${ctx.state.formToken}" />`;
}

/** Button after a password field or its label; the script makes it reveal the password. */
export const revealButton = () =>
  html`<button type="button" class="small reveal only-script" aria-pressed="false">
    ${text('signIn.showPassword')}
  </button>`;

/** Style sheets of all pages; later ones override earlier ones. */
const shared = ['base.css', 'layout.css', 'controls.css', 'parts.css'];

/** The common style sheet in the brand's colours, followed by the named ones of the folder `assets`. */
export function designWith(brand: Pick<Brand, 'colours'>, ...names: readonly string[]): string {
  return `${fontFaces}${tokensOf(brand)}${readAssets([...shared, ...names])}`;
}

/** Serves `designWith` as one style sheet. */
export function pageStyle(
  brand: Pick<Brand, 'colours'>,
  ...names: readonly string[]
): HttpMiddleware {
  return staticAnswer(designWith(brand, ...names), styleType);
}

/** Serves style sheets of the folder `assets` as one file. */
export function styleSheet(...names: readonly string[]): HttpMiddleware {
  return staticAnswer(readAssets(names), styleType);
}

/** Serves scripts of the folder `assets` as one file. */
export function script(...names: readonly string[]): HttpMiddleware {
  return staticAnswer(readAssets(names), 'text/javascript; charset=utf-8');
}

function readAssets(names: readonly string[]): string {
  const read = (name: string) => readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
  return slim(names.map(read).join('\n'));
}

/** A script or style sheet without whole-line comments and indentation. */
const slim = (text: string): string =>
  text.replace(/^[ \t]*(?:\/\/.*|\/\*(?:[^*]|\*(?!\/))*\*\/)[ \t]*$/gm, '').replace(/^\s+/gm, '');

/** Inter (SIL OFL 1.1): all weights, Latin letters. Other scripts use system fonts. */
const file = fileURLToPath(
  import.meta.resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
);
const bytes = readFileSync(file);

/** The path contains a hash of the font, so it can be cached for a year. */
export const fontPath = `/site/inter-${createHash('sha256').update(bytes).digest('hex').slice(0, 12)}.woff2`;

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
    ctx.body = bytes;
  };
}
