import { html, type Html } from './html.ts';

/** A whole page of the site. */
export function page(title: string, content: Html): string {
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/site/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/site/site.css" />
      </head>
      <body>
        ${content}
      </body>
    </html> `;
  return document.markup;
}

/**
 * Headers of every page: nothing is loaded but our own style sheet and pictures, nothing runs, nobody
 * frames it.
 */
export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
};
