import Joi from 'joi';
import { errorTypes } from '../errorCodes.ts';
import { failureCodes } from '../failureCodes.ts';
import {
  imageAspectRatios,
  imageFormats,
  imageResolutions,
  videoAspectRatios,
  videoResolutions,
} from '../model.ts';
import { isFinal, statuses } from '../states.ts';
import type {
  Billing,
  GenerationError,
  GenerationRecord,
  ImageParameters,
  Output,
  VideoParameters,
} from '../wire.ts';
import { address, amount, flag, list, object, oneOf, text, time, words } from './fields.ts';
import { codeWord } from './codeWord.ts';

const videoParameters = object<VideoParameters>({
  duration_seconds: amount(1).required(),
  resolution: oneOf(videoResolutions).required(),
  aspect_ratio: oneOf(videoAspectRatios).required(),
  generate_audio: flag().required(),
  seed: amount(1).required(),
  real_person_mode: flag().required(),
}).meta({ component: 'EffectiveVideoParameters' });

const imageParameters = object<ImageParameters>({
  n: amount(1).required(),
  aspect_ratio: oneOf(imageAspectRatios).required(),
  resolution: oneOf(imageResolutions).required(),
  output_format: oneOf(imageFormats).required(),
  seed: amount(1).required(),
}).meta({ component: 'EffectiveImageParameters' });

const billing = object<Billing>({
  unit: oneOf(['credits']).required(),
  cost_credits: amount(1).required().description('Credits charged for this generation.'),
  policy: oneOf(['same_as_pc']).required(),
  status: oneOf(['charged', 'refunded']).required(),
  refunded_credits: amount(1).description('Only when refunded: the credits given back.'),
}).meta({ component: 'Billing' });

const output = object<Output>({
  urls: list(address()).required().description('All files; empty once they are deleted.'),
  video_url: address().description('Only for a video, while its file is kept.'),
  image_urls: list(address()).description('Only for images.'),
  expires_at: time()
    .required()
    .description('When these URLs stop working. Read the generation again for new ones.'),
  deleted_at: time().description('When the files were deleted.'),
}).meta({ component: 'Output' });

const error = object<GenerationError>({
  type: codeWord(errorTypes).required(),
  code: codeWord(Object.keys(failureCodes)).required(),
  message: words().required(),
  param: words().allow(null).required().description('The input at fault, such as inputs[1].url.'),
  retryable: flag().required().description('Whether a new create may succeed.'),
}).meta({ component: 'GenerationError' });

/** A generation record with the fields of its status. */
export const generationSchema = object<GenerationRecord>({
  id: text(/^gen_[0-9a-hjkmnp-tv-z]{26}$/, 'a generation id').required(),
  object: oneOf(['generation']).required(),
  type: oneOf(['video', 'image']).required(),
  model: words().required(),
  status: oneOf(statuses)
    .required()
    .description(
      'queued, then processing, then completed or failed; a queued one may fail at once. completed and failed are final.',
    ),
  status_url: address().required().description('Where to poll.'),
  retry_after_seconds: amount(1).description(
    'Seconds to wait before the next poll; only while queued or processing, also sent as Retry-After.',
  ),
  created_at: time().required(),
  completed_at: time().description('When it ended; only when completed or failed.'),
  parameters: Joi.alternatives()
    .try(videoParameters, imageParameters)
    .required()
    .description('The values used, defaults and the seed included.'),
  billing: billing.required(),
  output: output.description('Only when completed.'),
  error: error.description('Only when failed.'),
})
  .custom(checkFieldsOfStatus)
  .required()
  .meta({ component: 'Generation' });

function checkFieldsOfStatus(record: GenerationRecord, helpers: Joi.CustomHelpers) {
  const { status, type, output: files } = record;
  const asItShouldBe =
    (record.retry_after_seconds === undefined) === isFinal(status) &&
    (record.completed_at !== undefined) === isFinal(status) &&
    (files !== undefined) === (status === 'completed') &&
    (record.error !== undefined) === (status === 'failed') &&
    record.billing.status === (status === 'failed' ? 'refunded' : 'charged') &&
    (record.billing.refunded_credits === undefined) === (status !== 'failed') &&
    'duration_seconds' in record.parameters === (type === 'video') &&
    (files === undefined || hasFieldsOfType(files, type));
  return asItShouldBe ? record : helpers.error('any.invalid');
}

function hasFieldsOfType(files: Output, type: GenerationRecord['type']): boolean {
  if (type === 'image') return files.image_urls !== undefined && files.video_url === undefined;
  return (
    files.image_urls === undefined && (files.video_url === undefined) === (files.urls.length === 0)
  );
}
