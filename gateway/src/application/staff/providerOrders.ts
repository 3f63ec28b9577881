import { dayMs } from '@framegate/contract';
import { CommandError } from '../../domain/installation/commandError.ts';
import { type CsvRows, type InvoiceColumns, parseInvoice } from '../../domain/providers/invoice.ts';
import { orderCsvHeading, orderCsvLine } from '../../domain/providers/providerOrder.ts';
import { createReconciliation } from '../../domain/providers/reconcile.ts';
import { dayOf } from '../../domain/time/utcDay.ts';
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
    const orders = page.filter(({ attempt }) => provider === null || attempt.provider === provider);
    if (orders.length > 0) await print(orders.map(orderCsvLine).join(''));
  }
}

/** How far a provider's days may differ from ours. */
const slackMs = dayMs;

/**
 * Compares an invoice with the orders placed at its provider.
 * @param range The time that the invoice covers, and its provider.
 * @param options.currency The currency, if the invoice names none.
 * @throws CommandError for an invoice that cannot be read, or in another currency than the orders.
 */
export async function reconcileInvoice(
  findOrders: FindOrders,
  range: WantedOrders & { provider: string },
  rows: CsvRows,
  options: { columns: Partial<InvoiceColumns>; currency: string | null },
) {
  const { fromMs, untilMs, provider } = range;
  const invoice = parseInvoice(rows, options.columns);
  const currency = invoice.currency ?? options.currency;
  if (currency === null) {
    throw new CommandError(
      'The invoice does not name its currency: add it, for example with --currency USD.',
    );
  }
  if (options.currency !== null && options.currency !== currency) {
    throw new CommandError(`The invoice is in ${currency}, not ${options.currency}.`);
  }
  const isBilled = (atMs: number) => atMs >= fromMs && atMs < untilMs;
  const reconciliation = createReconciliation(invoice, currency, isBilled);
  for await (const page of findOrders(fromMs - slackMs, untilMs + slackMs)) {
    for (const order of page) if (order.attempt.provider === provider) reconciliation.add(order);
  }
  const [from, to] = [dayOf(fromMs), dayOf(untilMs - 1)];
  return { provider, from, to, currency, ...reconciliation.result() };
}
