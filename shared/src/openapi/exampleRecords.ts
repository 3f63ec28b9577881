import { failureCodes } from '../failureCodes.ts';
import type { CreditBalance, GenerationRecord, ModelList } from '../generated/wire.ts';
import type { Model } from '../model.ts';
import { presentModel } from '../presentModel.ts';

/* Responses as examples of the OpenAPI document; a test checks each one against its schema. */

const videoId = 'gen_01kagw2m5t9x3q7r8v4c6e0hjn';
const imageId = 'gen_01kagw4z8p2d6s1y5b9f3g7kwa';
const mediaUrl = 'https://media.example.com';

function video(baseUrl: string) {
  return {
    id: videoId,
    object: 'generation',
    type: 'video',
    model: 'alpha-2.0-pro',
    status_url: `${baseUrl}/generations/${videoId}`,
    created_at: '2026-11-20T09:30:00.000Z',
    parameters: {
      duration_seconds: 5,
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      seed: 7,
      real_person_mode: false,
    },
    billing: { unit: 'credits', cost_credits: 70, policy: 'same_as_pc', status: 'charged' },
  } as const satisfies Partial<GenerationRecord>;
}

const image = { id: imageId, object: 'generation', type: 'image', model: 'image-b-2' } as const;
const imageParameters = {
  n: 1,
  aspect_ratio: '3:2',
  resolution: '2k',
  output_format: 'jpeg',
  seed: 1203,
} as const;
const imageBilling = {
  unit: 'credits',
  cost_credits: 9,
  policy: 'same_as_pc',
  status: 'charged',
} as const;

/** A generation in each state. */
export function exampleRecords(baseUrl: string) {
  const { status_url, created_at, parameters, billing, ...head } = video(baseUrl);
  const videoUrl = `${mediaUrl}/${videoId}/0.mp4?expires=1795253511&signature=4f1c`;
  const imageUrl = `${mediaUrl}/${imageId}/0.png?expires=1795253411&signature=9b27`;
  const imageStatusUrl = `${baseUrl}/generations/${imageId}`;
  const { type, retryable, message } = failureCodes.input_unreachable;
  return {
    queued: {
      ...head,
      status: 'queued',
      status_url,
      retry_after_seconds: 20,
      created_at,
      parameters,
      billing,
    },
    processing: {
      ...head,
      status: 'processing',
      status_url,
      retry_after_seconds: 12,
      created_at,
      parameters,
      billing,
    },
    completed_video: {
      ...head,
      status: 'completed',
      status_url,
      created_at,
      completed_at: '2026-11-20T09:31:51.000Z',
      parameters,
      billing,
      output: { urls: [videoUrl], video_url: videoUrl, expires_at: '2026-11-21T09:31:51.000Z' },
    },
    completed_image: {
      ...image,
      status: 'completed',
      status_url: imageStatusUrl,
      created_at,
      completed_at: '2026-11-20T09:30:11.000Z',
      parameters: imageParameters,
      billing: imageBilling,
      output: { urls: [imageUrl], image_urls: [imageUrl], expires_at: '2026-11-21T09:30:11.000Z' },
    },
    queued_image: {
      ...image,
      status: 'queued',
      status_url: imageStatusUrl,
      retry_after_seconds: 8,
      created_at,
      parameters: imageParameters,
      billing: imageBilling,
    },
    failed: {
      ...head,
      status: 'failed',
      status_url,
      created_at,
      completed_at: '2026-11-20T09:31:00.000Z',
      parameters,
      billing: { ...billing, status: 'refunded', refunded_credits: 70 },
      error: { type, code: 'input_unreachable', message, param: 'inputs[0].url', retryable },
    },
  } as const satisfies Record<string, GenerationRecord>;
}

/** Response of GET /models with the first video and image model. */
export function exampleModelList(models: readonly Model[]): ModelList {
  const exampleModels = ['video', 'image'].flatMap((type) => {
    const model = models.find((candidate) => candidate.type === type);
    return model === undefined ? [] : [presentModel(model)];
  });
  return { object: 'list', data: exampleModels };
}

/** Response of GET /credits/balance. */
export const exampleBalance: CreditBalance = {
  object: 'credit_balance',
  unit: 'credits',
  available: 930,
  in_flight: 70,
  as_of: '2026-11-20T09:30:05.123Z',
};
