import { html, type Html } from '../../../pages/html.ts';

/** Text linked to the API keys. */
export const keysLink = (inner: Html): Html => html`<a href="/settings/public-api">${inner}</a>`;
