import type { ZObject } from 'zapier-platform-core';
import type { GenerationRecord, ImageParameters, VideoParameters } from './generated/contract.ts';
import { downloadFile } from './hydrators.ts';

/* A generation as the next steps of a Zap see it: flat, with every key in every state. */

/** What all three steps give. Fields about files are null or empty until it is completed. */
function common(z: ZObject, record: GenerationRecord) {
  const urls = record.output?.urls ?? [];
  // Files are downloaded only when a later step takes them; by then the URL is read anew.
  const files = urls.map((_url, index) =>
    z.dehydrateFile(downloadFile, { generation: record.id, index }),
  );
  return {
    id: record.id,
    type: record.type,
    model: record.model,
    status: record.status,
    created_at: record.created_at,
    completed_at: record.completed_at ?? null,
    file_url: urls[0] ?? null,
    file: files[0] ?? null,
    file_urls: urls,
    files,
    file_urls_expire_at: record.output?.expires_at ?? null,
    cost_credits: record.billing.cost_credits,
    billing_status: record.billing.status,
    resolution: record.parameters.resolution,
    aspect_ratio: record.parameters.aspect_ratio,
    seed: record.parameters.seed,
  };
}

/** Output of Create Video. */
export function videoOutput(z: ZObject, record: GenerationRecord) {
  const { file_urls: _urls, files: _files, ...single } = common(z, record);
  const parameters = record.parameters as VideoParameters;
  return {
    ...single,
    duration_seconds: parameters.duration_seconds,
    generate_audio: parameters.generate_audio,
    real_person_mode: parameters.real_person_mode,
  };
}

/** Output of Create Image. */
export function imageOutput(z: ZObject, record: GenerationRecord) {
  const { n, output_format } = record.parameters as ImageParameters;
  return { ...common(z, record), n, output_format };
}

/** Output of Find Generation: what videos and images have in common, and why one failed. */
export function foundOutput(z: ZObject, record: GenerationRecord) {
  return {
    ...common(z, record),
    error_code: record.error?.code ?? null,
    error_message: record.error?.message ?? null,
  };
}
