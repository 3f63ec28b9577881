import { createHash } from 'node:crypto';
import type { InputType } from '@framegate/contract';
import type { Generation } from './generation.ts';
import { isId } from './ids.ts';
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

/** The keys of what an attempt has brought, as it came: below no address from which files are served. */
export function arrivedKeys(generationId: string, attempt: number, count: number): string[] {
  return Array.from(
    { length: count },
    (_, index) => `arrived/${generationId}/${String(attempt)}_${String(index)}.raw`,
  );
}

/** Every key under which such a file of an image generation can lie, recorded or not; videos have none. */
export function possibleArrivedKeys({
  id,
  type,
  parameters,
  attempts,
}: Pick<Generation, 'id' | 'type' | 'parameters' | 'attempts'>): string[] {
  if (type !== 'image') return [];
  const count = 'n' in parameters ? parameters.n : 1;
  return attempts.flatMap(({ number }) => arrivedKeys(id, number, count));
}

const keyOf = (
  purpose: MediaPurpose,
  { id: generationId }: Pick<Generation, 'id'>,
  index: number,
  extension: string,
) => mediaKey(purpose, { generationId, index, extension });

/**
 * A file that an account has given to the studio, checked and stored, for inputs of its generations: from a
 * browser, or as a picture of a video of its own. Without a `key` it is what the studio shows of a URL that was
 * typed. Its id cannot be guessed, and only its own account may name it.
 */
export interface Upload {
  id: string;
  accountId: string;
  type: InputType;
  /** Of the file in the media store; null where only what it shows is kept. */
  key: string | null;
  /** Of a small picture of it; null where there is none. */
  previewKey: string | null;
  bytes: number;
  /** What it was made of, by `uploadSource`; null for a file that was given. */
  source: string | null;
  /** In pixels, of a picture or a video. */
  size: { width: number; height: number } | null;
  /** Of a video or of sound; null for a picture. */
  seconds: number | null;
  /** Times in ms since the epoch. */
  createdAt: number;
  expiresAt: number;
  /** An accepted generation may still have to read it until then; 0 before the first one. */
  neededUntil: number;
  /** The generations that have not read it yet; absent where none was noted. */
  neededBy?: string[];
}

/** The uploads that inputs name. */
export function uploadsOfInputs(inputs: Generation['inputs']): string[] {
  return inputs.flatMap(({ ownUpload }) => ownUpload ?? []);
}

/** How many files an account may have here at a time, their bytes together, and how long each is kept. */
export const uploadLimits = { count: 20, bytes: 300_000_000, keptMs: 6 * 3600 * 1000 } as const;

/** How a request names an upload: an address below that of the files, where nothing is served. */
export function uploadUrl(mediaUrl: string, id: string): string {
  return `${mediaUrl}/uploads/${id}`;
}

/** The id of the upload that a URL names; null where it names none. */
export function parseUploadUrl(url: string, mediaUrl: string): string | null {
  const id = url.startsWith(uploadUrl(mediaUrl, ''))
    ? url.slice(uploadUrl(mediaUrl, '').length)
    : '';
  return isId('upl', id) ? id : null;
}

/**
 * Names what an upload is made of, so that the same is made once: a hash, for URLs may hold secrets.
 * @param of Such as the kind of input and its URL.
 */
export function uploadSource(...of: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('base64url');
}

/** The key of an upload's file, or of its preview, in the media store. */
export function uploadKey(id: string, file: string): string {
  return `uploads/${id}/${file}`;
}

/**
 * The uploads that give way to the newest one, the oldest first, so that all stay within the limits; null
 * where accepted generations need too many of them.
 */
export function uploadsToDrop(kept: readonly Upload[], newest: Upload): Upload[] | null {
  const others = kept.filter(({ id }) => id !== newest.id);
  const free = others
    .filter(
      ({ neededUntil, neededBy }) => neededUntil <= newest.createdAt || neededBy?.length === 0,
    )
    .toSorted((a, b) => a.createdAt - b.createdAt);
  let count = others.length + 1;
  let bytes = others.reduce((sum, each) => sum + each.bytes, newest.bytes);
  const dropped: Upload[] = [];
  while (count > uploadLimits.count || bytes > uploadLimits.bytes) {
    const next = free.shift();
    if (!next) return null;
    dropped.push(next);
    count -= 1;
    bytes -= next.bytes;
  }
  return dropped;
}
