import { csvLine, escapeFormula } from '../text/text.ts';
import { formatMonth, monthNumberOf } from '../time/utcMonth.ts';
import { type LedgerEntryKind, type LotKind, lotKinds } from './credits.ts';
import type { LedgerEntry } from './ledgerChain.ts';

/** The parts of an entry from which books follow. */
export type BookedPart = Pick<LedgerEntry, 'accountId' | 'kind' | 'at' | 'movements'>;

/** Months (UTC), counted from the year 0, both included. */
export interface MonthRange {
  from: number;
  to: number;
}

/** A customer's credits of one kind in a month. All amounts are positive, except adjustments. */
interface Book {
  opening: number;
  granted: number;
  spent: number;
  refunded: number;
  adjusted: number;
  expired: number;
}

/** The columns that count an entry's movements, and their signs. */
const columnByKind: Readonly<Record<LedgerEntryKind, readonly [keyof Book, 1 | -1]>> = {
  grant: ['granted', 1],
  charge: ['spent', -1],
  refund: ['refunded', 1],
  adjustment: ['adjusted', 1],
  expiry: ['expired', -1],
};

const noBook: Book = { opening: 0, granted: 0, spent: 0, refunded: 0, adjusted: 0, expired: 0 };

/** Credits of the kind that are left at the end of the month. */
const openIn = ({ opening, granted, spent, refunded, adjusted, expired }: Book): number =>
  opening + granted - spent + refunded + adjusted - expired;

const columns = [
  ...['month', 'account', 'email', 'kind'],
  ...['opening', 'granted', 'spent', 'refunded', 'adjusted', 'expired', 'open'],
];

/** The header of the books as CSV (RFC 4180), with its line end. Later versions may append columns. */
export const booksCsvHeading = csvLine(columns);

/**
 * Sums up the entries of one account, given in their order, by month and kind of credits. In each row, `open` is
 * `opening + granted - spent + refunded + adjusted - expired`, and the next month's `opening`.
 */
export function createBooks({ from, to }: MonthRange) {
  const books = new Map(lotKinds.map((kind): [LotKind, Book] => [kind, { ...noBook }]));
  const lines: [month: number, kind: LotKind, book: Book][] = [];
  // All entries before the first month count in the one before it.
  let month = from - 1;

  /** Closes the months before this one. */
  function closeUntil(next: number): void {
    for (; month < next; month += 1) {
      for (const [kind, book] of books) {
        const isEmpty = Object.values<number>({ ...book }).every((amount) => amount === 0);
        if (month >= from && !isEmpty) lines.push([month, kind, book]);
        books.set(kind, { ...noBook, opening: openIn(book) });
      }
    }
  }

  return {
    add({ kind, at, movements }: BookedPart): void {
      // Clocks of processes differ by some ms: an entry belongs to no earlier month than the one before it.
      closeUntil(Math.max(month, Math.min(monthNumberOf(at), to + 1)));
      const [column, sign] = columnByKind[kind];
      for (const { kind: lotKind, amount } of movements) {
        const book = books.get(lotKind);
        if (book) book[column] += sign * amount;
      }
    },
    /** The rows as CSV, oldest first. @param email Address of the account; empty after its erasure. */
    csv(accountId: string, email: string): string {
      closeUntil(to + 1);
      const rows = lines.map(([bookMonth, kind, book]) =>
        csvLine([
          ...[formatMonth(bookMonth), accountId, escapeFormula(email), kind],
          ...[book.opening, book.granted, book.spent, book.refunded].map(String),
          ...[book.adjusted, book.expired, openIn(book)].map(String),
        ]),
      );
      return rows.join('');
    },
  };
}
