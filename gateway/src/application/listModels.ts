import { presentModel, type Model, type ModelList } from '@framegate/contract';
import type { Caller } from './authenticate.ts';
import type { Routes } from './ports/route.ts';

/** The models that the key may use and that somebody makes, in the order of the specification. */
export function listModels(
  deps: { models: readonly Model[]; routes: Routes },
  caller: Pick<Caller, 'models'>,
): ModelList {
  const usable = deps.models.filter((model) => canUse(caller.models, model.id, deps.routes));
  return { object: 'list', data: usable.map(presentModel) };
}

/** Whether a key with these models (null: all) may use this one, and a route makes it. */
export function canUse(
  keyModels: readonly string[] | null,
  model: string,
  routes: Routes,
): boolean {
  return (keyModels === null || keyModels.includes(model)) && routes.of(model).length > 0;
}
