import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import { ledgerCsv, shownCredits } from '../../../application/site/readCredits.ts';
import type { LedgerEntry, LedgerEntryKind } from '../../../domain/ledger.ts';
import { requireAccount } from './requireAccount.ts';
import type { Site } from './site.ts';
import { accountOf, type SiteContext, type SiteState } from './siteContext.ts';

const perPage = 25;

const kinds: Record<LedgerEntryKind, string> = {
  grant: 'Credits added',
  charge: 'Charge',
  refund: 'Refund of a failed generation',
  expiry: 'Expired credits',
  adjustment: 'Adjustment by support',
};

/** What the account has, and where each credit went. */
export function creditPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  router.get('/credits', requireAccount(site), async (ctx: SiteContext) => {
    const account = accountOf(ctx);
    const before = readNumber(ctx.query['before']);
    const entries = await deps.database.ledger.newest(account.id, before, perPage + 1);
    const page = entries.slice(0, perPage);
    site.show(ctx, 'credits', {
      title: 'Credits',
      credits: shownCredits(account, deps.clock.now()),
      entries: page.map((entry) => ({ ...entry, words: wordsOf(entry) })),
      isFirst: before === null,
      older: entries.length > perPage ? (page.at(-1)?.number ?? null) : null,
    });
  });

  router.get('/credits/ledger.csv', requireAccount(site), (ctx: SiteContext) => {
    const { id } = accountOf(ctx);
    ctx.set('Content-Type', 'text/csv; charset=utf-8');
    ctx.set('Content-Disposition', 'attachment; filename="framegate-ledger.csv"');
    ctx.body = Readable.from(ledgerCsv(deps, id));
  });
}

function wordsOf({ kind, reason }: LedgerEntry): string {
  return reason === null ? kinds[kind] : `${kinds[kind]}: ${reason}`;
}

function readNumber(value: unknown): number | null {
  return typeof value === 'string' && /^[1-9]\d{0,11}$/.test(value) ? Number(value) : null;
}
