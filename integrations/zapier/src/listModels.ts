import type { Bundle, ZObject } from 'zapier-platform-core';
import { call } from './call.ts';
import type { ModelEntry } from './generated/contract.ts';
import { beginReading } from './step.ts';

/** The models that the key may use, in the order of the API. */
export async function listModels(
  z: ZObject,
  bundle: Bundle,
  type: ModelEntry['type'],
): Promise<ModelEntry[]> {
  const step = beginReading(z, bundle);
  const { data } = await call(step, 'models', { method: 'GET', path: '/models' });
  const list: unknown = data?.['data'];
  return (Array.isArray(list) ? (list as ModelEntry[]) : []).filter((model) => model.type === type);
}
