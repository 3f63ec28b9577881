import { Readable } from 'node:stream';
import type { Router } from '@koa/router';
import { openLedgerExport } from '../../../application/site/ledgerCsv.ts';
import { shownCredits } from '../../../application/site/readCredits.ts';
import { FormProblem } from '../../../application/site/formProblem.ts';
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

  router.get('/credits/ledger.csv', requireAccount(site), async (ctx: SiteContext) => {
    const opened = await openLedgerExport(deps, accountOf(ctx).id).catch((error: unknown) => {
      if (error instanceof FormProblem) ctx.set('Retry-After', '30');
      throw error;
    });
    // A page is read when the client has taken the one before; when it goes away, none is any more.
    const body = Readable.from(opened.pages, { highWaterMark: 1 });
    body.once('close', () => {
      opened.close().catch((error: unknown) => {
        site.log.warn({ error }, 'an export of a ledger could not be closed');
      });
    });
    ctx.set('Content-Type', 'text/csv; charset=utf-8');
    ctx.set('Content-Disposition', 'attachment; filename="framegate-ledger.csv"');
    ctx.body = body;
  });
}

function wordsOf({ kind, reason }: LedgerEntry): string {
  return reason === null ? kinds[kind] : `${kinds[kind]}: ${reason}`;
}

function readNumber(value: unknown): number | null {
  return typeof value === 'string' && /^[1-9]\d{0,11}$/.test(value) ? Number(value) : null;
}
