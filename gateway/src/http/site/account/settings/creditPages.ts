import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import { dayMs, sum } from '@framegate/contract';
import { yieldInPieces } from '@framegate/limits';
import { askForCredits } from '../../../../application/credits/creditRequests.ts';
import { openLedgerExport } from '../../../../application/credits/ledgerExport.ts';
import { shownCredits } from '../../../../application/credits/shownCredits.ts';
import {
  type AccountSpending,
  createSpendingReader,
  spendingDays,
  spendingSeries,
} from '../../../../application/credits/spending.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { maxRequestCharacters } from '../../../../domain/accounts/creditRequest.ts';
import type { Lot } from '../../../../domain/credits/credits.ts';
import { refundRule } from '../../../../domain/credits/refund.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { text } from '../../../../texts/text.ts';
import { does } from '../../../atWork.ts';
import { barChart, inColours } from '../../../pages/chart.ts';
import { redirect } from '../../../pages/context.ts';
import { filterLinks, tokenField, wideTable } from '../../../pages/elements.ts';
import { formatDate, formatNumber, type Html, html, time } from '../../../pages/html.ts';
import { personOf } from '../acting.ts';
import { creditsWay, describeCreditRequest } from '../creditsWay.ts';
import { formFields } from '../fields.ts';
import { loadKeyNames } from '../generations/generationSummary.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { accountOf, keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';
import { isSearched, lotKindNames, parseLedgerQuery, renderLedgerPart } from './ledgerPart.ts';

/** Balance, lots and ledger of the account. */
export function addCreditPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const readSpending = createSpendingReader(deps);
  const kind = does(({ query }) => (isSearched(parseLedgerQuery(query)) ? 'search' : 'page'));
  router.get('/credits', kind, requireSignedIn(site), async (ctx: SiteContext) => {
    const account = accountOf(ctx);
    const query = parseLedgerQuery(ctx.query);
    const isFirst = Object.keys(query).length === 0;
    const nowMs = deps.clock.now();
    const credits = shownCredits(account, nowMs);
    const chart = isFirst
      ? await renderSpendingPart(
          site,
          account,
          await readSpending(account.id),
          ctx.query['by'] === 'key',
        )
      : null;
    const title = text('site.credits');
    const content = html`<h1>${title}</h1>
      <div class="tiles">
        <div class="tile">
          <b>${formatNumber(credits.available)}</b><span>${text('credits.available')}</span>
        </div>
        <div class="tile">
          <b>${formatNumber(credits.inFlight)}</b><span>${text('credits.inFlight')}</span>
        </div>
        ${expiryTile(credits.lots, nowMs)}
      </div>
      <p class="quiet">${text('credits.oneBalance', { share: text(refundRule.wordsKey) })}</p>
      ${chart} ${isFirst && lotsPart(credits.lots, wayPart(ctx, site))}
      ${await renderLedgerPart(ctx, site, query)}`;
    site.showPage(ctx, { title, content });
  });

  router.post('/credits/ask', requireSignedIn(site), async (ctx: SiteContext) => {
    const request = { by: personOf(ctx).id, message: ctx.state.form.get('message') };
    const account = await askForCredits(deps, accountOf(ctx), request);
    keepNotice(ctx, describeCreditRequest(account));
    redirect(ctx, '/credits');
  });

  router.get(
    '/credits/ledger.csv',
    does('export'),
    requireSignedIn(site),
    async (ctx: SiteContext) => {
      const ledgerExport = await openLedgerExport(deps, accountOf(ctx)).catch((error: unknown) => {
        if (error instanceof Refusal) ctx.set('Retry-After', '30');
        throw error;
      });
      // Each page is read once the client has received the previous one.
      const body = Readable.from(yieldInPieces(ledgerExport.pages), { highWaterMark: 1 });
      body.once('close', () => {
        ledgerExport.close().catch((error: unknown) => {
          site.deps.log.warn({ error }, 'failed to close a ledger export');
        });
      });
      ctx.set('Content-Type', 'text/csv; charset=utf-8');
      ctx.set('Content-Disposition', `attachment; filename="${site.deps.brand.slug}-ledger.csv"`);
      ctx.body = body;
    },
  );
}

/** How the account gets credits; the form asks with a message. */
function wayPart(ctx: SiteContext, site: Site): Html {
  const fields = formFields(ctx.state.form);
  const form = html`<form action="/credits/ask" method="post" class="card">
    ${tokenField(ctx)}
    ${fields.input('message', text('credits.askMessage'), { maxlength: maxRequestCharacters, autocomplete: 'off' })}
    <button class="button">${text('site.askForCredits')}</button>
  </form>`;
  return creditsWay(site, accountOf(ctx), form);
}

const lotColumns = () => [
  text('credits.used'),
  text('credits.kind'),
  html`<div class="number">${text('credits.left')}</div>`,
  html`<div class="number">${text('credits.of')}</div>`,
  text('credits.expires'),
];

/** @param way The way to get credits. */
function lotsPart(lots: readonly Lot[], way: Html): Html {
  const rows = lots.map(
    (lot, index) =>
      html`<tr>
        <td>${index === 0 ? text('credits.first') : `${index + 1}.`}</td>
        <td>${text(lotKindNames[lot.kind])}</td>
        <td class="number">${formatNumber(lot.remaining)}</td>
        <td class="number">${formatNumber(lot.amount)}</td>
        <td>${lot.expiresAt === null ? text('credits.never') : time(lot.expiresAt)}</td>
      </tr>`,
  );
  return html`<h2>${text('credits.lots')}</h2>
    ${
      lots.length === 0
        ? html`<p>${text('credits.noCredits')}</p>
            ${way}`
        : wideTable(text('credits.lotsTable'), lotColumns(), rows)
    }`;
}

/** Credits that expire within 30 days, with the first expiry date. */
function expiryTile(lots: readonly Lot[], nowMs: number): Html | null {
  const until = nowMs + 30 * dayMs;
  const soon = lots.flatMap(({ expiresAt, remaining }) =>
    expiresAt !== null && expiresAt <= until ? [{ expiresAt, remaining }] : [],
  );
  const first = soon.toSorted((a, b) => a.expiresAt - b.expiresAt)[0];
  if (first === undefined) return null;
  const total = sum(soon.map(({ remaining }) => remaining));
  return html`<div class="tile">
    <b>${formatNumber(total)}</b><span>${text('credits.expireSoon')}</span>
    <small>${text('credits.firstOn', { day: formatDate(first.expiresAt) })}</small>
  </div>`;
}

/** Chart of daily spending by model or key; null if nothing was spent. */
export async function renderSpendingPart(
  site: Site,
  account: Account,
  spending: AccountSpending,
  isByKey: boolean,
): Promise<Html | null> {
  const { parts, days, isPartial } = spending;
  const names = await loadKeyNames(site, account, isByKey ? parts : []);
  const sums = spendingSeries(spending, ({ model, keyId }) => {
    if (!isByKey) return site.modelName(model);
    if (keyId === null) return text('site.studio');
    return names.get(keyId) ?? text('generation.byRemovedKey');
  });
  if (sums.length === 0) return null;
  const total = sum(sums.flatMap(({ values }) => values));
  const models = () => site.deps.allModels().map(({ id }) => site.modelName(id));
  const all = isByKey ? [text('site.studio'), ...names.values()] : models();
  const series = inColours(sums, all);
  return html`<h2 id="spent">${text('credits.spent', { days: spendingDays })}</h2>
    ${filterLinks(text('credits.by'), '/credits', { by: isByKey ? 'key' : '' }, 'by', [
      ['', text('credits.byModel')],
      ['key', text('credits.byEachKey')],
    ])}
    ${barChart({
      series,
      columns: days.map(formatDate),
      summary: text(isPartial ? 'credits.spentSummaryPartial' : 'credits.spentSummary', {
        credits: formatNumber(total),
      }),
    })}`;
}
