import { findModel, type Model } from '@framegate/contract';
import { type UnsentValue, unsentValues } from '../application/catalogue/unsentValues.ts';
import type { ComposedRoutes } from './routes.ts';

const remedy =
  'Add a route that sends it, state it in does and send of a route, or take it out of MODELS_FILE.';

/**
 * Values that the operator's own models offer but none of their routes sends. Built-in models are narrowed to their
 * routes anyway.
 */
export function findUnsentValues(
  { routes, narrowModels }: Pick<ComposedRoutes, 'routes' | 'narrowModels'>,
  models: readonly Model[],
): (UnsentValue & { remedy: string })[] {
  return models
    .filter(({ id }) => findModel(id) === undefined && routes.forModel(id).length > 0)
    .flatMap((model) => unsentValues(model, (each) => narrowModels([each])[0] ?? null))
    .map((each) => ({ ...each, remedy }));
}
