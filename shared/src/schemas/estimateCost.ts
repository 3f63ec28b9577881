import type { CreateImageBody, CreateVideoBody } from '../generated/wire.ts';
import { createImageSchema } from './createImage.ts';
import { createVideoSchema } from './createVideo.ts';
import { object } from './fields.ts';

/** Body of a price estimate. */
export type EstimateCostBody = Pick<CreateVideoBody | CreateImageBody, 'model' | 'parameters'>;

/** Body of a price estimate by type of model, with the fields of a create request. */
export const estimateCostSchemas = {
  video: estimateOf(createVideoSchema),
  image: estimateOf(createImageSchema),
} as const;

function estimateOf(create: typeof createVideoSchema | typeof createImageSchema) {
  const fields = { model: create.extract('model'), parameters: create.extract('parameters') };
  return object<EstimateCostBody>(fields).required();
}
