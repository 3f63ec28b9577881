import type { Bundle, ZObject } from 'zapier-platform-core';
import { explained } from './errors.ts';
import { getGeneration, isGenerationId } from './generation.ts';
import { vanished } from './followGeneration.ts';
import { sampleFiles } from './sampleFiles.ts';
import { beginReading } from './step.ts';

/**
 * Downloads a file when a later step takes it, maybe days after it was made: its URL is read anew,
 * and fetched without the key.
 * @returns the address of Zapier's own copy.
 */
export async function downloadFile(z: ZObject, bundle: Bundle): Promise<string> {
  const sample = bundle.inputData['sample'];
  if (sample === 'video' || sample === 'image') return stashSample(z, sample);
  const id = String(bundle.inputData['generation']);
  if (!isGenerationId(id)) throw explained(new z.errors.HaltedError('This file is not known.'));
  const step = beginReading(z, bundle);
  const reading = await getGeneration(step, id);
  if (reading === null) throw vanished(step, id);
  const { output } = reading.record;
  const url = output?.urls[Number(bundle.inputData['index'])];
  if (url === undefined) {
    const reason = output?.deleted_at === undefined ? 'has no such file' : 'had its files deleted';
    throw explained(new z.errors.HaltedError(`Generation ${id} ${reason}.`));
  }
  const response = await z.request({ url, raw: true });
  if (response.status !== 200) {
    throw new z.errors.Error(
      `A file of generation ${id} could not be downloaded for now. Replay this step later.`,
      'download_failed',
      response.status,
    );
  }
  return z.stashFile(Promise.resolve(response));
}

/** The editor's sample, without a request. */
function stashSample(z: ZObject, sample: keyof typeof sampleFiles): string {
  const { base64, name, type } = sampleFiles[sample];
  const bytes = Buffer.from(base64, 'base64');
  return z.stashFile(bytes, bytes.length, name, type);
}

/** What Zapier calls for dehydrated values. */
export const hydrators = { downloadFile };
