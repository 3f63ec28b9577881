import { dayMs } from '@framegate/contract';
import type { InvoiceColumns } from '../domain/providers/invoice.ts';
import { endOfDayMs, monthStartMs, startOfDayMs } from '../domain/time/utcDay.ts';
import type { Command } from './command.ts';
import { type Flags, UsageError } from './flags.ts';

/** The times of --from and --to. @throws UsageError */
function spanIn(read: (name: 'from' | 'to') => number): { fromMs: number; toMs: number } {
  const span = { fromMs: read('from'), toMs: read('to') };
  if (span.toMs < span.fromMs) throw new UsageError('--to is before --from.');
  return span;
}

/** The days from --from to --to, both included. @throws UsageError */
function daysIn(flags: Flags): { fromMs: number; untilMs: number } {
  const { fromMs, toMs } = spanIn((name) => {
    const at = flags.time(name);
    if (at === undefined) throw new UsageError(`--${name} is missing.`);
    return at;
  });
  return { fromMs: startOfDayMs(fromMs), untilMs: endOfDayMs(toMs) };
}

/** The longest span of months in one export, in years. */
const maxYears = 3;

/** The months (UTC) from --from to --to, both included. @throws UsageError */
function monthsIn(flags: Flags): { fromMs: number; toMs: number } {
  const { fromMs, toMs } = spanIn((name) => {
    const firstDay = monthStartMs(flags.text(name));
    if (firstDay !== null) return firstDay;
    throw new UsageError(
      `--${name} must be a month, such as 2026-11, but is "${flags.text(name)}".`,
    );
  });
  if (toMs - fromMs > maxYears * 366 * dayMs) {
    throw new UsageError(`One export can cover at most ${maxYears} years.`);
  }
  return { fromMs, toMs };
}

const columnNames = ['task', 'amount', 'currency'] as const satisfies (keyof InvoiceColumns)[];

/** @throws UsageError */
function columnsIn(flags: Flags): Partial<InvoiceColumns> {
  const example = `'{"task":"Request ID","amount":"Cost (USD)"}'`;
  const headings = flags.has('columns') ? flags.json('columns', example) : {};
  for (const [name, heading] of Object.entries(headings)) {
    if (!columnNames.some((each) => each === name) || typeof heading !== 'string') {
      throw new UsageError(
        `--columns must map any of ${columnNames.join(', ')} to headings of the invoice, such as ${example}.`,
      );
    }
  }
  return headings;
}

/** @throws UsageError */
function currencyIn(flags: Flags): string | null {
  const currency = flags.textOrNull('currency');
  if (currency === null || /^[A-Z]{3}$/.test(currency)) return currency;
  throw new UsageError(
    `--currency must be three capital letters, such as USD, but is "${currency}".`,
  );
}

/** Commands for the accountant: credits of customers, orders at providers and their invoices. */
export const costCommands: Readonly<Record<string, Command>> = {
  'credits export': {
    usage: '--from MONTH --to MONTH [--account A]',
    summary:
      "Prints customers' credits as CSV, by month (UTC) and kind: credits granted, spent, refunded, adjusted and expired, and those remaining at month end.",
    flags: { from: 'text', to: 'text', account: 'text' },
    isReadOnly: true,
    printsItself: true,
    prepare(flags) {
      const months = monthsIn(flags);
      const accountId = flags.textOrNull('account');
      return async (deps) => {
        const { exportBooks } = await import('../application/credits/exportBooks.ts');
        for await (const text of exportBooks(deps, months, accountId)) await deps.print(text);
        return {};
      };
    },
  },
  'costs export': {
    usage: '--from DAY --to DAY [--provider P]',
    summary:
      'Prints provider orders as CSV, oldest first, with task ID, key, units, estimated cost and reported cost. Days are in UTC.',
    flags: { from: 'text', to: 'text', provider: 'text' },
    isReadOnly: true,
    printsItself: true,
    prepare(flags) {
      const orders = { ...daysIn(flags), provider: flags.textOrNull('provider') };
      return async (deps) => {
        const { exportOrders } = await import('../application/staff/providerOrders.ts');
        await exportOrders(await deps.openOrders(), orders, (text) => deps.print(text));
        return {};
      };
    },
  },
  'costs reconcile': {
    usage: 'INVOICE.csv --provider P --from DAY --to DAY [--columns JSON] [--currency C]',
    summary:
      "Matches a provider's invoice to the orders by task ID; exits with status 1 if a charge is higher than expected or has no order.",
    flags: {
      invoice: 'operand',
      provider: 'text',
      from: 'text',
      to: 'text',
      columns: 'text',
      currency: 'text',
    },
    isReadOnly: true,
    prepare(flags) {
      const file = flags.text('invoice');
      const orders = { ...daysIn(flags), provider: flags.text('provider') };
      const layout = { columns: columnsIn(flags), currency: currencyIn(flags) };
      return async (deps) => {
        const { reconcileInvoice } = await import('../application/staff/providerOrders.ts');
        const rows = await deps.readCsv(file);
        return reconcileInvoice(await deps.openOrders(), orders, rows, layout);
      };
    },
    isBad: ({ dearer, not_ordered }) =>
      [dearer, not_ordered].some((list) => (list as { count: number }).count > 0),
  },
};
