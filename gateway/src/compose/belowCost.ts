import { createOrdersBelowCost } from '../application/catalogue/ordersBelowCost.ts';
import { noLog } from '../application/ports/system.ts';
import type { Config } from '../config.ts';
import { pricedFor } from '../domain/catalogue/catalogue.ts';
import { formatMicros, formatMoney, moneyOf } from '../domain/providers/cost.ts';
import { orderInWords } from '../domain/providers/orderWords.ts';
import { withRoutes } from './routeTools.ts';

/**
 * The orders of the requested catalogue that would be sold below their cost; null without CREDIT_VALUE or ROUTES_FILE.
 * @throws CommandError with every problem of ROUTES_FILE.
 */
export async function belowCost(config: Config): Promise<object[] | null> {
  const { creditValue, catalogue: requested } = config;
  if (creditValue === null || config.routes === null) return null;
  const { models, groups } = requested.catalogue;
  return withRoutes({ config, log: noLog }, async ({ routes, narrowed }) => {
    const offers = [null, ...Object.keys(groups)].map((group) => ({
      group,
      models: pricedFor(narrowed(models, group), groups, group),
    }));
    const found = await createOrdersBelowCost(routes)(offers, creditValue);
    return found.map((order) => ({
      model: order.model,
      group: order.group,
      provider: order.provider,
      provider_model: order.upstream,
      order: orderInWords(order),
      credits: order.credits,
      price: formatMoney(moneyOf(order.credits, creditValue)),
      cost: formatMoney(order.cost),
      margin: `${formatMicros(order.margin)} ${order.cost.currency}`,
    }));
  });
}
