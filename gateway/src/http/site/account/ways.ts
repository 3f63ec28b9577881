import { html, type Html } from '../../pages/html.ts';

/** Addresses outside of the site that the operator has set; null where there is none. */
export interface OutsideLinks {
  /** Where customers get credits. */
  credits: string | null;
  /** Where customers reach support. */
  support: string | null;
}

/** The way to credits, for a customer with too few: one button, or a sentence where there is none to link to. */
export function creditsWay({ credits, support }: OutsideLinks): Html {
  if (credits !== null) return html`<a class="button" href="${credits}">Get credits</a>`;
  if (support !== null)
    return html`<a class="button" href="${support}">Ask support for credits</a>`;
  return html`<p class="quiet">The operator of this site adds credits to your account.</p>`;
}

/** The word support, with a link where there is one. @param word As it stands in its sentence. */
export function supportWay({ support }: OutsideLinks, word = 'support'): Html {
  return support === null ? html`${word}` : html`<a href="${support}">${word}</a>`;
}
