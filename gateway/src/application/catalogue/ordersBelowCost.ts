import type { Model } from '@framegate/contract';
import type { Money, Routes } from '@framegate/provider-routes';
import { type DearestOrder, dearestOrders, marginOfOrder } from './dearestOrders.ts';

/** A lawful order whose price lies below its cost: the one that loses most in relation to its price. */
export interface OrderBelowCost extends DearestOrder {
  /** The group with this price; null for accounts without one. */
  group: string | null;
  /** Below zero, in millionths of the currency of its cost. */
  margin: number;
}

/** The models and prices of a group. */
export interface GroupOffer {
  group: string | null;
  models: readonly Model[];
}

/**
 * Finds the orders that would be sold below their cost, one for each route and resolution. A group appears only with
 * prices or routes of its own. The figures of a model are kept while its object exists.
 */
export function createOrdersBelowCost(routes: Pick<Routes, 'of'>) {
  const kept = new WeakMap<Model, Promise<DearestOrder[]>>();

  async function read(model: Model, group: string | null): Promise<DearestOrder[]> {
    const found = [];
    for (const route of routes.of(model.id, group)) found.push(await dearestOrders(model, route));
    return found.flat();
  }

  return async function ordersBelowCost(
    offers: readonly GroupOffer[],
    creditValue: Money,
  ): Promise<OrderBelowCost[]> {
    const below: OrderBelowCost[] = [];
    const seen = new Set<Model>();
    for (const { group, models } of offers) {
      for (const model of models) {
        if (seen.has(model)) continue;
        seen.add(model);
        const orders = kept.get(model) ?? read(model, group);
        kept.set(model, orders);
        for (const order of await orders) {
          const margin = marginOfOrder(order, creditValue);
          if (margin !== null && margin < 0) below.push({ ...order, group, margin });
        }
      }
    }
    return below;
  };
}
