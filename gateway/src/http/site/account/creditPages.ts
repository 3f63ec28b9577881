import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import type { GenerationLabel } from '../../../application/ports/generations.ts';
import {
  labelsOf,
  openLedgerExport,
  shownCredits,
  createSpendingReader,
  spendingDays,
  spendingSeries,
  type AccountSpending,
} from '../../../application/site/credits.ts';
import type { Account } from '../../../domain/account.ts';
import type { LedgerEntry, LedgerEntryKind, Lot } from '../../../domain/credits.ts';
import { refundRule } from '../../../domain/refund.ts';
import { PlainRefusal } from '../../../domain/refusal.ts';
import { barChart, inColours } from '../../pages/chart.ts';
import { listLinks, wideTable, filterLinks } from '../../pages/elements.ts';
import { formatDate, formatNumber, time, html, type Html } from '../../pages/html.ts';
import { keyNames, shorten } from './generationSummary.ts';
import { requireAccount } from './requireAccount.ts';
import {
  accountOf,
  creditsWay,
  type Site,
  type SiteContext,
  type SiteState,
  type OutsideLinks,
} from './site.ts';

const perPage = 25;

/** Balance, lots and ledger of the account. */
export function creditPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const readSpending = createSpendingReader(deps);
  router.get('/credits', requireAccount(site), async (ctx: SiteContext) => {
    const account = accountOf(ctx);
    const before = parseEntryNumber(ctx.query['before']);
    const entries = await deps.database.ledger.newest(account.id, before, perPage + 1);
    const page = entries.slice(0, perPage);
    const isFirst = before === null;
    const older = entries.length > perPage ? (page.at(-1)?.number ?? null) : null;
    const now = deps.clock.now();
    const credits = shownCredits(account, now);
    const labels = await labelsOf(deps.database, account.id, page);
    const names = await keyNames(site, account, [...labels.values()]);
    const chart = isFirst
      ? await spendingPart(site, account, await readSpending(account.id), ctx.query['by'] === 'key')
      : null;
    const content = html`<h1>Credits</h1>
      <div class="tiles">
        <div class="tile"><b>${formatNumber(credits.available)}</b><span>available</span></div>
        <div class="tile">
          <b>${formatNumber(credits.inFlight)}</b><span>charged for running generations</span>
        </div>
        ${expiryTile(credits.lots, now)}
      </div>
      <p class="quiet">
        One balance for the studio, your API keys, n8n and Zapier. Failed generations are refunded
        ${refundRule.inWords}.
      </p>
      ${chart} ${isFirst && lotsPart(credits.lots, site.links)}
      <h2>Ledger</h2>
      ${
        page.length === 0
          ? html`<p>No entries yet.</p>`
          : html`<p><a href="/credits/ledger.csv" download>Download all as CSV</a></p>
              <ul class="ledger">
                ${page.map((entry) => entryItem(entry, site, labels, names))}
              </ul>
              ${listLinks('/credits', { before: before === null ? '' : String(before) }, older)}`
      }`;
    site.showPage(ctx, { title: 'Credits', content });
  });

  router.get('/credits/ledger.csv', requireAccount(site), async (ctx: SiteContext) => {
    const opened = await openLedgerExport(deps, accountOf(ctx).id).catch((error: unknown) => {
      if (error instanceof PlainRefusal) ctx.set('Retry-After', '30');
      throw error;
    });
    // Each page is read after the client has received the one before.
    const body = Readable.from(opened.pages, { highWaterMark: 1 });
    body.once('close', () => {
      opened.close().catch((error: unknown) => {
        site.log.warn({ error }, 'a ledger export could not be closed');
      });
    });
    ctx.set('Content-Type', 'text/csv; charset=utf-8');
    ctx.set('Content-Disposition', `attachment; filename="${site.deps.brand.slug}-ledger.csv"`);
    ctx.body = body;
  });
}

function parseEntryNumber(value: unknown): number | null {
  return typeof value === 'string' && /^[1-9]\d{0,11}$/.test(value) ? Number(value) : null;
}

const lotColumns = [
  ...['Used', 'Kind'],
  ...['Left', 'Of'].map((name) => html`<div class="number">${name}</div>`),
  'Expires',
];

function lotsPart(lots: readonly Lot[], links: OutsideLinks): Html {
  const rows = lots.map(
    (lot, index) =>
      html`<tr>
        <td>${index === 0 ? 'first' : `${index + 1}.`}</td>
        <td>${lot.kind}</td>
        <td class="number">${formatNumber(lot.remaining)}</td>
        <td class="number">${formatNumber(lot.amount)}</td>
        <td>${lot.expiresAt === null ? 'never' : time(lot.expiresAt)}</td>
      </tr>`,
  );
  return html`<h2>Your credits, in order of use</h2>
    ${
      lots.length === 0
        ? html`<p>You have no credits at the moment.</p>
            ${creditsWay(links)}`
        : wideTable('lots of credits', lotColumns, rows)
    }`;
}

const kinds: Record<LedgerEntryKind, string> = {
  grant: 'Credits added',
  charge: 'Charge',
  refund: 'Refund of a failed generation',
  expiry: 'Expired credits',
  adjustment: 'Adjustment by support',
};

/** Credits that expire within 30 days, with the first expiry date. */
function expiryTile(lots: readonly Lot[], now: number): Html | null {
  const until = now + 30 * 24 * 3600 * 1000;
  const soon = lots.flatMap(({ expiresAt, remaining }) =>
    expiresAt !== null && expiresAt <= until ? [{ expiresAt, remaining }] : [],
  );
  const first = soon.toSorted((a, b) => a.expiresAt - b.expiresAt)[0];
  if (first === undefined) return null;
  const sum = soon.reduce((all, { remaining }) => all + remaining, 0);
  return html`<div class="tile">
    <b>${formatNumber(sum)}</b><span>expire within 30 days</span>
    <small>the first on ${formatDate(first.expiresAt)}</small>
  </div>`;
}

function entryItem(
  { kind, reason, amount, generationId, at, number, movements }: LedgerEntry,
  site: Site,
  labels: ReadonlyMap<string, GenerationLabel>,
  names: ReadonlyMap<string, string>,
): Html {
  const isCharge = amount < 0;
  const lots = movements.map((movement) => {
    const expiry = movement.expiresAt === null ? '' : `, expires ${formatDate(movement.expiresAt)}`;
    const part = movements.length > 1 ? ` (${Math.abs(movement.amount)})` : '';
    return `${movement.kind}${expiry}${part}`;
  });
  const label = labels.get(generationId ?? '');
  const model = label && site.modelName(label.model);
  const maker =
    label &&
    (label.channel === 'pc' ? 'this site' : `key “${names.get(label.keyId ?? '') ?? 'removed'}”`);
  const prompt = label?.prompt ? shorten(label.prompt) : generationId;
  return html`<li>
    <span class="amount ${isCharge ? '' : 'success'}"
      >${isCharge ? '−' : '+'}${formatNumber(Math.abs(amount))}</span
    >
    <div>
      ${kinds[kind]}${reason !== null && `: ${reason}`}${
        generationId !== null && html`: <a href="/generations/${generationId}">${prompt}</a>`
      }
      <p class="quiet">
        ${[model, maker].filter(Boolean).map((each) => html`${each} · `)}${time(at)} · no. ${number}
        · ${lots.join('; ')}
      </p>
    </div>
  </li>`;
}

/** Chart of daily spending by model or key; null if nothing was spent. */
export async function spendingPart(
  site: Site,
  account: Account,
  spending: AccountSpending,
  isByKey: boolean,
): Promise<Html | null> {
  const { parts, days, isPartial } = spending;
  const names = await keyNames(site, account, isByKey ? parts : []);
  const sums = spendingSeries(spending, ({ model, keyId }) => {
    if (!isByKey) return site.modelName(model);
    return keyId === null ? 'this site' : (names.get(keyId) ?? 'removed key');
  });
  if (sums.length === 0) return null;
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const total = sumOf(sums.map(({ values }) => sumOf(values)));
  const series = inColours(sums).map((each) => ({
    ...each,
    name: `${each.name} ${formatNumber(sumOf(each.values))}`,
  }));
  return html`<h2 id="spent">Spent in ${spendingDays} days</h2>
    ${filterLinks('By', '/credits', { by: isByKey ? 'key' : '' }, 'by', [
      ['', 'model'],
      ['key', 'key'],
    ])}
    ${barChart({
      series,
      columns: days.map(formatDate),
      summary: `${formatNumber(total)} credits for generations, without refunded ones${isPartial ? '; newest 20,000 generations only' : ''}. Days are UTC.`,
    })}`;
}
