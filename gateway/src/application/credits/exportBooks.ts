import { yieldInStretches } from '@framegate/limits';
import { booksCsvHeading, createBooks } from '../../domain/credits/monthlyBooks.ts';
import { monthNumberOf } from '../../domain/time/utcMonth.ts';
import type { AppCore } from '../app.ts';

/** The books of the account whose entries are being read. */
interface AccountBooks {
  id: string;
  email: string;
  books: ReturnType<typeof createBooks>;
}

/**
 * The credits of customers by month and kind as CSV, account by account: granted, spent, refunded, adjusted, expired
 * and open. Reads the ledger once, page by page; each text has the rows of the accounts that a page completes.
 * @param months Times in the first and in the last month, in ms since the epoch.
 * @param accountId Only this account; null for all.
 */
export async function* exportBooks(
  { database }: Pick<AppCore, 'database'>,
  months: { fromMs: number; toMs: number },
  accountId: string | null = null,
): AsyncGenerator<string> {
  const range = { from: monthNumberOf(months.fromMs), to: monthNumberOf(months.toMs) };
  yield booksCsvHeading;
  let current = null as AccountBooks | null;
  for await (const { entries, emails } of database.ledger.listPages(accountId)) {
    let text = '';
    for await (const entry of yieldInStretches(entries)) {
      const { accountId: id } = entry;
      if (current?.id !== id) {
        if (current) text += current.books.csv(current.id, current.email);
        current = { id, email: emails.get(id) ?? '', books: createBooks(range) };
      }
      current.books.add(entry);
    }
    if (text !== '') yield text;
  }
  if (current) yield current.books.csv(current.id, current.email);
}
