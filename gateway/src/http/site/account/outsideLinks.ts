import { text } from '../../../texts/text.ts';
import { html, type Html } from '../../pages/html.ts';

/** External addresses set by the operator; null if not set. */
export interface OutsideLinks {
  /** Address for buying credits. */
  credits: string | null;
  /** Address of support. */
  support: string | null;
}

/** How to get credits: a button, or a sentence if there is no address. */
export function creditsWay({ credits, support }: OutsideLinks): Html {
  if (credits !== null)
    return html`<a class="button" href="${credits}">${text('site.getCredits')}</a>`;
  if (support !== null)
    return html`<a class="button" href="${support}">${text('site.askForCredits')}</a>`;
  return html`<p class="quiet">${text('site.creditsByOperator')}</p>`;
}

/** The word "support", linked if there is an address. @param word The word as it appears in the sentence. */
export function supportWay({ support }: OutsideLinks, word = text('site.support')): Html {
  return support === null ? html`${word}` : html`<a href="${support}">${word}</a>`;
}
