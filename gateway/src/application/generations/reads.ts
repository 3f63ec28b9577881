import { isDeepStrictEqual } from 'node:util';
import type * as wire from '@framegate/contract';
import { type ModelList, presentModel, priceCredits, pricingOf } from '@framegate/contract';
import {
  type EstimateCostBody,
  estimateCostSchemas,
  validateBody,
} from '@framegate/contract/schemas';
import type { Routes } from '@framegate/provider-routes';
import { availableCredits } from '../../domain/credits/credits.ts';
import type { ModelHealth } from '../../domain/generations/phase.ts';
import { resolveParameters, withRangeOf } from '../../domain/generations/requestRules.ts';
import { isId } from '../../domain/ids.ts';
import { currentStop, modelHealth } from '../../domain/providers/breaker.ts';
import { breakerKeys, stopKey } from '../../domain/providers/breakerKeys.ts';
import { invalidRequestRefusal, Refusal } from '../../domain/refusal.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import type { App } from '../app.ts';
import type { Caller } from '../authenticate.ts';
import type { AccountOffer, Offer } from '../catalogue/offer.ts';
import type { Database } from '../ports/database.ts';
import type { Clock, Random } from '../ports/system.ts';
import type { DurationStats } from '../ports/upkeep.ts';
import { pollHintFor, presentGeneration, type PublicUrls } from './presentGeneration.ts';

/**
 * Reads one generation of the caller's account, of either channel. Never calls a provider, writes or bills.
 * @throws Refusal `generation_not_found`, also for another account's generation.
 */
export async function getGeneration(
  deps: {
    database: Database;
    clock: Clock;
    random: Random;
    durations: DurationStats;
    publicUrls: PublicUrls;
  },
  caller: Pick<Caller, 'accountId'>,
  generationId: string,
): Promise<wire.GenerationRecord> {
  const view = isId('gen', generationId)
    ? await deps.database.generations.findView(generationId, caller.accountId)
    : null;
  if (view?.accountId !== caller.accountId) throw new Refusal('generation_not_found');
  return presentGeneration(view, deps.publicUrls, deps.clock.now(), pollHintFor(deps, view));
}

/** The account's credits: available now, and charged for unfinished generations. */
export async function getBalance(
  deps: Pick<App, 'database' | 'clock'>,
  caller: Pick<Caller, 'accountId'>,
): Promise<wire.CreditBalance> {
  const account = await deps.database.accounts.find(caller.accountId);
  if (!account) throw new Refusal('invalid_api_key');
  const nowMs = deps.clock.now();
  return {
    object: 'credit_balance',
    unit: 'credits',
    available: availableCredits(account.lots, nowMs),
    in_flight: account.inFlightCredits,
    as_of: isoTime(nowMs),
  };
}

type OfferDeps = Pick<App, 'routes' | 'clock'> & { offer: Pick<Offer, 'findAt'> };

/** The models that the key may use and that have a route, in catalogue order, at the account's prices. */
export async function listModels(
  deps: OfferDeps,
  caller: Pick<Caller, 'models' | 'group'>,
): Promise<ModelList> {
  const offer = await deps.offer.findAt(deps.clock.now(), caller.group);
  const usable = offer.models.filter(({ id }) => canUse(caller, id, deps.routes));
  const next = offer.next();
  return {
    object: 'list',
    data: usable.map((model) => ({
      ...presentModel(model),
      next_pricing: next && nextPricingOf(model, next),
    })),
  };
}

/** The price of a model after the next change, if it differs. */
function nextPricingOf(
  model: wire.Model,
  { from, models }: NonNullable<ReturnType<AccountOffer['next']>>,
): wire.ModelEntry['next_pricing'] {
  const after = models.find((each) => each.id === model.id);
  if (after === undefined) return null;
  const pricing = pricingOf(after);
  const isSame = isDeepStrictEqual(pricing, pricingOf(model));
  return isSame ? null : { starts_at: isoTime(from), pricing };
}

/** Whether a key with these models (null: all) may use this model, and a route for its account's group makes it. */
export function canUse(
  { models, group }: Pick<Caller, 'models' | 'group'>,
  model: string,
  routes: Routes,
): boolean {
  return (models === null || models.includes(model)) && routes.forModel(model, group).length > 0;
}

/** The price of a create request, and the effective parameters priced. */
export interface CostEstimate {
  model: string;
  unit: 'credits';
  cost_credits: number;
  parameters: ReturnType<typeof resolveParameters>;
}

/**
 * Prices a create request without making it, by the same rules.
 * @param body Model and parameters as in a create request, unchecked.
 * @throws Refusal `invalid_request`, `model_not_found`.
 */
export async function estimateCost(
  deps: OfferDeps,
  caller: Pick<Caller, 'models' | 'group'>,
  body: object,
): Promise<CostEstimate> {
  const id = 'model' in body ? body.model : undefined;
  const { models } = await deps.offer.findAt(deps.clock.now(), caller.group);
  const model = models.find((each) => each.id === id && canUse(caller, id, deps.routes));
  if (typeof id === 'string' && !model) throw new Refusal('model_not_found', { param: 'model' });
  const schema = estimateCostSchemas[model?.type ?? 'video'];
  const valid = validateBody<EstimateCostBody>(schema, body);
  if (!valid.ok) throw invalidRequestRefusal(withRangeOf(model, valid.problems));
  if (!model) throw new Refusal('model_not_found', { param: 'model' });
  const parameters = resolveParameters(model, valid.value.parameters);
  const credits = priceCredits(pricingOf(model), parameters);
  return { model: model.id, unit: 'credits', cost_credits: credits, parameters };
}

/** The breakers that decide about each route. */
export const breakersOf = (
  breakers: App['breakers'],
  routes: ReturnType<App['routes']['forModel']>,
) => routes.map((route) => breakerKeys(route).map((key) => breakers.get(key)));

/** The breakers that decide about new orders of a model, which a stop by staff blocks on every route. */
export function breakersOfOfferedRoutes(
  { breakers, clock }: Pick<App, 'breakers' | 'clock'>,
  modelId: string,
  routes: ReturnType<App['routes']['forModel']>,
) {
  const stop = currentStop(breakers.get(stopKey(modelId)), clock.now());
  return breakersOf(breakers, routes).map((each) => [...each, stop]);
}

/** How well the accepted generations of a model can be served now, by all routes. */
export function healthOf(
  { routes, breakers, clock }: Pick<App, 'routes' | 'breakers' | 'clock'>,
  modelId: string,
): ModelHealth {
  return modelHealth(breakersOf(breakers, routes.forModel(modelId)), clock.now());
}

/**
 * How well new orders of a model can be served now.
 * @param group By the routes of this account group, or of none (null); without it, by all routes.
 */
export function saleHealthOf(
  deps: Pick<App, 'routes' | 'breakers' | 'clock'>,
  modelId: string,
  group?: string | null,
): ModelHealth {
  const breakers = breakersOfOfferedRoutes(deps, modelId, deps.routes.forModel(modelId, group));
  return modelHealth(breakers, deps.clock.now());
}
