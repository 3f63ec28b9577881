import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import type { GenerationLabel } from '../../../../application/ports/generations.ts';
import {
  labelsOf,
  openLedgerExport,
  shownCredits,
  createSpendingReader,
  spendingDays,
  spendingSeries,
  type AccountSpending,
} from '../../../../application/site/credits.ts';
import { askForCredits } from '../../../../application/site/creditRequests.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { requestCharacters } from '../../../../domain/accounts/creditRequest.ts';
import {
  welcomeReason,
  type LedgerEntry,
  type LedgerEntryKind,
  type Lot,
  type LotKind,
} from '../../../../domain/credits/credits.ts';
import { refundRule } from '../../../../domain/credits/refund.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { mayInTeam } from '../../../../domain/teams/teamRoles.ts';
import { does } from '../../../atWork.ts';
import { barChart, inColours } from '../../../pages/chart.ts';
import { redirect } from '../../../pages/context.ts';
import { listLinks, wideTable, filterLinks } from '../../../pages/elements.ts';
import { formatDate, formatNumber, time, html, type Html } from '../../../pages/html.ts';
import {
  bySite,
  keyNames,
  makersOf,
  personIn,
  shorten,
  type Makers,
} from '../generations/generationSummary.ts';
import { personOf } from '../acting.ts';
import { formFields } from '../fields.ts';
import { tokenField } from '../../../pages/layout.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { creditsWay, requestInWords } from '../creditsWay.ts';
import { accountOf, keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';
import { text, type FixedKey } from '../../../../texts/text.ts';

const perPage = 25;

/** Balance, lots and ledger of the account. */
export function creditPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const readSpending = createSpendingReader(deps);
  router.get('/credits', requireSignedIn(site), async (ctx: SiteContext) => {
    const account = accountOf(ctx);
    const before = parseEntryNumber(ctx.query['before']);
    const entries = await deps.database.ledger.newest(account.id, before, perPage + 1);
    const page = entries.slice(0, perPage);
    const isFirst = before === null;
    const older = entries.length > perPage ? (page.at(-1)?.number ?? null) : null;
    const now = deps.clock.now();
    const credits = shownCredits(account, now);
    const labels = await labelsOf(deps.database, account.id, page);
    const makers = await makersOf(site, ctx, [...labels.values()]);
    const chart = isFirst
      ? await spendingPart(site, account, await readSpending(account.id), ctx.query['by'] === 'key')
      : null;
    const title = text('credits.title');
    const content = html`<h1>${title}</h1>
      <div class="tiles">
        <div class="tile">
          <b>${formatNumber(credits.available)}</b><span>${text('credits.available')}</span>
        </div>
        <div class="tile">
          <b>${formatNumber(credits.inFlight)}</b><span>${text('credits.inFlight')}</span>
        </div>
        ${expiryTile(credits.lots, now)}
      </div>
      <p class="quiet">${text('credits.oneBalance', { share: text(refundRule.wordsKey) })}</p>
      ${chart} ${isFirst && lotsPart(credits.lots, wayPart(ctx, site))}
      <h2>${text('credits.ledger')}</h2>
      ${
        page.length === 0
          ? html`<p>${text('credits.noEntries')}</p>`
          : html`<p><a href="/credits/ledger.csv" download>${text('credits.csv')}</a></p>
              <ul class="ledger">
                ${page.map((entry) => entryItem(ctx, entry, { site, labels, makers }))}
              </ul>
              ${listLinks('/credits', { before: before === null ? '' : String(before) }, older)}`
      }`;
    site.showPage(ctx, { title, content });
  });

  router.post('/credits/ask', requireSignedIn(site), async (ctx: SiteContext) => {
    const asked = { by: personOf(ctx).id, message: ctx.state.form.get('message') };
    const account = await askForCredits(deps, accountOf(ctx), asked);
    keepNotice(ctx, requestInWords(account));
    redirect(ctx, '/credits');
  });

  router.get(
    '/credits/ledger.csv',
    does('export'),
    requireSignedIn(site),
    async (ctx: SiteContext) => {
      const opened = await openLedgerExport(deps, accountOf(ctx)).catch((error: unknown) => {
        if (error instanceof Refusal) ctx.set('Retry-After', '30');
        throw error;
      });
      // Each page is read once the client has received the previous one.
      const body = Readable.from(opened.pages, { highWaterMark: 1 });
      body.once('close', () => {
        opened.close().catch((error: unknown) => {
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
    ${fields.input('message', text('credits.askMessage'), { maxlength: requestCharacters, autocomplete: 'off' })}
    <button class="button">${text('site.askForCredits')}</button>
  </form>`;
  return creditsWay(site, accountOf(ctx), form);
}

function parseEntryNumber(value: unknown): number | null {
  return typeof value === 'string' && /^[1-9]\d{0,11}$/.test(value) ? Number(value) : null;
}

const lotColumns = () => [
  text('credits.used'),
  text('credits.kind'),
  html`<div class="number">${text('credits.left')}</div>`,
  html`<div class="number">${text('credits.of')}</div>`,
  text('credits.expires'),
];

const lotKindNames: Readonly<Record<LotKind, FixedKey>> = {
  subscription: 'credits.lotSubscription',
  promotional: 'credits.lotPromotional',
  purchased: 'credits.lotPurchased',
};

/** @param way How to get some. */
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

const kinds: Readonly<Record<LedgerEntryKind, FixedKey>> = {
  grant: 'credits.grant',
  charge: 'credits.charge',
  refund: 'credits.refund',
  expiry: 'credits.expiry',
  adjustment: 'credits.adjustment',
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
    <b>${formatNumber(sum)}</b><span>${text('credits.expireSoon')}</span>
    <small>${text('credits.firstOn', { day: formatDate(first.expiresAt) })}</small>
  </div>`;
}

function entryItem(
  { state: { role } }: SiteContext,
  { accountId, kind, reason, amount, generationId, at, number, movements }: LedgerEntry,
  {
    site,
    labels,
    makers,
  }: { site: Site; labels: ReadonlyMap<string, GenerationLabel>; makers: Makers },
): Html {
  const isCharge = amount < 0;
  const lots = movements.map((movement) => {
    const { expiresAt } = movement;
    const part = movements.length > 1 ? ` (${Math.abs(movement.amount)})` : '';
    const lotKind = text(lotKindNames[movement.kind]);
    if (expiresAt === null) return `${lotKind}${part}`;
    return `${text('credits.lotExpires', { kind: lotKind, day: formatDate(expiresAt) })}${part}`;
  });
  const label = labels.get(generationId ?? '');
  const model = label && site.modelName(label.model);
  const maker = label && makerInWords(label, accountId, makers);
  const seesPrompt = mayInTeam(role, 'see prompts') && label?.prompt;
  const named = seesPrompt ? shorten(label.prompt) : generationId;
  const page = mayInTeam(role, 'see work')
    ? html`<a href="/generations/${generationId}">${named}</a>`
    : html`<code>${named}</code>`;
  return html`<li>
    <span class="amount ${isCharge ? '' : 'success'}"
      >${isCharge ? '−' : '+'}${formatNumber(Math.abs(amount))}</span
    >
    <div>
      ${text(kinds[kind])}${reason !== null && `: ${reasonInWords(reason)}`}${
        generationId !== null && html`: ${page}`
      }
      <p class="quiet">
        ${[model, maker].filter(Boolean).map((each) => html`${each} · `)}${time(at)} ·
        ${text('credits.number', { number })} · ${lots.join('; ')}
      </p>
    </div>
  </li>`;
}

function makerInWords(label: GenerationLabel, accountId: string, { keys, people }: Makers): string {
  if (label.channel === 'pc') return bySite(personIn(label, accountId, people));
  const name = keys.get(label.keyId ?? '')?.name ?? undefined;
  return name === undefined ? text('credits.byRemovedKey') : text('credits.byKey', { name });
}

/** The reason of an entry; the gateway's own reasons are translated. */
const reasonInWords = (reason: string): string =>
  reason === welcomeReason ? text('credits.welcome') : reason;

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
    if (keyId === null) return text('credits.thisSite');
    return names.get(keyId) ?? text('credits.removedKey');
  });
  if (sums.length === 0) return null;
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const total = sumOf(sums.map(({ values }) => sumOf(values)));
  const series = inColours(sums).map((each) => ({
    ...each,
    name: `${each.name} ${formatNumber(sumOf(each.values))}`,
  }));
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
