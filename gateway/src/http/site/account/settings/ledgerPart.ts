import { loadLabels } from '../../../../application/credits/ledgerExport.ts';
import type { GenerationLabel } from '../../../../application/ports/generations.ts';
import {
  type LedgerEntryKind,
  type LotKind,
  welcomeReason,
} from '../../../../domain/credits/credits.ts';
import type { LedgerEntry } from '../../../../domain/credits/ledgerChain.ts';
import { mayInTeam } from '../../../../domain/teams/teamRoles.ts';
import { parseDay } from '../../../../domain/time/utcDay.ts';
import { type FixedKey, text } from '../../../../texts/text.ts';
import { icon, listLinks, queryOf } from '../../../pages/elements.ts';
import {
  attributes,
  formatDate,
  formatNumber,
  type Html,
  html,
  time,
} from '../../../pages/html.ts';
import { dayField } from '../fields.ts';
import {
  bySite,
  findMakers,
  type Makers,
  personIn,
  shorten,
} from '../generations/generationSummary.ts';
import { accountOf, type Site, type SiteContext } from '../site.ts';

const path = '/credits';
const perPage = 25;
const names = ['day', 'amount', 'before'] as const;

/** The part of the query that selects entries. */
export type LedgerQuery = Partial<Record<(typeof names)[number], string>>;

/** Reads the query of the page; invalid days, amounts and entry numbers are left out. */
export function parseLedgerQuery(query: Readonly<Record<string, unknown>>): LedgerQuery {
  const { day, amount, before } = queryOf(query, names);
  return {
    ...(day !== undefined && parseDay(day) !== null && { day }),
    ...(amount !== undefined && /^[1-9]\d{0,11}$/.test(amount) && { amount }),
    ...(before !== undefined && /^[1-9]\d{0,11}$/.test(before) && { before }),
  };
}

/** Whether a query narrows the ledger. */
export const isSearched = ({ day, amount }: LedgerQuery): boolean =>
  day !== undefined || amount !== undefined;

/** The ledger, newest entries first: those of a day and of an amount, whatever its sign, if the query names them. */
export async function renderLedgerPart(
  ctx: SiteContext,
  site: Site,
  query: LedgerQuery,
): Promise<Html> {
  const { id } = accountOf(ctx);
  const { day, amount, before } = query;
  const filter = {
    ...parseDay(day ?? ''),
    ...(amount !== undefined && { amount: Number(amount) }),
  };
  const after = before === undefined ? null : Number(before);
  const { ledger } = site.deps.database;
  const { entries, older } = await ledger.search(id, filter, after, perPage);
  const labels = await loadLabels(site.deps.database, id, entries);
  const makers = await findMakers(site, ctx, [...labels.values()]);
  const links = listLinks(path, query, older);
  const isEmpty = entries.length === 0;
  if (isEmpty && !isSearched(query)) {
    return html`<h2>${text('credits.ledger')}</h2>
      <p>${text('credits.noEntries')}</p>`;
  }
  return html`<h2 id="ledger">${text('credits.ledger')}</h2>
    <p><a href="${path}/ledger.csv" download>${text('credits.csv')}</a></p>
    ${searchForm(query)}
    ${
      isEmpty
        ? html`<p>${text(older === null ? 'history.noMatches' : 'history.noRecentMatches')}</p>`
        : html`<ul class="ledger">
            ${entries.map((entry) => entryItem(ctx, entry, { site, labels, makers }))}
          </ul>`
    }
    ${links}`;
}

function searchForm(query: LedgerQuery): Html {
  const { day = '', amount = '' } = query;
  const number = attributes({
    id: 'amount',
    name: 'amount',
    inputmode: 'numeric',
    size: 8,
    maxlength: 12,
    autocomplete: 'off',
    placeholder: text('credits.amount'),
    value: amount,
  });
  return html`<form class="inline" action="${path}" role="search">
    ${dayField(day)}
    <label class="visually-hidden" for="amount">${text('credits.amount')}</label>
    <input ${number} />
    <button class="small">${icon('search')} ${text('history.search')}</button>
    ${isSearched(query) && html`<a href="${path}">${text('history.showAll')}</a>`}
  </form>`;
}

/** Names of kinds of credits. */
export const lotKindNames: Readonly<Record<LotKind, FixedKey>> = {
  subscription: 'credits.lotSubscription',
  promotional: 'credits.lotPromotional',
  purchased: 'credits.lotPurchased',
};

const kinds: Readonly<Record<LedgerEntryKind, FixedKey>> = {
  grant: 'credits.grant',
  charge: 'credits.charge',
  refund: 'credits.refund',
  expiry: 'credits.expiry',
  adjustment: 'credits.adjustment',
};

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
  const maker = label && describeMaker(label, accountId, makers);
  const seesPrompt = mayInTeam(role, 'see prompts') && label?.prompt;
  const named = seesPrompt ? shorten(label.prompt) : generationId;
  const page = mayInTeam(role, 'see work')
    ? html`<a href="/generations/${generationId}">${named}</a>`
    : html`<code>${named}</code>`;
  return html`<li>
    <span class="amount ${!isCharge && 'success'}"
      >${isCharge ? '−' : '+'}${formatNumber(Math.abs(amount))}</span
    >
    <div>
      ${text(kinds[kind])}${reason !== null && `: ${describeReason(reason)}`}${
        generationId !== null && html`: ${page}`
      }
      <p class="quiet">
        ${[model, maker].filter(Boolean).map((each) => html`${each} · `)}${time(at)} ·
        ${text('credits.number', { number })} · ${lots.join('; ')}
      </p>
    </div>
  </li>`;
}

function describeMaker(
  label: GenerationLabel,
  accountId: string,
  { keys, people }: Makers,
): string {
  if (label.channel === 'pc') return bySite(personIn(label, accountId, people));
  const name = keys.get(label.keyId ?? '')?.name ?? undefined;
  return name === undefined ? text('generation.byRemovedKey') : text('generation.byKey', { name });
}

/** The reason of an entry; the gateway's own reasons are translated. */
const describeReason = (reason: string): string =>
  reason === welcomeReason ? text('credits.welcome') : reason;
