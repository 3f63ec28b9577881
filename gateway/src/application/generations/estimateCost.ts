import { priceCredits, pricingOf, type EstimateCostBody, type Model } from '@framegate/contract';
import { estimateCostSchemas, validateBody } from '@framegate/contract/schemas';
import { invalidRequest, Refusal } from '../../domain/refusal.ts';
import { resolveParameters } from '../../domain/requestRules.ts';
import type { Caller } from '../authenticate.ts';
import { canUse } from './reads.ts';
import type { Routes } from '../ports/providers.ts';

/** The price of a create, and the values that it is of. */
export interface CostEstimate {
  model: string;
  unit: 'credits';
  cost_credits: number;
  parameters: ReturnType<typeof resolveParameters>;
}

/**
 * Prices a create that is not made, by the rules and the price of one that is.
 * @param body Model and parameters as in a create, not checked yet.
 * @throws Refusal `invalid_request`, `model_not_found`.
 */
export function estimateCost(
  deps: { models: readonly Model[]; routes: Routes },
  caller: Pick<Caller, 'models'>,
  body: object,
): CostEstimate {
  const id = 'model' in body ? body.model : undefined;
  const model = deps.models.find(
    (each) => each.id === id && canUse(caller.models, id, deps.routes),
  );
  if (typeof id === 'string' && !model) throw new Refusal('model_not_found', { param: 'model' });
  const schema = estimateCostSchemas[model?.type ?? 'video'];
  const valid = validateBody<EstimateCostBody>(schema, body);
  if (!valid.ok) throw invalidRequest(valid.problems);
  if (!model) throw new Refusal('model_not_found', { param: 'model' });
  const parameters = resolveParameters(model, valid.value.parameters);
  const credits = priceCredits(pricingOf(model), parameters);
  return { model: model.id, unit: 'credits', cost_credits: credits, parameters };
}
