import type { InputType } from '@framegate/contract';
import type { Generation } from './generation.ts';
import { mediaKey, posterKey, posterWidths, type MediaPurpose } from './mediaUrl.ts';

/** Extensions under which an input can be stored, by its type. */
export const inputExtensions = {
  image: ['jpg', 'png', 'webp'],
  video: ['mp4', 'mov', 'webm'],
  audio: ['mp3', 'wav', 'm4a', 'aac'],
} as const satisfies Record<InputType, readonly string[]>;

/** Extensions of the media types that we hand out. */
const outputExtensions: Record<string, string> = {
  'video/mp4': 'mp4',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
};

/** The type of file that was asked for. */
export function wantedFormat({ parameters }: Pick<Generation, 'parameters'>): string {
  return 'output_format' in parameters ? `image/${parameters.output_format}` : 'video/mp4';
}

/** The extension of a media type that we hand out. */
export const outputExtension = (mediaType: string): string => outputExtensions[mediaType] ?? 'bin';

/**
 * Every key under which an input of the generation can lie. A process that was killed after it stored
 * files recorded none of them: to remove what is recorded would leave them for ever.
 */
export function possibleInputKeys(generation: Pick<Generation, 'id' | 'inputs'>): string[] {
  return generation.inputs.flatMap(({ type }, index) =>
    inputExtensions[type].map((extension) => keyOf('inputs', generation, index, extension)),
  );
}

/** Every key under which an output of the generation, or a poster of one, can lie, recorded or not. */
export function possibleOutputKeys(generation: Pick<Generation, 'id' | 'parameters'>): string[] {
  const { parameters } = generation;
  const count = 'n' in parameters ? parameters.n : 1;
  const extension = outputExtension(wantedFormat(generation));
  return Array.from({ length: count }, (_, index) =>
    keyOf('outputs', generation, index, extension),
  ).flatMap(withPosters);
}

/** The keys of an output and of all its posters. */
export function withPosters(outputKey: string): string[] {
  return [outputKey, ...posterWidths.map((width) => posterKey(outputKey, width))];
}

const keyOf = (
  purpose: MediaPurpose,
  { id: generationId }: Pick<Generation, 'id'>,
  index: number,
  extension: string,
) => mediaKey(purpose, { generationId, index, extension });
