import { jsonPath } from '@framegate/contract';
import type { Money } from '@framegate/provider-routes';
import { type CostliestOrder, marginOfOrder } from '../../application/catalogue/costliestOrders.ts';
import type { Addition } from '../../domain/providers/connection.ts';
import { formatMicros, formatMoney, moneyOf } from '../../domain/providers/cost.ts';
import { describeOrder } from '../../domain/providers/describeOrder.ts';

/** One line, as in a difference of two files. */
export const describeAddition = ({ file, path, value }: Addition): string =>
  `+ ${file} ${jsonPath(path)}: ${JSON.stringify(value)}`;

/** Price, cost and margin of the costliest order for each resolution of each model. */
export function marginLines(
  costliest: readonly CostliestOrder[],
  creditValue: Money | null,
): string[] {
  if (costliest.length === 0) {
    return ['The cost is unknown, so budgets and margins cannot be calculated.'];
  }
  const lines = costliest.map((order) => describeMargin(order, creditValue));
  return creditValue === null
    ? [...lines, 'CREDIT_VALUE is not set, so margins cannot be calculated.']
    : lines;
}

/** A costliest order with its price, its cost and its margin. */
function describeMargin(order: CostliestOrder, creditValue: Money | null): string {
  const { model, provider, providerModel, credits, cost } = order;
  const text = `${model} at ${provider} (${providerModel}), ${describeOrder(order)}: ${credits} credits`;
  const margin = creditValue && marginOfOrder(order, creditValue);
  if (!creditValue || margin === null) return `${text}, cost ${formatMoney(cost)}`;
  const price = moneyOf(credits, creditValue);
  const share = price.micros > 0 ? Math.round((margin / price.micros) * 100) : 0;
  return (
    `${text} = ${formatMoney(price)}, cost ${formatMoney(cost)}, ` +
    `margin ${formatMicros(margin)} ${cost.currency} (${share} %)${
      margin < 0 ? ' - BELOW COST' : ''
    }`
  );
}
