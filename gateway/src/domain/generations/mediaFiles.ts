import type { InputType } from '@framegate/contract';
import { mediaFormats } from '@framegate/contract/mediaFormats';
import { mediaKey, type MediaPurpose, posterKey, posterWidths } from './mediaUrl.ts';
import type { GenerationRef, OrderedWork } from './order.ts';
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
    inputExtensions[type].map((extension) => storageKey('inputs', generation, index, extension)),
  );
}

/** Every possible key of the generation's outputs and their posters, recorded or not. */
export function possibleOutputKeys(generation: WithId & Pick<OrderedWork, 'parameters'>): string[] {
  const count = orderedFileCount(generation);
  const extension = outputExtension(expectedFormat(generation));
  return Array.from({ length: count }, (_, index) =>
    storageKey('outputs', generation, index, extension),
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

/** The keys of an attempt's raw results; no URL serves them. */
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

const storageKey = (
  purpose: MediaPurpose,
  { id: generationId }: WithId,
  index: number,
  extension: string,
) => mediaKey(purpose, { generationId, index, extension });
