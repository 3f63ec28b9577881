import {
  type InputType,
  inputTypes,
  type Model,
  priceCredits,
  pricingOf,
} from '@framegate/contract';
import type { Money, ProviderInput, Route, RoutedRequest } from '@framegate/provider-routes';
import { moneyOf } from '../../domain/providers/cost.ts';
import { amountsOf, orderParameters, sizesOf } from './modelOrders.ts';

type Inputs = RoutedRequest['inputs'];

/** Numbers of references by type. */
type References = Readonly<Record<InputType, number>>;

/** The valid order of a route that costs most in relation to its price. */
export interface CostliestOrder {
  model: string;
  provider: string;
  /** The provider's own model id. */
  providerModel: string;
  mode: string | null;
  parameters: RoutedRequest['parameters'];
  references: References;
  credits: number;
  cost: Money;
}

/**
 * The costliest order for each resolution that a route covers: across every mode, length and number, with and without
 * sound and with as many references as the route takes. None if the route's cost is unknown or nothing.
 * @param model With its prices for a group of accounts.
 */
export async function findCostliestOrders(
  model: Model,
  route: Pick<Route, 'provider' | 'model' | 'covers' | 'findCost'>,
): Promise<CostliestOrder[]> {
  const pricing = pricingOf(model);
  const costliest = new Map<string, CostliestOrder>();
  const { type } = model;
  for (const { mode, inputs } of inputsOf(model, maxReferences(model, route))) {
    for (const parameters of ordersOf(model)) {
      if (!route.covers({ type, mode, inputs, parameters })) continue;
      const cost = await route.findCost({ parameters, inputs });
      if (cost === null || cost === 'nothing') continue;
      const credits = priceCredits(pricing, parameters);
      const before = costliest.get(parameters.resolution);
      if (before && cost.micros * before.credits <= before.cost.micros * credits) continue;
      costliest.set(parameters.resolution, {
        model: model.id,
        provider: route.provider,
        providerModel: route.model,
        mode,
        parameters,
        references: countsOf(inputs),
        credits,
        cost,
      });
    }
  }
  return [...costliest.values()];
}

/** The part of its price that an order leaves as margin, in millionths; null if its cost is in another currency. */
export function marginOfOrder(
  { credits, cost }: Pick<CostliestOrder, 'credits' | 'cost'>,
  creditValue: Money,
): number | null {
  return cost.currency === creditValue.currency
    ? moneyOf(credits, creditValue).micros - cost.micros
    : null;
}

/** The maximum references of each type in any one order of a route. */
function maxReferences(model: Model, route: Pick<Route, 'covers'>): References {
  const mode = model.type === 'video' ? 'multimodal-to-video' : null;
  const takes = (inputs: Inputs) =>
    [...ordersOf(model)].some((parameters) =>
      route.covers({ type: model.type, mode, inputs, parameters }),
    );
  const max = inputTypes.map((type) => {
    let count = model.inputs[type].maxCount;
    while (count > 0 && !takes(referencesOf(model, type, count))) count -= 1;
    return [type, count];
  });
  return Object.fromEntries(max) as Record<InputType, number>;
}

/** Video and audio have the maximum total length for their type. */
function referencesOf({ inputs }: Model, type: InputType, length: number): Inputs {
  const seconds = type === 'image' ? undefined : inputs[type].maxSeconds / length;
  const each = { type, role: 'reference', ...(seconds !== undefined && { seconds }) } as const;
  return Array.from({ length }, () => each);
}

const countsOf = (inputs: Inputs): References =>
  Object.fromEntries(
    inputTypes.map((type) => [
      type,
      inputs.filter((input) => input.type === type && input.role === 'reference').length,
    ]),
  ) as Record<InputType, number>;

/** The inputs of each mode: frames, and as many references as possible. */
function inputsOf(
  model: Model,
  max: References,
): { mode: RoutedRequest['mode']; inputs: Inputs }[] {
  const frame = (role: ProviderInput['role']) => ({ type: 'image', role }) as const;
  const references: Inputs = inputTypes.flatMap((each) => referencesOf(model, each, max[each]));
  if (model.type === 'image') return [[], references].map((inputs) => ({ mode: null, inputs }));
  const framed = [[frame('first_frame')], [frame('first_frame'), frame('last_frame')]];
  const byMode = {
    'text-to-video': [[]],
    'image-to-video': framed,
    'multimodal-to-video': [references],
  } as const satisfies Record<string, Inputs[]>;
  return model.modes.flatMap((mode) => byMode[mode].map((inputs) => ({ mode, inputs })));
}

function* ordersOf(model: Model): Generator<RoutedRequest['parameters']> {
  for (const size of sizesOf(model)) {
    for (const amount of amountsOf(model)) yield orderParameters(size, amount);
  }
}
