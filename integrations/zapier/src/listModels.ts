import { call } from './call.ts';
import { explained, sentenceFor } from './errors.ts';
import type { ModelEntry } from './generated/contract.ts';
import type { Order } from './order.ts';
import type { Step } from './step.ts';

/** The models that the key may use, in the order of the API. */
export async function listModels(step: Step): Promise<ModelEntry[]> {
  const { data } = await call(step, 'models', { method: 'GET', path: '/models' });
  const list: unknown = data?.['data'];
  return Array.isArray(list) ? (list as ModelEntry[]) : [];
}

/** The models of one type. */
export async function listModelsOf(step: Step, type: ModelEntry['type']): Promise<ModelEntry[]> {
  return (await listModels(step)).filter((model) => model.type === type);
}

/** The model of an order. @throws z.errors.HaltedError when the key has no such model of its type. */
export async function requireModel(
  step: Step,
  { path, body }: Pick<Order, 'path' | 'body'>,
): Promise<ModelEntry> {
  const models = await listModelsOf(step, path === '/videos' ? 'video' : 'image');
  const model = models.find(({ id }) => id === body.model);
  if (model !== undefined) return model;
  throw explained(new step.z.errors.HaltedError(sentenceFor('model_not_found')));
}
