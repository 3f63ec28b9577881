import { createReadStream } from 'node:fs';
import type { Bundle, ZObject } from 'zapier-platform-core';
import { markAsUserFacing } from './errors.ts';
import { type FetchedFile, fetchFile } from './fetchFile.ts';
import { generationGone } from './followGeneration.ts';
import type { GenerationRecord } from './generated/contract.ts';
import { getGeneration, isGenerationId } from './generation.ts';
import { sampleFiles } from './sampleFiles.ts';
import { beginReading, hasRoom, type Step } from './step.ts';

/** Attempts of a download, and the pause between two in ms. */
const attempts = 3;
const pauseMs = 2_000;

/**
 * Downloads a file when a later step takes it, possibly days after it was made: its URL is read again for each
 * attempt, and fetched without the key.
 * @returns The URL of Zapier's own copy.
 */
export async function downloadFile(z: ZObject, bundle: Bundle): Promise<string> {
  const sample = bundle.inputData['sample'];
  if (sample === 'video' || sample === 'image') return stashSample(z, sample);
  const id = String(bundle.inputData['generation']);
  if (!isGenerationId(id)) {
    throw markAsUserFacing(
      new z.errors.HaltedError('This file is unknown. Map a file from a Framegate step.'),
    );
  }
  const step = beginReading(z, bundle);
  return copyFile(step, id, Number(bundle.inputData['index']));
}

/** Passes a file of a generation to Zapier. @param index Its position among the files, from 0. */
export async function copyFile(step: Step, id: string, index: number): Promise<string> {
  for (let before = 0; before < attempts; before += 1) {
    if (before > 0) {
      if (!hasRoom(step, pauseMs)) break;
      await step.pause(pauseMs);
    }
    const reading = await getGeneration(step, id);
    if (reading === null) throw generationGone(step, id);
    const { record } = reading;
    const copy = await fetchFile(step, urlOf(step, record, index), record.type, (file) =>
      stash(step, file, id, index),
    );
    if (copy !== null) return copy;
  }
  throw notCopied(step, id, 'could not be downloaded');
}

/** The current URL of a file. */
function urlOf({ z }: Step, { id, output }: GenerationRecord, index: number): string {
  const url = output?.urls[index];
  if (url !== undefined) return url;
  const reason =
    output?.deleted_at === undefined ? 'does not have this file' : 'had its files deleted';
  throw markAsUserFacing(new z.errors.HaltedError(`Generation ${id} ${reason}.`));
}

async function stash(step: Step, file: FetchedFile, id: string, index: number): Promise<string> {
  const { path, bytes, mediaType, extension } = file;
  const name = `${id}${index === 0 ? '' : `-${index + 1}`}.${extension}`;
  const stream = createReadStream(path);
  try {
    return await step.z.stashFile(stream, bytes, name, mediaType);
  } catch {
    throw notCopied(step, id, 'could not be passed to Zapier');
  } finally {
    stream.destroy();
  }
}

function notCopied({ z }: Step, id: string, what: string): Error {
  const sentence = `A file of generation ${id} ${what} right now. Replay this step later.`;
  return new z.errors.Error(sentence, 'download_failed', 502);
}

/** The editor's sample, without a request. */
function stashSample(z: ZObject, sample: keyof typeof sampleFiles): string {
  const { base64, name, type } = sampleFiles[sample];
  const bytes = Buffer.from(base64, 'base64');
  return z.stashFile(bytes, bytes.length, name, type);
}

/** Functions that Zapier calls for dehydrated values. */
export const hydrators = { downloadFile };
