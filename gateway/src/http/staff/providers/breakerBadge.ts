import { admits, type Breaker } from '../../../domain/providers/breaker.ts';
import { durationElement, formatCount, type Html, html } from '../../pages/html.ts';
import { badge } from '../elements.ts';

/** The state of a breaker, and how long it has lasted. */
export function breakerCells(
  breaker: Breaker,
  nowMs: number,
): [state: Html, lasting: Html | string] {
  const { openedAt, busyUntil, failures, identical, reason } = breaker;
  const state = openedAt !== null ? 'circuit open' : busyUntil > nowMs ? 'busy' : 'in service';
  const next = admits(breaker, nowMs) === 'probe' ? ' (next call is a probe)' : '';
  const count = `${formatCount(failures, 'failure')} in a row`;
  const inService = failures > 0 ? count : '';
  const isHeld = (identical?.holdsUntil ?? 0) > 0;
  const words = html`<br /><span class="said">${reason?.kind}: ${reason?.said}</span>`;
  const why = html`${isHeld && ' (holds back the orders of an account)'}${reason && words}`;
  return [
    html`${badge(state)}${next}${why}`,
    openedAt === null ? inService : html`for ${durationElement(openedAt, nowMs)}`,
  ];
}
