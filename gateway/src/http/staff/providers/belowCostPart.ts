import type { Money } from '@framegate/provider-routes';
import type { App } from '../../../application/app.ts';
import type { GroupOffer, OrderBelowCost } from '../../../application/catalogue/ordersBelowCost.ts';
import { formatMicros, formatMoney, moneyOf } from '../../../domain/providers/cost.ts';
import { describeOrder } from '../../../domain/providers/describeOrder.ts';
import { type Html, html } from '../../pages/html.ts';
import { table } from '../elements.ts';

/** Maximum rows; `models check` lists all of them. */
const maxRows = 50;

/** The offers to accounts without a group, and to each group. */
export function offersIn({ offer }: Pick<App, 'offer'>): GroupOffer[] {
  return [null, ...offer.groups()].map((group) => ({
    group,
    models: offer.localOffer(group).models,
  }));
}

/** A warning of prices below cost; null if there are none. */
export function belowCostPart(
  below: readonly OrderBelowCost[],
  creditValue: Money | null,
): Html | null {
  if (below.length === 0 || creditValue === null) return null;
  const rows = below
    .slice(0, maxRows)
    .map((order) => [
      order.group === null ? order.model : `${order.model} (${order.group})`,
      `${order.provider} ${order.providerModel}`,
      describeOrder(order),
      formatMoney(moneyOf(order.credits, creditValue)),
      formatMoney(order.cost),
      `${formatMicros(order.margin)} ${order.cost.currency}`,
    ]);
  return html`<section>
    <h2>Prices below cost</h2>
    <p class="notice warning">These orders are possible, but cost more than they earn.</p>
    ${table(['Model', 'Route', 'Order', 'Price', 'Cost', 'Margin'], rows, '')}
  </section>`;
}
