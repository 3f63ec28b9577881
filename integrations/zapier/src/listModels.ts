import { call } from './call.ts';
import { markAsUserFacing, sentenceFor } from './errors.ts';
import type { ModelEntry } from './generated/contract.ts';
import { isModelEntry } from './modelEntry.ts';
import type { Order } from './order.ts';
import type { ApiResponse } from './response.ts';
import type { Step } from './step.ts';

/** The models that the key may use, in the order of the API. */
export async function listModels(step: Step): Promise<ModelEntry[]> {
  const isSound = (each: ApiResponse) => modelsIn(each) !== null;
  const response = await call(step, 'models', { method: 'GET', path: '/models' }, { isSound });
  return modelsIn(response) ?? [];
}

/** The models of a response; null if it is not a list of them. */
function modelsIn({ data }: ApiResponse): ModelEntry[] | null {
  const list: unknown = data?.['data'];
  if (!Array.isArray(list)) return null;
  const models = list.filter(isModelEntry);
  return models.length === 0 && list.length > 0 ? null : models;
}

/** The model with this id, or with this name in the form, ignoring case. */
export function findModel(
  models: readonly ModelEntry[],
  typed: string | undefined,
): ModelEntry | undefined {
  const lowerCase = typed?.toLowerCase();
  return models.find(({ id, display_name }) =>
    [id, display_name].some((name) => name.toLowerCase() === lowerCase),
  );
}

/** The model of an order. @throws z.errors.HaltedError if the key has no such model of its type. */
export async function requireModel(
  step: Step,
  { path, body }: Pick<Order, 'path' | 'body'>,
): Promise<ModelEntry> {
  const type = path === '/videos' ? 'video' : 'image';
  const models = (await listModels(step)).filter((each) => each.type === type);
  const model = findModel(models, body.model);
  if (model !== undefined) return model;
  throw markAsUserFacing(new step.z.errors.HaltedError(sentenceFor('model_not_found')));
}

/** The order with its model's id, even if the form's name was mapped into the field. */
export async function withModelId(step: Step, order: Order): Promise<Order> {
  if (/^[a-z0-9._-]+$/.test(order.body.model)) return order;
  const { id: model } = await requireModel(step, order);
  return { ...order, body: { ...order.body, model } };
}
