import type { Account } from '../../../domain/accounts/account.ts';
import { mayAskForCredits } from '../../../domain/accounts/creditRequest.ts';
import { endOfDayMs } from '../../../domain/time/utcDay.ts';
import { text } from '../../../texts/text.ts';
import { formatDate, type Html, html } from '../../pages/html.ts';
import type { Site } from './site.ts';

/**
 * How an account gets credits: the operator's page, else a request to staff, made once and then shown with its day.
 * @param ask The button, or the form, that asks.
 */
export function creditsWay({ deps }: Site, account: Account, ask: Html): Html {
  const { credits } = deps.outsideLinks;
  if (credits !== null) {
    return html`<a class="button" href="${credits}">${text('site.getCredits')}</a>`;
  }
  if (mayAskForCredits(account, deps.clock.now())) return ask;
  return html`<p class="quiet">${describeCreditRequest(account)}</p>`;
}

/** The account's request for credits as a sentence. */
export function describeCreditRequest({ creditRequest, status }: Account): string {
  if (!creditRequest || status !== 'active') return text('site.creditsByOperator');
  const { askedAt, state } = creditRequest;
  const day = formatDate(askedAt);
  return state === 'declined'
    ? text('site.creditsDeclined', { day, again: formatDate(endOfDayMs(askedAt)) })
    : text('site.askedForCredits', { day });
}

/** The button of a form in the studio that asks for credits. */
export const askButton = (): Html =>
  html`<button class="button" name="do" value="ask" data-reload="">
    ${text('site.askForCredits')}
  </button>`;
