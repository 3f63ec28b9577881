import { createHash } from 'node:crypto';
import { hourMs, type InputType, sum } from '@framegate/contract';
import { mediaFormats } from '@framegate/contract/mediaFormats';
import { isId } from '../ids.ts';
import { mediaKey, type MediaPurpose, posterKey, posterWidths } from './mediaUrl.ts';
import type { GenerationInput, GenerationRef, OrderedWork } from './order.ts';
import type { WorkState } from './work.ts';

type WithId = Pick<GenerationRef, 'id'>;

/** File extensions of stored inputs, by type. */
const inputExtensions: Record<InputType, readonly string[]> = {
  image: extensionsOf('image'),
  video: extensionsOf('video'),
  audio: extensionsOf('audio'),
};

/** File extensions of output media types. */
const outputExtensions: Record<string, string> = {
  'video/mp4': 'mp4',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** The requested media type. */
export function expectedFormat({ parameters }: Pick<OrderedWork, 'parameters'>): string {
  return 'output_format' in parameters ? `image/${parameters.output_format}` : 'video/mp4';
}

/** The file extension of an output media type. */
export const outputExtension = (mediaType: string): string => outputExtensions[mediaType] ?? 'bin';

/**
 * Every possible key of the generation's inputs. A process killed after storing files recorded none of them, so
 * removing only the recorded ones would leave files forever.
 */
export function possibleInputKeys(generation: WithId & Pick<OrderedWork, 'inputs'>): string[] {
  return generation.inputs.flatMap(({ type }, index) =>
    inputExtensions[type].map((extension) => keyOf('inputs', generation, index, extension)),
  );
}

/** Every possible key of the generation's outputs and their posters, recorded or not. */
export function possibleOutputKeys(generation: WithId & Pick<OrderedWork, 'parameters'>): string[] {
  const count = orderedFileCount(generation);
  const extension = outputExtension(expectedFormat(generation));
  return Array.from({ length: count }, (_, index) =>
    keyOf('outputs', generation, index, extension),
  ).flatMap(withPosters);
}

/** Number of files that a request orders. */
export function orderedFileCount({ parameters }: Pick<OrderedWork, 'parameters'>): number {
  return 'n' in parameters ? parameters.n : 1;
}

/** The keys of a file and of all its posters. */
export function withPosters(fileKey: string): string[] {
  return [fileKey, ...posterWidths.map((width) => posterKey(fileKey, width))];
}

/** The keys of an attempt's raw results; no address serves them. */
export function arrivedKeys(generationId: string, attempt: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `arrived/${generationId}/${attempt}_${index}.raw`,
  );
}

/** Every possible key of a generation's raw results, recorded or not, and of the previews of refused ones. */
export function possibleArrivedKeys({
  id,
  parameters,
  attempts,
}: WithId & Pick<OrderedWork, 'parameters'> & Pick<WorkState, 'attempts'>): string[] {
  const count = orderedFileCount({ parameters });
  return attempts.flatMap(({ number, refused }) => {
    const keys = arrivedKeys(id, number, count);
    return refused ? keys.flatMap(withPosters) : keys;
  });
}

/** A file that may be a video or audio is stored as MP4 only if it is a video. */
function extensionsOf(type: InputType): string[] {
  return Object.values(mediaFormats).flatMap((format) =>
    format.type.startsWith(type) ? [format.extension] : [],
  );
}

const keyOf = (
  purpose: MediaPurpose,
  { id: generationId }: WithId,
  index: number,
  extension: string,
) => mediaKey(purpose, { generationId, index, extension });

/**
 * A checked and stored file for inputs in an account's studio: uploaded from a browser, or a frame of one of its
 * videos. Without a `key` it is only the preview of a typed URL. Its id cannot be guessed, and only its own account may
 * use it.
 */
export interface Upload {
  id: string;
  accountId: string;
  type: InputType;
  /** Key in the media store; null if only a preview is kept. */
  key: string | null;
  /** Key of its preview; null without one. */
  previewKey: string | null;
  bytes: number;
  /** Its origin, from `uploadSource`; null for an uploaded file. */
  source: string | null;
  /** In pixels, for a picture or a video. */
  size: { width: number; height: number } | null;
  /** Duration of a video or audio file; null for a picture. */
  seconds: number | null;
  /** Times in ms since the epoch. */
  createdAt: number;
  expiresAt: number;
  /** How long an accepted generation may have to read it; 0 before the first one. */
  neededUntil: number;
  /** Ids of generations that have not read it yet; absent if none was noted. */
  neededBy?: string[];
}

/** The ids of uploads named by inputs. */
export function uploadsOfInputs(inputs: readonly GenerationInput[]): string[] {
  return inputs.flatMap(({ ownUpload }) => ownUpload ?? []);
}

/** Limits for an account's uploads: their number, their total bytes, and how long each is kept. */
export const uploadLimits = { count: 20, bytes: 300_000_000, keptMs: 6 * hourMs } as const;

/** The URL that names an upload in a request. It is below the media address, where nothing serves it. */
export function uploadUrl(mediaUrl: string, id: string): string {
  return `${mediaUrl}/uploads/${id}`;
}

/** The id of the upload named by a URL, or null. */
export function parseUploadUrl(url: string, mediaUrl: string): string | null {
  const id = url.startsWith(uploadUrl(mediaUrl, ''))
    ? url.slice(uploadUrl(mediaUrl, '').length)
    : '';
  return isId('upl', id) ? id : null;
}

/**
 * Identifies the origin of an upload, so that each is made only once. A hash, because URLs may contain secrets.
 * @param parts For example the kind of input and its URL.
 */
export function uploadSource(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** The media store key of an upload's file or preview. */
export function uploadKey(id: string, file: string): string {
  return `uploads/${id}/${file}`;
}

/**
 * The uploads to drop for the newest one, oldest first, so that all stay within the limits; null if accepted
 * generations need too many of them.
 */
export function uploadsToDrop(uploads: readonly Upload[], newest: Upload): Upload[] | null {
  const others = uploads.filter(({ id }) => id !== newest.id);
  const droppable = others
    .filter(
      ({ neededUntil, neededBy }) => neededUntil <= newest.createdAt || neededBy?.length === 0,
    )
    .toSorted((a, b) => a.createdAt - b.createdAt);
  let count = others.length + 1;
  let bytes = newest.bytes + sum(others.map((each) => each.bytes));
  const dropped: Upload[] = [];
  while (count > uploadLimits.count || bytes > uploadLimits.bytes) {
    const next = droppable.shift();
    if (!next) return null;
    dropped.push(next);
    count -= 1;
    bytes -= next.bytes;
  }
  return dropped;
}
