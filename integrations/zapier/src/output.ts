import type { ZObject } from 'zapier-platform-core';
import type { CreateResult } from './createGeneration.ts';
import type { DryRun } from './dryRun.ts';
import type { GenerationRecord } from './generated/contract.ts';
import { downloadFile } from './hydrators.ts';
import {
  commonParameters,
  imageParametersOnly,
  valuesOf,
  videoParametersOnly,
} from './parameterNames.ts';
import { foundImageSample, foundSample, imageSample, videoSample } from './samples.ts';

/* A generation as seen by the next steps of a Zap: flat, with every key in every state. */

/** Identity and progress of a generation; null for stages not yet reached. */
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

/** A generation's cost, and the values common to all models. */
function tail(record: GenerationRecord) {
  return {
    file_urls_expire_at: record.output?.expires_at ?? null,
    cost_credits: record.billing.cost_credits,
    billing_status: record.billing.status,
    ...valuesOf(commonParameters, record.parameters),
  };
}

/** The first file, and all files. A file is downloaded only when a later step takes it. */
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

/** Fields only of a create request. @param credits Balance, or null if unknown. */
function createOnlyValues({ isShared }: CreateResult, credits: number | null) {
  return { shared_with_earlier_run: isShared, available_credits: credits };
}

/**
 * The editor's sample instead of a generation: a file that the next steps can take, and the price of one run.
 */
export function videoSampleOutput(z: ZObject, tested: DryRun) {
  const file = z.dehydrateFile(downloadFile, { sample: 'video' });
  return { ...videoSample, file, ...testValues(tested) };
}

/** The editor's sample instead of a generation of images. */
export function imageSampleOutput(z: ZObject, tested: DryRun) {
  const file = z.dehydrateFile(downloadFile, { sample: 'image' });
  return { ...imageSample, file, files: [file], ...testValues(tested) };
}

function testValues({ model, parameters, costCredits, availableCredits }: DryRun) {
  const credits = { cost_credits: costCredits, available_credits: availableCredits };
  return { model, ...parameters, ...credits };
}

/** The sample of Find Generation if a create request's test is mapped into it; null for any other id. */
export function foundSampleOutput(z: ZObject, id: string) {
  for (const sample of [foundSample, foundImageSample]) {
    if (sample.id !== id) continue;
    const file = z.dehydrateFile(downloadFile, { sample: sample.type });
    return { ...sample, file, files: [file] };
  }
  return null;
}

/** Output of Create Video. */
export function videoOutput(z: ZObject, created: CreateResult, credits: number | null) {
  const { record } = created.reading;
  return {
    ...head(record),
    ...files(z, record).first,
    ...tail(record),
    ...valuesOf(videoParametersOnly, record.parameters),
    ...createOnlyValues(created, credits),
  };
}

/** Output of Create Image. */
export function imageOutput(z: ZObject, created: CreateResult, credits: number | null) {
  const { record } = created.reading;
  const { first, all } = files(z, record);
  const own = valuesOf(imageParametersOnly, record.parameters);
  const rest = { ...own, ...createOnlyValues(created, credits) };
  return { ...head(record), ...first, ...all, ...tail(record), ...rest };
}

/** Output of Find Generation: the fields common to videos and images, and the reason of a failure. */
export function foundOutput(z: ZObject, record: GenerationRecord) {
  const { first, all } = files(z, record);
  return {
    ...head(record),
    ...first,
    ...all,
    ...tail(record),
    error_code: record.error?.code ?? '',
    error_message: record.error?.message ?? '',
  };
}
