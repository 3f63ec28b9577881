import type { Router } from '@koa/router';
import { dayMs } from '@framegate/contract';
import type { App } from '../../../application/app.ts';
import { exportBooks } from '../../../application/credits/exportBooks.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { monthStartMs } from '../../../domain/time/utcDay.ts';
import { formatMonth, monthNumberOf } from '../../../domain/time/utcMonth.ts';
import { does } from '../../atWork.ts';
import { type Html, html } from '../../pages/html.ts';
import type { StaffContext, StaffState } from '../context.ts';
import { needs } from '../needs.ts';
import { sendCsv } from '../sendCsv.ts';

/** Customers' credits by month as CSV. */
export function addBookPages(router: Router<StaffState>, deps: App): void {
  router.get('/staff/credits.csv', needs('see costs'), does('export'), (ctx: StaffContext) => {
    const months = monthsAsked(ctx.query, deps.clock.now());
    const [from, to] = [months.fromMs, months.toMs].map((ms) => formatMonth(monthNumberOf(ms)));
    sendCsv(ctx, `credits-${from}-${to}`, exportBooks(deps, months));
  });
}

/** Times in the months of a query: the last two by default, and two years at most. @throws Refusal `month_invalid`. */
function monthsAsked(query: { from?: unknown; to?: unknown }, nowMs: number) {
  const monthOf = (param: 'from' | 'to') => {
    const value = query[param];
    if (value === undefined) return null;
    const entered = typeof value === 'string' ? value : '';
    const ms = monthStartMs(entered);
    if (ms === null) throw new Refusal('month_invalid', { values: { entered }, param });
    return ms;
  };
  const toMs = Math.min(monthOf('to') ?? nowMs, nowMs);
  const fromMs = Math.min(monthOf('from') ?? monthStartMs(lastMonth(nowMs)) ?? nowMs, toMs);
  return { fromMs: Math.max(fromMs, toMs - 2 * 365 * dayMs), toMs };
}

const lastMonth = (nowMs: number) => formatMonth(monthNumberOf(nowMs) - 1);

/** The credits of all customers by month, for the accountant. */
export function booksPart(nowMs: number): Html {
  const current = formatMonth(monthNumberOf(nowMs));
  const last = lastMonth(nowMs);
  const field = (label: string, name: string, month: string) =>
    html`<label
      >${label}
      <input
        type="month"
        name="${name}"
        value="${month}"
        max="${current}"
        pattern="20\\d\\d-\\d\\d"
        required
    /></label>`;
  return html`<section>
    <h2>Credits by month and customer</h2>
    <form class="inline" method="get" action="/staff/credits.csv">
      ${field('From month', 'from', last)} ${field('To month', 'to', last)}
      <button>Download as CSV</button>
    </form>
    <p class="quiet">
      Credits granted, spent, refunded, adjusted and expired, by kind, and those remaining at the
      end of each month (UTC), from the ledger.
    </p>
  </section>`;
}
