import type { Account } from '../../domain/account.ts';
import { availableCredits, compareLots, type Lot } from '../../domain/credits.ts';
import type { LedgerEntry } from '../../domain/ledger.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';

/** An account's credits as its owner sees them. */
export interface ShownCredits {
  available: number;
  inFlight: number;
  /** Lots that can be spent, in the order in which they will be. */
  lots: Lot[];
}

/** What an account has to spend, and in which order. */
export function shownCredits(account: Account, nowMs: number): ShownCredits {
  const live = account.lots.filter(
    (lot) => lot.remaining > 0 && (lot.expiresAt === null || lot.expiresAt > nowMs),
  );
  return {
    available: availableCredits(account.lots, nowMs),
    inFlight: account.inFlightCredits,
    lots: live.toSorted(compareLots),
  };
}

const pageSize = 500;

/** All entries of an account's ledger, the oldest first, as comma-separated values (RFC 4180). */
export async function* ledgerCsv(
  deps: { database: Database; clock: Clock },
  accountId: string,
): AsyncGenerator<string> {
  yield line(['number', 'time', 'kind', 'credits', 'generation', 'lots', 'reason', 'request']);
  // Read from the newest page back, since that is how a ledger is paged; written from the oldest on.
  const pages: LedgerEntry[][] = [];
  for (let before: number | null = null; ;) {
    const page: LedgerEntry[] = await deps.database.ledger.newest(accountId, before, pageSize);
    pages.push(page.toReversed());
    const oldest = page.at(-1);
    if (page.length < pageSize || !oldest) break;
    before = oldest.number;
  }
  for (const page of pages.toReversed()) {
    for (const entry of page) yield line(cells(entry));
  }
}

function cells(entry: LedgerEntry): string[] {
  const lots = entry.movements.map(({ lotId, amount }) => `${lotId} ${amount}`).join('; ');
  return [
    String(entry.number),
    new Date(entry.at).toISOString(),
    entry.kind,
    String(entry.amount),
    entry.generationId ?? '',
    lots,
    harmless(entry.reason ?? ''),
    entry.requestId,
  ];
}

/** A spreadsheet would take text that begins so for a formula. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function line(values: readonly string[]): string {
  const quoted = values.map((value) =>
    /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value,
  );
  return `${quoted.join(',')}\r\n`;
}
