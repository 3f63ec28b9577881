import type { Route } from '@framegate/provider-routes';
import type { Attempt } from '../../../domain/generations/attempt.ts';
import type { OccupiedSlots } from '../../../domain/generations/slots.ts';
import { afterBudget, closeBudget, halfOpenBudget } from '../../../domain/providers/breaker.ts';
import { budgetBreakerKey, modelBreakerKey } from '../../../domain/providers/breakerKeys.ts';
import { formatMoney } from '../../../domain/providers/cost.ts';
import { dayOf } from '../../../domain/time/utcDay.ts';
import type { AppCore } from '../../app.ts';
import type { SlotLimit } from '../../ports/upkeep.ts';
import type { ProviderCapacity } from './providerCapacity.ts';

/** The limit of a provider, across all its routes. */
export function providerLimit({
  provider,
  maxConcurrent,
}: Pick<Route, 'provider' | 'maxConcurrent'>): SlotLimit {
  return { key: provider, kind: 'provider', max: maxConcurrent };
}

/** The additional limit of a route with its own limits; null for others. */
export function routeLimit(route: Pick<Route, 'provider' | 'model' | 'limits'>): SlotLimit | null {
  if (!route.limits) return null;
  const { maxConcurrent, startsPerMinute } = route.limits;
  return {
    key: modelBreakerKey(route),
    kind: 'route',
    max: maxConcurrent ?? Infinity,
    ...(startsPerMinute !== null && { startsPerMinute }),
  };
}

/**
 * Runs `write` if there is a free slot at the provider, and at the route if it has its own limits. A generation already
 * owns the slot it was assigned.
 * @returns `full` without running it; `blocked` if it wrote nothing.
 */
export async function runInSlots(
  capacity: ProviderCapacity,
  { providerSlot, routeSlot }: OccupiedSlots,
  route: Route,
  write: () => Promise<boolean>,
): Promise<'done' | 'full' | 'blocked'> {
  const inside = { written: false, reached: false };
  const enter = async () => {
    inside.reached = true;
    return (inside.written = await write());
  };
  const own = routeLimit(route);
  const hasAssignedSlot = providerSlot === route.provider;
  const hasOwnSlot = own === null || (hasAssignedSlot && routeSlot === own.key);
  const reserveRoute = () => (hasOwnSlot ? enter() : capacity.enter(own, enter));
  await (hasAssignedSlot ? reserveRoute() : capacity.enter(providerLimit(route), reserveRoute));
  if (inside.written) return 'done';
  return inside.reached ? 'blocked' : 'full';
}

type Deps = Pick<AppCore, 'breakers' | 'budgets' | 'clock' | 'log'>;
type BudgetedRoute = Pick<Route, 'provider' | 'budget'>;

/**
 * Counts an order's cost against the provider's daily budget before the provider is called. Once the budget is spent,
 * the provider's circuit is open for the rest of the day, and staff are alerted once.
 * @returns False if the order does not fit or its cost is unknown: do not call the provider.
 */
export async function reserveBudget(
  { breakers, budgets, clock, log }: Deps,
  { provider, budget }: BudgetedRoute,
  { cost, startedAt }: Pick<Attempt, 'cost' | 'startedAt'>,
): Promise<boolean> {
  if (budget === null) return true;
  const key = budgetBreakerKey({ provider, budget });
  const doesFit = async () =>
    cost !== null && (await budgets.reserve(provider, dayOf(startedAt), cost, budget));
  if (await doesFit()) {
    // A new day has begun, or an amount was returned.
    if (breakers.get(key).openedAt !== null) await breakers.change(key, closeBudget);
    return true;
  }
  const nowMs = clock.now();
  const after = await breakers.change(key, afterBudget);
  // Amounts returned before the breaker opened could not close it.
  if (after !== null && (await doesFit())) {
    await breakers.change(key, closeBudget);
    return true;
  }
  // The process that opened it alerts, once a day.
  if (after !== null && (after.openedAt ?? 0) >= nowMs) {
    const alert = { alert: 'provider_budget_spent', provider, openUntil: after.openUntil };
    log.error({ ...alert, budget: formatMoney(budget) }, "provider's daily budget is spent");
  }
  return false;
}

/**
 * Corrects the budget of an ended attempt's day from the estimate to what the provider reports. If this fails, the
 * estimate stays counted.
 */
export async function settleBudget(
  deps: Deps & Pick<AppCore, 'routes'>,
  { provider, model, cost, charged, isFree, startedAt }: Attempt,
): Promise<void> {
  const route = deps.routes.find(provider, model);
  if (!route || !cost || !charged || isFree || charged.micros === cost.micros) return;
  await refundBudget(deps, route, {
    cost: { ...cost, micros: cost.micros - charged.micros },
    startedAt,
  });
}

/**
 * Returns the cost of an order to the budget, or takes more if it is negative. If this fails, the order stays counted
 * as it was.
 */
export async function refundBudget(
  { breakers, budgets, log }: Deps,
  { provider, budget }: BudgetedRoute,
  { cost, startedAt }: Pick<Attempt, 'cost' | 'startedAt'>,
): Promise<void> {
  if (budget === null || !cost) return;
  try {
    await budgets.refund(provider, dayOf(startedAt), cost);
    if (cost.micros < 0) return;
    // Another process may have since opened it.
    await breakers.change(budgetBreakerKey({ provider, budget }), halfOpenBudget);
  } catch (error) {
    log.warn({ error, provider }, 'failed to correct the budget; it keeps the earlier amount');
  }
}
