import type { Money } from '@framegate/provider-routes';
import { createOrdersBelowCost } from '../application/catalogue/ordersBelowCost.ts';
import { noLog } from '../application/ports/system.ts';
import type { ComparedWithRoutes } from '../commands/command.ts';
import type { Config } from '../config.ts';
import { type Catalogue, withGroupPrices } from '../domain/catalogue/catalogue.ts';
import { formatMicros, formatMoney, moneyOf } from '../domain/providers/cost.ts';
import { describeOrder } from '../domain/providers/describeOrder.ts';
import { findUnsentValues } from './findUnsentValues.ts';
import type { ComposedRoutes } from './routes.ts';
import { withRoutes } from './routeTools.ts';

/**
 * Compares the requested catalogue with its routes: orders below their cost (null without CREDIT_VALUE), and values
 * that no route sends. Both are null without ROUTES_FILE.
 * @throws CommandError with every problem of ROUTES_FILE.
 */
export async function compareWithRoutes(config: Config): Promise<ComparedWithRoutes> {
  const { creditValue, catalogue: requested } = config;
  if (config.routes === null) return { below_cost: null, not_sent: null };
  const { models } = requested.catalogue;
  return withRoutes({ config, log: noLog }, async (routeSet) => ({
    below_cost: creditValue && (await findBelowCost(routeSet, requested.catalogue, creditValue)),
    not_sent: findUnsentValues(routeSet, models),
  }));
}

async function findBelowCost(
  { routes, narrowModels }: ComposedRoutes,
  { models, groups }: Catalogue,
  creditValue: Money,
): Promise<object[]> {
  const offers = [null, ...Object.keys(groups)].map((group) => ({
    group,
    models: withGroupPrices(narrowModels(models, group), groups, group),
  }));
  const orders = await createOrdersBelowCost(routes)(offers, creditValue);
  return orders.map((order) => ({
    model: order.model,
    group: order.group,
    provider: order.provider,
    provider_model: order.providerModel,
    order: describeOrder(order),
    credits: order.credits,
    price: formatMoney(moneyOf(order.credits, creditValue)),
    cost: formatMoney(order.cost),
    margin: `${formatMicros(order.margin)} ${order.cost.currency}`,
  }));
}
