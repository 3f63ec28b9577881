import {
  commonParameters,
  defaultsOf,
  imageParametersOnly,
  videoParametersOnly,
} from './parameterNames.ts';

/* Responses in the form of the steps, for the editor: nothing is generated or charged for a sample. */

/** Fields only of a create request: whether another run has the same result, and the balance after it. */
const createOnlySample = { shared_with_earlier_run: false, available_credits: 930 } as const;

const video = {
  id: 'gen_01kagw2m5t9x3q7r8v4c6e0hjn',
  type: 'video',
  model: 'alpha-2.0-pro',
  status: 'completed',
  created_at: '2026-11-20T09:30:00.000Z',
  completed_at: '2026-11-20T09:31:51.000Z',
} as const;

const videoUrl =
  'https://media.example.com/gen_01kagw2m5t9x3q7r8v4c6e0hjn/0.mp4?expires=1795253511&signature=4f1c';

const videoEnd = {
  file_urls_expire_at: '2026-11-21T09:31:51.000Z',
  cost_credits: 70,
  billing_status: 'charged',
  ...defaultsOf(commonParameters),
  resolution: '720p',
  aspect_ratio: '16:9',
  seed: 7,
} as const;

/** A completed video, as returned by Create Video. */
export const videoSample = {
  ...video,
  file_url: videoUrl,
  file: videoUrl,
  ...videoEnd,
  ...defaultsOf(videoParametersOnly),
  ...createOnlySample,
};

const imageUrl =
  'https://media.example.com/gen_01kagw4z8p2d6s1y5b9f3g7kwa/0.jpeg?expires=1795253411&signature=9b27';

const image = {
  id: 'gen_01kagw4z8p2d6s1y5b9f3g7kwa',
  type: 'image',
  model: 'image-b-2',
  status: 'completed',
  created_at: '2026-11-20T09:30:00.000Z',
  completed_at: '2026-11-20T09:30:11.000Z',
  file_url: imageUrl,
  file: imageUrl,
  file_urls: [imageUrl],
  files: [imageUrl],
  file_urls_expire_at: '2026-11-21T09:30:11.000Z',
  cost_credits: 9,
  billing_status: 'charged',
  ...defaultsOf(commonParameters),
  resolution: '2k',
  aspect_ratio: '3:2',
  seed: 1203,
} as const;

/** A completed image, as returned by Create Image. */
export const imageSample = {
  ...image,
  ...defaultsOf(imageParametersOnly),
  output_format: 'jpeg',
  ...createOnlySample,
};

/** Why a generation failed; empty for a completed one. */
const noError = { error_code: '', error_message: '' };

/** A completed video, as returned by Find Generation. */
export const foundSample = {
  ...video,
  file_url: videoUrl,
  file: videoUrl,
  file_urls: [videoUrl],
  files: [videoUrl],
  ...videoEnd,
  ...noError,
};

/** A completed image, as returned by Find Generation. */
export const foundImageSample = { ...image, ...noError };

/** A price, as returned by Find Price. */
export const priceSample = {
  model: 'alpha-2.0-pro',
  type: 'video',
  cost_credits: 70,
  credits_per_unit: 14,
  unit: 'second',
  units: 5,
  resolution: '720p',
  generate_audio: false,
  available_credits: 930,
  enough_credits: true,
};

/** The balance, as returned by Find Balance. */
export const balanceSample = {
  as_of: '2026-11-20T09:30:00.000Z',
  available_credits: 930,
  credits_in_flight: 70,
  enough_credits: true,
};
