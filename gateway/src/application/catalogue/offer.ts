import type { Model } from '@framegate/contract';
import { pricedFor, soldAt, type CatalogueVersion } from '../../domain/catalogue.ts';
import type { Routes } from '../ports/providers.ts';
import type { Clock } from '../ports/system.ts';
import type { Catalogues } from './catalogues.ts';

/** Models on sale to an account at a moment, at its own prices and over the routes for its group. */
export interface Sold {
  group: string | null;
  /** Number of the version of the catalogue. */
  version: number;
  /** In the order of GET /models; those without a route are among them. */
  models: readonly Model[];
  /** The next change that is known, with the models that are sold then; null if none is. */
  next(): { from: number; models: readonly Model[] } | null;
}

/** Models on sale at the moment, with prices by customer. */
export interface Offer {
  /** For a price that is charged or promised: by all versions that can be in force. @throws Database trouble */
  at(nowMs: number, group: string | null): Promise<Sold>;
  /** For pages: by this process's own copy. */
  known(group: string | null): Sold;
  /** Every model of the versions that this process knows, also of those to come or gone, once. */
  everyModel(): readonly Model[];
  /** The groups that have prices, now or after the next change, or that the routes name. */
  groups(): readonly string[];
}

/**
 * The offer of the versions of the catalogue.
 * @param deps.narrowed The models as the routes for a group make them; answers the same array for the same models and
 * group until the routes change.
 * @param deps.routes Names further groups.
 */
export function createOffer(deps: {
  catalogues: Pick<Catalogues, 'at' | 'known' | 'next' | 'held'>;
  clock: Pick<Clock, 'now'>;
  narrowed: (models: readonly Model[], group: string | null) => readonly Model[];
  routes: Pick<Routes, 'groups'>;
}): Offer {
  const { catalogues, clock, narrowed, routes } = deps;
  const priced = new WeakMap<readonly Model[], Map<string, readonly Model[]>>();

  function modelsOf({ models, groups }: CatalogueVersion, group: string | null) {
    const standard = narrowed(models, group);
    if (group === null || !Object.hasOwn(groups, group)) return standard;
    const byGroup = priced.get(standard) ?? new Map<string, readonly Model[]>();
    priced.set(standard, byGroup);
    const own = byGroup.get(group) ?? pricedFor(standard, groups, group);
    byGroup.set(group, own);
    return own;
  }

  function sold(version: CatalogueVersion, nowMs: number, group: string | null): Sold {
    return {
      group,
      version: version.number,
      models: soldAt(modelsOf(version, group), nowMs),
      next() {
        const next = catalogues.next(nowMs);
        return next && { from: next.from, models: soldAt(modelsOf(next, group), next.from) };
      },
    };
  }

  return {
    at: async (nowMs, group) => sold(await catalogues.at(nowMs), nowMs, group),
    known(group) {
      const now = clock.now();
      return sold(catalogues.known(now), now, group);
    },
    everyModel: () => everyModel(catalogues.held()),
    groups() {
      const now = clock.now();
      const next = catalogues.next(now)?.groups ?? {};
      const current = catalogues.known(now).groups;
      const priced = [...Object.keys(current), ...Object.keys(next)];
      return [...new Set([...priced, ...routes.groups()])];
    },
  };
}

/** Each model of some versions once, as the newest has it. */
export function everyModel(
  versions: readonly Pick<CatalogueVersion, 'models'>[],
): readonly Model[] {
  const byId = new Map<string, Model>();
  for (const { models } of versions) for (const model of models) byId.set(model.id, model);
  return [...byId.values()];
}
