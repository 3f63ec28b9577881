import { imageParameters, videoParameters } from '../generated/contract.ts';
import { fieldsByModel } from './modelFields.ts';
import { parameterFields } from './parameterFields.ts';

const { duration_seconds, resolution, generate_audio } = videoParameters;
const { n } = imageParameters;

/** The fields of Find Price that depend on the model: the parts of its price. */
export const priceModelFields = fieldsByModel(undefined, (form) =>
  parameterFields({ duration_seconds, n, resolution, generate_audio }, form),
);
