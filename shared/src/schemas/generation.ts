import Joi from 'joi';
import { errorTypes } from '../errorCodes.ts';
import { failureCodes } from '../failureCodes.ts';
import type { GenerationRecord, Output } from '../generated/wire.ts';
import { imageParameters, videoParameters } from '../parameters.ts';
import { type Status, statuses } from '../states.ts';
import {
  amount,
  codeWord,
  type Fields,
  flag,
  list,
  object,
  oneOf,
  plainText,
  text,
  time,
  url,
} from './fields.ts';
import { effectiveParameters } from './parameters.ts';

const effectiveVideoParameters = effectiveParameters(videoParameters).meta({
  component: 'EffectiveVideoParameters',
});
const effectiveImageParameters = effectiveParameters(imageParameters).meta({
  component: 'EffectiveImageParameters',
});

const billing = object({
  unit: oneOf(['credits']).required(),
  cost_credits: amount(0)
    .required()
    .description(
      'Credits charged for this generation; 0 if support delivered it without a charge.',
    ),
  policy: oneOf(['same_as_pc']).required(),
  status: oneOf(['charged', 'refunded']).required(),
  refunded_credits: amount(0).description('Only when refunded: the credits refunded.'),
}).meta({ component: 'Billing' });

const output = object({
  urls: list(url()).required().description('All files; empty once they are deleted.'),
  video_url: url().description('Only for a video, while its file is kept.'),
  image_urls: list(url()).description('Only for images.'),
  expires_at: time()
    .required()
    .description('When these URLs expire. Read the generation again to get new ones.'),
  deleted_at: time().description('When the files were deleted.'),
}).meta({ component: 'Output' });

const error = object({
  type: codeWord(errorTypes).required(),
  code: codeWord(Object.keys(failureCodes)).required(),
  message: plainText().required(),
  param: plainText()
    .allow(null)
    .required()
    .description('The input at fault, such as inputs[1].url.'),
  retryable: flag().required().description('Whether a new create request may succeed.'),
}).meta({ component: 'GenerationError' });

/** The fields of a generation record, for extended records. */
export const generationFields: Fields = {
  id: text(/^gen_[0-9a-hjkmnp-tv-z]{26}$/, 'a generation id').required(),
  object: oneOf(['generation']).required(),
  type: oneOf(['video', 'image']).required(),
  model: plainText().required(),
  status: oneOf(statuses)
    .required()
    .description(
      'queued, then processing, then completed or failed; a queued generation may fail directly. completed and failed are final.',
    ),
  status_url: url().required().description('URL to poll.'),
  retry_after_seconds: amount(1).description(
    'Seconds to wait before the next poll; only while queued or processing, also sent as Retry-After.',
  ),
  created_at: time().required(),
  completed_at: time().description('When it ended; only when completed or failed.'),
  parameters: Joi.alternatives()
    .try(effectiveVideoParameters, effectiveImageParameters)
    .required()
    .description('The effective values, including defaults and the seed.'),
  billing: billing.required(),
  output: output.description('Only when completed.'),
  error: error.description('Only when failed.'),
};

/** Fields that a record has in these states, always, and in no other. */
export const fieldsOfStatus = {
  queued: ['retry_after_seconds'],
  processing: ['retry_after_seconds'],
  completed: ['completed_at', 'output'],
  failed: ['completed_at', 'error'],
} as const satisfies Record<Status, readonly (keyof GenerationRecord)[]>;

/** A generation record with the fields of its status. */
export const generationSchema = object(generationFields)
  .custom(checkFieldsOfStatus)
  .required()
  .meta({ component: 'Generation' });

function checkFieldsOfStatus(record: GenerationRecord, helpers: Joi.CustomHelpers) {
  const { status, type, output: files } = record;
  const own: readonly (keyof GenerationRecord)[] = fieldsOfStatus[status];
  const isConsistent =
    Object.values(fieldsOfStatus)
      .flat()
      .every((name) => (record[name] !== undefined) === own.includes(name)) &&
    record.billing.status === (status === 'failed' ? 'refunded' : 'charged') &&
    (record.billing.refunded_credits === undefined) === (status !== 'failed') &&
    'duration_seconds' in record.parameters === (type === 'video') &&
    (files === undefined || hasFieldsOfType(files, type));
  return isConsistent ? record : helpers.error('any.invalid');
}

function hasFieldsOfType(files: Output, type: GenerationRecord['type']): boolean {
  if (type === 'image') return files.image_urls !== undefined && files.video_url === undefined;
  return (
    files.image_urls === undefined && (files.video_url === undefined) === (files.urls.length === 0)
  );
}
