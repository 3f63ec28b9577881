import { catalogue } from '@framegate/contract';
import type { Offer } from '../../gateway/src/application/catalogue/offer.ts';

const offer = { group: null, version: 1, models: catalogue, next: () => null };

/** The built-in models at their own prices, for everyone and without changes. */
export const builtInOffer: Offer = {
  findAt: async () => offer,
  localOffer: () => offer,
  allModels: () => catalogue,
  groups: () => [],
};
