import { text } from '../../../texts/text.ts';
import { type Html, html, richText } from '../../pages/html.ts';

/** External URLs set by the operator; null if not set. */
export interface OutsideLinks {
  /** URL for buying credits. */
  credits: string | null;
  /** URL of support. */
  support: string | null;
}

/** The word "support", linked if there is a URL. @param word The word as it appears in the sentence. */
export function supportWay({ support }: OutsideLinks, word = text('site.support')): Html {
  return support === null ? html`${word}` : html`<a href="${support}">${word}</a>`;
}

/** The line under an error by which support finds the request. */
export const requestIdLine = (links: OutsideLinks, requestId: string): Html =>
  html`<p class="quiet">
    ${richText('errors.requestId', { support: supportWay(links), id: html`<code>${requestId}</code>` })}
  </p>`;
