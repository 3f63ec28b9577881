import { CommandError } from '../installation/commandError.ts';

/** The lines of a CSV file, the first one with the headings. */
export type CsvRows = readonly (readonly string[])[];

/** Headings of an invoice. */
export interface InvoiceColumns {
  /** The provider's task id. */
  task: string;
  amount: string;
  /** Absent if all amounts are in one currency that the invoice does not name. */
  currency?: string;
}

/** A line of an invoice. */
export interface InvoiceLine {
  /** The line's number in the file; the headings are line 1. */
  line: number;
  task: string;
  /** Millionths of the currency; below 0 for a credit note. */
  micros: number;
}

/** An invoice in one currency. */
export interface Invoice {
  /** Null if the file names none. */
  currency: string | null;
  lines: readonly InvoiceLine[];
}

/** Headings by which a column is found, in this order; compared without case and punctuation. */
const usualHeadings: Readonly<Record<keyof InvoiceColumns, readonly string[]>> = {
  task: ['taskid', 'requestid', 'jobid', 'predictionid', 'generationid', 'task', 'id'],
  amount: ['amount', 'cost', 'total', 'price'],
  currency: ['currency'],
};

/**
 * Parses an invoice.
 * @param columns The headings of its columns, where they are not the usual ones.
 * @throws CommandError for a missing column, an amount that is not a number, or a second currency.
 */
export function parseInvoice(rows: CsvRows, columns: Partial<InvoiceColumns>): Invoice {
  const [headings = [], ...rest] = rows;
  const task = columnOf(headings, 'task', columns);
  const amount = columnOf(headings, 'amount', columns);
  const currency = columnOf(headings, 'currency', columns);
  if (task === null) throw missing(headings, 'task');
  if (amount === null) throw missing(headings, 'amount');
  const currencies = new Set<string>();
  const lines = rest.map((row, index): InvoiceLine => {
    const line = index + 2;
    if (currency !== null) currencies.add((row[currency] ?? '').trim().toUpperCase());
    return { line, task: (row[task] ?? '').trim(), micros: microsOf(row[amount] ?? '', line) };
  });
  if (currencies.size > 1) {
    const all = [...currencies].toSorted().map((each) => each || 'no currency');
    throw new CommandError(
      `The invoice has amounts in ${all.join(' and ')}: split it into one file per currency.`,
    );
  }
  return { currency: [...currencies][0] ?? null, lines };
}

const foldHeading = (heading: string) => heading.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

function columnOf(
  headings: readonly string[],
  kind: keyof InvoiceColumns,
  columns: Partial<InvoiceColumns>,
): number | null {
  const heading = columns[kind];
  if (heading !== undefined) {
    const position = headings.findIndex((each) => each.trim() === heading);
    if (position < 0) throw missing(headings, kind, heading);
    return position;
  }
  const usualPosition = usualHeadings[kind]
    .map((usual) => headings.findIndex((each) => foldHeading(each) === usual))
    .find((index) => index >= 0);
  return usualPosition ?? null;
}

function missing(headings: readonly string[], kind: keyof InvoiceColumns, heading?: string) {
  const column = heading === undefined ? `column for the ${kind}` : `column "${heading}"`;
  const has = headings.map((each) => `"${each.trim()}"`).join(', ') || 'none';
  return new CommandError(
    `The invoice has no ${column}. Its columns are ${has}. Name yours with --columns '{"task":"…","amount":"…"}'.`,
  );
}

/** A number with a decimal point and optional commas between thousands. */
const number = /^(-?)(\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(\.\d{1,20})?$/;

/** @throws CommandError */
function microsOf(text: string, line: number): number {
  const bare = text.replaceAll(/[\s$€£]|[A-Za-z]{3}/g, '');
  const [, sign = '', units = '', decimals = ''] = number.exec(bare) ?? [];
  if (units === '') {
    const excerpt = text.trim().slice(0, 40);
    throw new CommandError(
      `Line ${line} of the invoice: the amount must be a number such as 1250.42, but is "${excerpt}".`,
    );
  }
  return Math.round(Number(`${sign}${units.replaceAll(',', '')}${decimals}`) * 1e6);
}
