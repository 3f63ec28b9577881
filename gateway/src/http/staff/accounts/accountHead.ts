import type { CustomerFactor } from '../../../application/ports/site.ts';
import { type Account } from '../../../domain/accounts/account.ts';
import { openCreditRequest } from '../../../domain/accounts/creditRequest.ts';
import { erasureDueAt } from '../../../domain/accounts/erasureRequest.ts';
import { availableCredits, ownReference } from '../../../domain/credits/credits.ts';
import type { LedgerEntry } from '../../../domain/credits/ledgerChain.ts';
import { formatNumber, type Html, html, timestamp } from '../../pages/html.ts';
import { describeMissing } from '../credits/creditRequestPages.ts';
import { accountLink, badge } from '../elements.ts';

/** An account in a few lines, with open requests of its customer or of an operator. */
export function headOf(account: Account, nowMs: number, factor: CustomerFactor | null): Html {
  const { id, email, status, isVerified, staffRole, running, waiting } = account;
  return html`<h1>${email}</h1>
    <p>
      ${badge(status)} ${isVerified ? 'email verified' : 'email not verified'}
      ${factor && html`· two-factor authentication since ${timestamp(factor.enabledAt)}`}
      ${staffRole !== null && html`· staff (${staffRole})`} · <code>${id}</code> ·
      <b>${formatNumber(availableCredits(account.lots, nowMs))} credits</b>,
      ${formatNumber(account.inFlightCredits)} held · ${running} running, ${waiting} waiting · since
      ${timestamp(account.createdAt)}
    </p>
    ${planOf(account)} ${erasureRequestOf(account)} ${creditRequestOf(account)}`;
}

function erasureRequestOf(account: Account): Html | null {
  const dueAt = erasureDueAt(account);
  if (dueAt === null) return null;
  const { by } = account.erasureRequest ?? {};
  return html`<p class="notice">
    ${by ? `The operator key ${by.name}` : 'The customer'} asked to erase this account on
    <b>${timestamp(dueAt)}</b> (UTC).
  </p>`;
}

function creditRequestOf(account: Account): Html | null {
  const request = openCreditRequest(account);
  if (request === null) return null;
  return html`<p class="notice">
    Asked for credits:
    <b>${timestamp(request.askedAt)}</b>
    (UTC)${describeMissing(request)}${request.by !== account.id && html`, by ${accountLink(request.by)}`}.
    ${request.message !== '' && html`<q dir="auto">${request.message}</q>`}
  </p>`;
}

function planOf({ plan }: Account): Html | null {
  if (plan === undefined) return null;
  const { id, name, credits, months, nextAt, startedAt, endedAt } = plan;
  return html`<p>
    Plan <b>${name}</b>: ${formatNumber(credits)} credits per month · since ${timestamp(startedAt)},
    ${formatNumber(months)} granted ·
    ${nextAt === null ? html`ended ${timestamp(endedAt)}` : html`next ${timestamp(nextAt)}`} ·
    <code>${id}</code>
  </p>`;
}

/** The ledger entry of the searched payment. */
export function paymentPart({ at, number, kind, amount, reference }: LedgerEntry): Html {
  return html`<p class="notice">
    <b>${ownReference(reference)}</b>: ${kind} of ${formatNumber(amount)} credits, ${timestamp(at)}
    (UTC), ledger entry ${number}
  </p>`;
}
