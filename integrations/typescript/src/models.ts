import { keepResponse, responseOf } from './core/response.ts';
import { UsageError } from './errors.ts';
import type { Model, ModelList } from './generated/api.ts';
import { price, type PriceParameters } from './price.ts';
import { send } from './request.ts';
import type { Settings } from './settings.ts';

/** The models of the key. */
export async function listModels(settings: Settings, signal?: AbortSignal): Promise<Model[]> {
  const { body } = await send<ModelList>(settings, { path: '/models', object: 'list', signal });
  const response = responseOf(body);
  if (response) keepResponse(body.data, response);
  return body.data;
}

/** The cost of a create request in credits. @throws UsageError for parameters that are not offered. */
export async function loadPrice(
  settings: Settings,
  { model: id, parameters }: { model: string; parameters?: PriceParameters },
  signal?: AbortSignal,
): Promise<number> {
  const models = await listModels(settings, signal);
  const model = models.find((each) => each.id === id);
  if (model) return price(model, parameters);
  const all = models.map((each) => each.id).join(', ');
  throw new UsageError(
    'model_not_found',
    `Your key cannot use the model ${id}. Available models: ${all}.`,
  );
}

const usual = new WeakMap<Settings, Promise<ReadonlyMap<string, number>>>();

/** Usual duration of a model's generations in seconds, read once; undefined if that fails. */
export async function loadUsualSeconds(
  settings: Settings,
  model: string,
  signal: AbortSignal | undefined,
): Promise<number | undefined> {
  const reading = usual.get(settings) ?? readUsual(settings, signal);
  usual.set(settings, reading);
  try {
    return (await reading).get(model);
  } catch {
    usual.delete(settings);
    return undefined;
  }
}

async function readUsual(settings: Settings, signal: AbortSignal | undefined) {
  const models = await listModels(settings, signal);
  return new Map(models.map(({ id, typical_seconds: seconds }) => [id, seconds]));
}
