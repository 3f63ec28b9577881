import type { ZObject } from 'zapier-platform-core';
import type { GenerationRecord, ImageParameters, VideoParameters } from './generated/contract.ts';
import { downloadFile } from './hydrators.ts';
import { imageSample, videoSample } from './samples.ts';

/* A generation as the next steps of a Zap see it: flat, with every key in every state. */

/** What a generation is and how it stands; null where it has not got that far. */
function head(record: GenerationRecord) {
  return {
    id: record.id,
    type: record.type,
    model: record.model,
    status: record.status,
    created_at: record.created_at,
    completed_at: record.completed_at ?? null,
  };
}

/** What it cost, and the values that all models have. */
function tail(record: GenerationRecord) {
  return {
    file_urls_expire_at: record.output?.expires_at ?? null,
    cost_credits: record.billing.cost_credits,
    billing_status: record.billing.status,
    resolution: record.parameters.resolution,
    aspect_ratio: record.parameters.aspect_ratio,
    seed: record.parameters.seed,
  };
}

/** The first file, and all of them. A file is downloaded only when a later step takes it. */
function files(z: ZObject, { id, output }: GenerationRecord) {
  const urls = output?.urls ?? [];
  const dehydrated = urls.map((_url, index) =>
    z.dehydrateFile(downloadFile, { generation: id, index }),
  );
  return {
    first: { file_url: urls[0] ?? null, file: dehydrated[0] ?? null },
    all: { file_urls: urls, files: dehydrated },
  };
}

/** What the editor is shown instead of a generation: a file that the next steps can take. */
export function videoSampleOutput(z: ZObject): typeof videoSample {
  return { ...videoSample, file: z.dehydrateFile(downloadFile, { sample: 'video' }) };
}

/** The same for images. */
export function imageSampleOutput(z: ZObject): typeof imageSample {
  const file = z.dehydrateFile(downloadFile, { sample: 'image' });
  return { ...imageSample, file, files: [file] };
}

/** Output of Create Video. */
export function videoOutput(z: ZObject, record: GenerationRecord) {
  const parameters = record.parameters as VideoParameters;
  return {
    ...head(record),
    ...files(z, record).first,
    ...tail(record),
    duration_seconds: parameters.duration_seconds,
    generate_audio: parameters.generate_audio,
    real_person_mode: parameters.real_person_mode,
  };
}

/** Output of Create Image. */
export function imageOutput(z: ZObject, record: GenerationRecord) {
  const { n, output_format } = record.parameters as ImageParameters;
  const { first, all } = files(z, record);
  return { ...head(record), ...first, ...all, ...tail(record), n, output_format };
}

/** Output of Find Generation: what videos and images have in common, and why one failed. */
export function foundOutput(z: ZObject, record: GenerationRecord) {
  const { first, all } = files(z, record);
  return {
    ...head(record),
    ...first,
    ...all,
    ...tail(record),
    error_code: record.error?.code ?? null,
    error_message: record.error?.message ?? null,
  };
}
