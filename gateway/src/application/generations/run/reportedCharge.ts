import type { ReportedCharge } from '@framegate/provider-routes';
import type { Attempt } from '../../../domain/generations/attempt.ts';
import type { PolledGeneration } from '../../../domain/generations/generation.ts';
import { formatMoney, isPlausible } from '../../../domain/providers/cost.ts';
import type { AppCore } from '../../app.ts';
import { providerRequest } from './providerRequest.ts';

/**
 * The charge that a provider reports for an attempt, as its field. An implausible one never affects the generation: it
 * is omitted and logged. Reported tokens are priced by the route's cost.
 */
export async function readChargedField(
  deps: AppCore,
  generation: PolledGeneration,
  attempt: Pick<Attempt, 'provider' | 'model' | 'cost'> | undefined,
  reported: ReportedCharge | undefined,
): Promise<Pick<Attempt, 'charged'>> {
  if (!attempt || !reported) return {};
  const { provider, model, cost } = attempt;
  let charged = 'micros' in reported ? reported : null;
  if ('tokens' in reported) {
    const route = deps.routes.find(provider, model);
    const priced = await route?.findCost(providerRequest(deps, generation), reported.tokens);
    // A route without a price for tokens leaves the estimate.
    if (!priced || priced === 'nothing') return {};
    charged = priced;
  }
  if (charged && isPlausible(charged, cost)) return { charged };
  const where = { generationId: generation.id, provider, providerModel: model };
  const chargeText = charged ? formatMoney(charged) : Object.values(reported).join(' ');
  const estimate = cost && formatMoney(cost);
  deps.log.error(
    { alert: 'charge_implausible', ...where, said: chargeText, estimate },
    'provider reported an implausible charge; the estimate is used instead',
  );
  return {};
}
