import type { ApiKey } from '../../domain/accounts/apiKey.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';

const realPersonModels = ({ allModels }: Pick<App, 'allModels'>) =>
  allModels().filter((model) => model.type === 'video' && model.realPersonModes.length > 0);

/** Whether a key may use any model with real-person mode. */
export function isForRealPersons(
  deps: Pick<App, 'allModels'>,
  { models }: Pick<ApiKey, 'models'>,
): boolean {
  return models === null || realPersonModels(deps).some(({ id }) => models.includes(id));
}

/** Whether the account lacks the second factor that the operator requires for keys with real-person mode. */
export async function lacksFactor(
  deps: Pick<App, 'customerFactors' | 'realPersonNeedsSecondFactor'>,
  accountId: string,
): Promise<boolean> {
  if (!deps.realPersonNeedsSecondFactor) return false;
  return (await deps.customerFactors.find(accountId)) === null;
}

/** @throws Refusal naming the models and the remedy, for a key with real-person mode. */
export function refuseRealPersons(deps: Pick<App, 'allModels'>, key: Pick<ApiKey, 'models'>): void {
  if (!isForRealPersons(deps, key)) return;
  const names = realPersonModels(deps)
    .map(({ displayName }) => displayName)
    .join(', ');
  throw new Refusal('key_needs_factor', { values: { models: names } });
}
