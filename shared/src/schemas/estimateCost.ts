import type Joi from 'joi';
import type { EstimateCostBody } from '../wire.ts';
import { createImageSchema } from './createImage.ts';
import { createVideoSchema } from './createVideo.ts';
import { object } from './fields.ts';

/** What a price is asked for with, by the kind of the model: the same fields as in a create. */
export const estimateCostSchemas = {
  video: estimateOf(createVideoSchema),
  image: estimateOf(createImageSchema),
} as const;

function estimateOf(create: typeof createVideoSchema | typeof createImageSchema) {
  const fields = { model: create.extract('model'), parameters: create.extract('parameters') };
  // What is extracted has lost its type, not its rules.
  return object<EstimateCostBody>(fields as Joi.SchemaMap<EstimateCostBody, true>).required();
}
