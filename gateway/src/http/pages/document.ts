import type { Brand } from '../../domain/brand/brand.ts';
import { language } from '../../texts/language.ts';
import { text } from '../../texts/text.ts';
import { foot, iconLinks } from './brand.ts';
import type { PageContext } from './context.ts';
import { type Html, html } from './html.ts';

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
  /** The body; its main element has the id `content`. */
  body: Html;
  /** Part at the foot of the page, next to the brand's links. */
  foot?: Html | null | false;
}

/** Renders a page as text. */
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
  const cached = dataBlocks.get(texts);
  if (cached) return cached;
  const json = JSON.stringify(texts).replaceAll('<', '\\u003c');
  const block = { markup: `<script type="application/json" id="texts">${json}</script>` };
  dataBlocks.set(texts, block);
  return block;
}

const dataBlocks = new WeakMap<object, Html>();

/** Answers a request with a page. */
export function sendPage(ctx: PageContext, status: number, document: Document): void {
  ctx.status = status;
  ctx.set('Content-Type', htmlType);
  // As bytes, because Koa would walk through a string to count them, and Node once more to send them.
  ctx.body = Buffer.from(renderDocument(ctx.state.brand, document));
}
