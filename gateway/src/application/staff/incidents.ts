import { minuteMs, type Model, sum } from '@framegate/contract';
import type { Routes } from '@framegate/provider-routes';
import type { LineFilter, StaffQueries } from '../ports/staffQueries.ts';
import type { BreakerStore } from '../ports/upkeep.ts';
import type { FigureReaders } from './figures.ts';
import { type RouteBreaker, routeBreakers } from './routeBreakers.ts';

/** A provider, or one of its models, that gets no orders, and the damage so far. Times in ms since the epoch. */
export interface Incident extends Omit<RouteBreaker, 'key'> {
  openedAt: number;
  /** Ids of our models with a route there. */
  models: string[];
  /** Generations of these models waiting for a provider. */
  waiting: number;
  /** Filter for the list of failed generations. */
  failures: LineFilter & { since: number };
  failed: number;
  refundedCredits: number;
  customers: number;
  /** Whether the three figures above count all failures; otherwise they are lower bounds. */
  isWhole: boolean;
}

/** Failures this long before a closure count towards it, in ms: failures cause closures. */
const leadMs = 5 * minuteMs;

/** Reads the providers whose circuit is open, longest first. */
export function createFindIncidents({
  routes,
  breakers,
  staffQueries,
  figures,
  allModels,
}: {
  routes: Routes;
  breakers: BreakerStore;
  staffQueries: Pick<StaffQueries, 'countByCustomer'>;
  figures: Pick<FigureReaders, 'loadOpen'>;
  allModels: () => readonly Model[];
}): () => Promise<Incident[]> {
  return async () => {
    const openCircuits = routeBreakers({ routes, breakers }).flatMap(({ key, ...part }) => {
      const { openedAt } = breakers.get(key);
      return openedAt === null ? [] : [{ ...part, openedAt }];
    });
    if (openCircuits.length === 0) return [];
    const { open } = await figures.loadOpen();
    const incidents = openCircuits.map(async (each): Promise<Incident> => {
      const models = allModels()
        .map(({ id }) => id)
        .filter((id) =>
          routes
            .forModel(id)
            .some(
              ({ provider, model }) =>
                provider === each.provider && model === (each.providerModel ?? model),
            ),
        );
      const [only, ...others] = models;
      const failures = {
        status: 'failed' as const,
        provider: each.provider,
        since: each.openedAt - leadMs,
        ...(each.providerModel !== null &&
          only !== undefined &&
          others.length === 0 && { model: only }),
      };
      const { customers, isWhole } = await staffQueries.countByCustomer(failures);
      const parked = open.filter(({ step, model }) => step === 'parked' && models.includes(model));
      return {
        ...each,
        models,
        waiting: sum(parked.map(({ count }) => count)),
        failures,
        failed: sum(customers.map(({ count }) => count)),
        refundedCredits: sum(customers.map((customer) => customer.refundedCredits)),
        customers: customers.length,
        isWhole,
      };
    });
    return (await Promise.all(incidents)).toSorted((a, b) => a.openedAt - b.openedAt);
  };
}
