import { CommandError } from '../../domain/installation/commandError.ts';
import { type CsvRows, type InvoiceColumns, readInvoice } from '../../domain/providers/invoice.ts';
import { orderCsvHeading, orderCsvLine } from '../../domain/providers/providerOrder.ts';
import { createReconciliation } from '../../domain/providers/reconcile.ts';
import { dayMs, dayOf } from '../../domain/time/utcDay.ts';
import type { FindOrders } from '../ports/staffQueries.ts';

/** Orders at providers in a time span, in ms since the epoch, of one provider or of all. */
export interface WantedOrders {
  fromMs: number;
  untilMs: number;
  provider: string | null;
}

/** Prints orders as CSV, oldest first. */
export async function exportOrders(
  findOrders: FindOrders,
  { fromMs, untilMs, provider }: WantedOrders,
  print: (text: string) => Promise<void>,
): Promise<void> {
  await print(orderCsvHeading);
  for await (const page of findOrders(fromMs, untilMs)) {
    const wanted = page.filter(({ attempt }) => provider === null || attempt.provider === provider);
    if (wanted.length > 0) await print(wanted.map(orderCsvLine).join(''));
  }
}

/** How far a provider's days may be from ours. */
const slackMs = dayMs;

/**
 * Compares an invoice with the orders placed at its provider.
 * @param range The time that the invoice covers, and its provider.
 * @param given The currency, if the invoice names none.
 * @throws CommandError for an invoice that cannot be read, or in another currency than the orders.
 */
export async function reconcileInvoice(
  findOrders: FindOrders,
  range: WantedOrders & { provider: string },
  rows: CsvRows,
  given: { columns: Partial<InvoiceColumns>; currency: string | null },
) {
  const { fromMs, untilMs, provider } = range;
  const invoice = readInvoice(rows, given.columns);
  const currency = invoice.currency ?? given.currency;
  if (currency === null) {
    throw new CommandError(
      "The invoice doesn't name its currency: add it, for example with --currency USD.",
    );
  }
  if (given.currency !== null && given.currency !== currency) {
    throw new CommandError(`The invoice is in ${currency}, not ${given.currency}.`);
  }
  const isBilled = (at: number) => at >= fromMs && at < untilMs;
  const reconciliation = createReconciliation(invoice, currency, isBilled);
  for await (const page of findOrders(fromMs - slackMs, untilMs + slackMs)) {
    for (const order of page) if (order.attempt.provider === provider) reconciliation.add(order);
  }
  const [from, to] = [dayOf(fromMs), dayOf(untilMs - 1)];
  return { provider, from, to, currency, ...reconciliation.result() };
}
