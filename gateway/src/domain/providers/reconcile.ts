import { sum } from '@framegate/contract';
import { CommandError } from '../installation/commandError.ts';
import { chargeOf, costOfAttempt, formatMicros, formatMoney } from './cost.ts';
import type { Invoice, InvoiceLine } from './invoice.ts';
import type { ProviderOrder } from './providerOrder.ts';

/** Maximum lines listed of each kind; all are counted. */
const maxListed = 1_000;
/** Smallest difference that counts, in millionths: half a cent, since providers round each line. */
const minDifferenceMicros = 5_000;

/** Lines of one kind: their number, their sum, and the first of them. */
function createList(currency: string) {
  const lines: Record<string, unknown>[] = [];
  let [count, micros] = [0, 0];
  const totals = () => ({ count, total: formatMoney({ micros, currency }) });
  return {
    add(amount: number, line?: Record<string, unknown>): void {
      count += 1;
      micros += amount;
      if (line && lines.length < maxListed) lines.push(line);
    },
    totals,
    withLines: () => ({ ...totals(), lines }),
  };
}

/** The amount by which an order is compared, under the name of its source. */
const amountOf = ({ attempt: { charged } }: ProviderOrder, expected: number | null) =>
  expected === null ? {} : { [charged ? 'reported' : 'estimate']: formatMicros(expected) };

/**
 * Compares an invoice of a provider with the orders placed there.
 * @param currency The invoice's currency.
 * @param isBilled Whether the invoice covers orders of this time (ms since the epoch); others are only matched.
 */
export function createReconciliation(
  { lines: invoiceLines }: Pick<Invoice, 'lines'>,
  currency: string,
  isBilled: (atMs: number) => boolean,
) {
  const invoiced = Map.groupBy(invoiceLines, ({ task }) => task);
  const seenTasks = new Set<string>();
  const list = () => createList(currency);
  const [dearer, cheaper, notInvoiced, withoutPrice] = [list(), list(), list(), list()];
  const [withoutTask, ordered, whole] = [list(), list(), list()];
  let matched = 0;

  function expectedOf({ attempt }: ProviderOrder): number | null {
    if (chargeOf(attempt) === 'none') return 0;
    const cost = costOfAttempt(attempt);
    if (cost && cost.currency !== currency) {
      throw new CommandError(
        `The invoice is in ${currency}, but the route's costs are in ${cost.currency}: correct "currency" in the route's "cost".`,
      );
    }
    return cost?.micros ?? null;
  }

  function compare(order: ProviderOrder, task: string, lines: readonly InvoiceLine[]): void {
    const { generationId: generation_id, attempt } = order;
    const expected = expectedOf(order);
    matched += 1;
    seenTasks.add(task);
    const micros = sum(lines.map((line) => line.micros));
    const line = {
      task_id: task,
      generation_id,
      attempt: attempt.number,
      ...amountOf(order, expected),
      invoiced: formatMicros(micros),
    };
    if (expected === null) withoutPrice.add(micros, line);
    else if (micros - expected >= minDifferenceMicros) dearer.add(micros - expected, line);
    else if (expected - micros >= minDifferenceMicros) cheaper.add(expected - micros, line);
  }

  return {
    /** Adds an order of the provider. @throws CommandError if its cost is in another currency. */
    add(order: ProviderOrder): void {
      const { generationId: generation_id, attempt } = order;
      const { taskId, number } = attempt;
      const isDue = isBilled(attempt.startedAt);
      const expected = isDue ? expectedOf(order) : null;
      const charge = chargeOf(attempt);
      if (isDue && charge !== 'none') ordered.add(expected ?? 0);
      const lines =
        taskId === undefined || seenTasks.has(taskId) ? undefined : invoiced.get(taskId);
      if (taskId !== undefined && lines) {
        compare(order, taskId, lines);
      } else if (isDue && charge !== 'none') {
        const line = {
          ...(taskId !== undefined && { task_id: taskId }),
          generation_id,
          attempt: number,
          charge,
          ...amountOf(order, expected),
        };
        (taskId === undefined ? withoutTask : notInvoiced).add(expected ?? 0, line);
      }
    },
    /** The result, as the command prints it. Amounts without a currency are in the invoice's currency. */
    result() {
      const notOrdered = list();
      for (const { task, line, micros } of invoiceLines) {
        whole.add(micros);
        if (!seenTasks.has(task)) {
          notOrdered.add(micros, { line, task_id: task, invoiced: formatMicros(micros) });
        }
      }
      return {
        invoice: whole.totals(),
        orders: ordered.totals(),
        matched,
        dearer: dearer.withLines(),
        cheaper: cheaper.withLines(),
        not_ordered: notOrdered.withLines(),
        not_invoiced: notInvoiced.withLines(),
        without_price: withoutPrice.withLines(),
        without_task_id: withoutTask.withLines(),
      };
    },
  };
}
