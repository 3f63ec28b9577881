import { html, type Html } from '../../pages/html.ts';

/** A passage of a text as a link to the API keys. */
export const keysLink = (inner: Html): Html => html`<a href="/settings/public-api">${inner}</a>`;
