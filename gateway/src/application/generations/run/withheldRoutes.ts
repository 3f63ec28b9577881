import type { Log } from '@framegate/contract';
import type { Route, Routes } from '@framegate/provider-routes';
import { modelBreakerKey } from '../../../domain/providers/breakerKeys.ts';
import {
  describeCapability,
  restoreAll,
  sells,
  withheldBy,
} from '../../../domain/providers/withheld.ts';
import { mapRoutes } from '../../ports/providers.ts';
import type { DeliveryStore } from '../../ports/upkeep.ts';

/** A capability that a route no longer sells, because it repeatedly delivered something else. */
export interface WithheldCapability {
  provider: string;
  /** The provider's own model id. */
  model: string;
  /** The capability as a phrase. */
  capability: string;
  /** Time in ms since the epoch. */
  since: number;
  /** The generations whose results lacked it. */
  generations: readonly string[];
}

/** The routes without their withheld capabilities. */
export function withoutWithheld(routes: Routes, deliveries: Pick<DeliveryStore, 'get'>): Routes {
  return mapRoutes(routes, (route) => ({
    ...route,
    covers: (request) =>
      route.covers(request) && sells(deliveryRecordOf(deliveries, route), request),
  }));
}

/** A route's delivery record. */
export function deliveryRecordOf(
  deliveries: Pick<DeliveryStore, 'get'>,
  route: Pick<Route, 'provider' | 'model'>,
) {
  return deliveries.get(modelBreakerKey(route));
}

/** All withheld capabilities, by route. */
export function listWithheld(
  deliveries: Pick<DeliveryStore, 'get' | 'keys'>,
): WithheldCapability[] {
  return deliveries.keys().flatMap((key) =>
    withheldBy(deliveries.get(key)).map(({ capability, withheldAt, generations }) => ({
      // Provider names contain no spaces.
      provider: key.slice(0, key.indexOf(' ')),
      model: key.slice(key.indexOf(' ') + 1),
      capability: describeCapability(capability),
      since: withheldAt,
      generations,
    })),
  );
}

/** Restores everything that a route sells. @param key Its breaker's key. @returns Whether anything was withheld. */
export async function restoreCapabilities(
  deliveries: Pick<DeliveryStore, 'change'>,
  key: string,
): Promise<boolean> {
  return (await deliveries.change(key, restoreAll)) !== null;
}

/** Restores everything that all routes sell. Never throws: a failure is logged. */
export async function forgetDeliveries(
  deliveries: Pick<DeliveryStore, 'keys' | 'change' | 'refresh'>,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  try {
    await deliveries.refresh();
    for (const key of deliveries.keys()) await deliveries.change(key, restoreAll);
  } catch (error) {
    log.warn({ error }, 'failed to update the requests that routes no longer take');
  }
}
