import type { Model } from '@framegate/contract';
import type { Routes } from '@framegate/provider-routes';
import {
  type CatalogueVersion,
  soldAt,
  withGroupPrices,
} from '../../domain/catalogue/catalogue.ts';
import type { Clock } from '../ports/system.ts';
import type { Catalogues } from './catalogues.ts';

/** The models on sale to an account at a moment, with its own prices and the routes of its group. */
export interface AccountOffer {
  group: string | null;
  /** Number of the version of the catalogue. */
  version: number;
  /** Models in the order of GET /models, including those without a route. */
  models: readonly Model[];
  /** The next known change and the models sold from then on; null if none is known. */
  next(): { from: number; models: readonly Model[] } | null;
}

/** Models currently on sale, with prices by customer. */
export interface Offer {
  /** For a price that is charged or promised: considers all versions that can be in force. @throws Database trouble. */
  findAt(nowMs: number, group: string | null): Promise<AccountOffer>;
  /** The offer for pages, from this process's own copy. */
  localOffer(group: string | null): AccountOffer;
  /** Every model of the versions known to this process, past and future, once. */
  allModels(): readonly Model[];
  /** The groups with prices, now or after the next change, and those named by routes. */
  groups(): readonly string[];
}

/**
 * Derives the offer from the versions of the catalogue.
 * @param deps.narrowModels Returns the models as the routes for a group allow them: the same array for the same models
 * and group until the routes change.
 * @param deps.routes Names further groups.
 */
export function createOffer(deps: {
  catalogues: Pick<Catalogues, 'findAt' | 'localVersion' | 'next' | 'localVersions'>;
  clock: Pick<Clock, 'now'>;
  narrowModels: (models: readonly Model[], group: string | null) => readonly Model[];
  routes: Pick<Routes, 'groups'>;
}): Offer {
  const { catalogues, clock, narrowModels, routes } = deps;
  const priced = new WeakMap<readonly Model[], Map<string, readonly Model[]>>();

  function modelsOf({ models, groups }: CatalogueVersion, group: string | null) {
    const standard = narrowModels(models, group);
    if (group === null || !Object.hasOwn(groups, group)) return standard;
    const byGroup = priced.get(standard) ?? new Map<string, readonly Model[]>();
    priced.set(standard, byGroup);
    const own = byGroup.get(group) ?? withGroupPrices(standard, groups, group);
    byGroup.set(group, own);
    return own;
  }

  function offerOf(version: CatalogueVersion, nowMs: number, group: string | null): AccountOffer {
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
    findAt: async (nowMs, group) => offerOf(await catalogues.findAt(nowMs), nowMs, group),
    localOffer(group) {
      const nowMs = clock.now();
      return offerOf(catalogues.localVersion(nowMs), nowMs, group);
    },
    allModels: () => allModels(catalogues.localVersions()),
    groups() {
      const nowMs = clock.now();
      const next = catalogues.next(nowMs)?.groups ?? {};
      const current = catalogues.localVersion(nowMs).groups;
      const groups = [...Object.keys(current), ...Object.keys(next)];
      return [...new Set([...groups, ...routes.groups()])];
    },
  };
}

/** Each model of several versions once, as in the newest. */
export function allModels(versions: readonly Pick<CatalogueVersion, 'models'>[]): readonly Model[] {
  const byId = new Map<string, Model>();
  for (const { models } of versions) for (const model of models) byId.set(model.id, model);
  return [...byId.values()];
}
