import type { Model } from '@framegate/contract';
import { offeredModel } from '../adapters/providers/offeredModel.ts';
import type { Combination } from '../adapters/providers/routeSupport.ts';
import { recordOf } from '../application/generations/withheldRoutes.ts';
import type { DeliveryStore } from '../application/ports/upkeep.ts';
import { withheldBy, type Capability } from '../domain/withheld.ts';
import type { ComposedRoutes } from './routes.ts';

/**
 * The models as their routes still sell them. A model that no route sells any more stays listed as it is:
 * creates of it are refused.
 */
export function soldModels(
  { models, routes, supportsOf }: Pick<ComposedRoutes, 'models' | 'routes' | 'supportsOf'>,
  deliveries: Pick<DeliveryStore, 'of'>,
): () => readonly Model[] {
  /** The last result for each model, and what it was made from. */
  const known = new WeakMap<Model, { withheld: string; sold: Model }>();

  function soldModel(model: Model): Model {
    const all = routes
      .of(model.id)
      .map((route) => withheldBy(recordOf(deliveries, route)).map(({ capability }) => capability));
    if (all.every((each) => each.length === 0)) return model;
    const withheld = JSON.stringify(all);
    const last = known.get(model);
    if (last?.withheld === withheld) return last.sold;
    const supports = supportsOf(model.id).map((support, i) => ({
      ...support,
      combinations: [...support.combinations, ...(all[i] ?? []).flatMap(limitOf)],
    }));
    const sold = offeredModel(model, supports) ?? model;
    known.set(model, { withheld, sold });
    return sold;
  }

  return () => models().map(soldModel);
}

/** A capability that is not sold, as a limit on every request. */
function limitOf(capability: Capability): Combination[] {
  switch (capability.of) {
    case 'resolution':
      return [{ when: { resolutions: [capability.value] }, only: { resolutions: [] } }];
    case 'sound':
      return [{ when: {}, only: { audio: false } }];
    case 'seconds':
      return [{ when: {}, only: { seconds: { min: 1, max: capability.from - 1 } } }];
    case 'type':
      return [{ when: {}, only: { resolutions: [] } }];
    case 'files':
      // The catalogue does not offer numbers of files by route.
      return [];
  }
}
