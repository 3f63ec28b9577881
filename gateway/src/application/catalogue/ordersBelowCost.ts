import type { Model } from '@framegate/contract';
import type { Money, Routes } from '@framegate/provider-routes';
import { type CostliestOrder, findCostliestOrders, marginOfOrder } from './costliestOrders.ts';

/** A valid order whose price lies below its cost: the one that loses most in relation to its price. */
export interface OrderBelowCost extends CostliestOrder {
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
export function createOrdersBelowCost(routes: Pick<Routes, 'forModel'>) {
  const costliestByModel = new WeakMap<Model, Promise<CostliestOrder[]>>();

  async function read(model: Model, group: string | null): Promise<CostliestOrder[]> {
    const losses = [];
    for (const route of routes.forModel(model.id, group)) {
      losses.push(await findCostliestOrders(model, route));
    }
    return losses.flat();
  }

  return async function ordersBelowCost(
    offers: readonly GroupOffer[],
    creditValue: Money,
  ): Promise<OrderBelowCost[]> {
    const below: OrderBelowCost[] = [];
    const seenModels = new Set<Model>();
    for (const { group, models } of offers) {
      for (const model of models) {
        if (seenModels.has(model)) continue;
        seenModels.add(model);
        const orders = costliestByModel.get(model) ?? read(model, group);
        costliestByModel.set(model, orders);
        for (const order of await orders) {
          const margin = marginOfOrder(order, creditValue);
          if (margin !== null && margin < 0) below.push({ ...order, group, margin });
        }
      }
    }
    return below;
  };
}
