import { createHash } from 'node:crypto';
import { mediaFormatOf, mediaFormats, mediaHeadBytes } from '@framegate/contract/mediaFormats';

/** A result chosen by the operator that publicly demonstrates a model. */
export interface Showpiece {
  /** The model's id; each model has at most one. */
  model: string;
  /** The result itself, or a still of its clip. */
  picture: ShownMedia;
  /** Null for a model that makes images. */
  clip: ShownMedia | null;
}

/** An https URL, or a file to serve. */
export type ShownMedia = string | ShownFile;

/** A checked file that pages show. */
export interface ShownFile {
  mediaType: string;
  /** File extension without a dot. */
  extension: string;
  bytes: Uint8Array;
  /** Differs whenever the bytes differ: 32 hexadecimal digits. */
  hash: string;
}

/** Maximum number of showpieces, bytes of one file, and bytes of all files, which every process keeps in memory. */
export const showpieceLimits = {
  count: 60,
  bytes: { picture: 400_000, clip: 12_000_000 },
  totalBytes: 64_000_000,
} as const;

const { jpeg, png, webp, mp4, webm } = mediaFormats;
/** Formats that browsers show, and their names. */
const formats = {
  picture: { taken: [jpeg, png, webp], words: 'neither JPEG, PNG nor WebP' },
  clip: { taken: [mp4, webm], words: 'neither MP4 nor WebM' },
} as const;

/** Checks a file of a showpiece. @throws Error that completes "the file …". */
export function parseShownFile(kind: 'picture' | 'clip', bytes: Uint8Array): ShownFile {
  const { taken, words } = formats[kind];
  const format = mediaFormatOf(Buffer.from(bytes.subarray(0, mediaHeadBytes)).toString('latin1'));
  const accepted = taken.find((each) => each === format);
  if (!accepted) throw new Error(`is ${words}`);
  const { mediaType, extension } = accepted;
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { mediaType, extension, bytes, hash };
}

/** Showpieces for the start page: those of models on sale in their order, clips before images. */
export function startShowpieces(
  list: readonly Showpiece[],
  models: readonly { id: string }[],
): Showpiece[] {
  const sold = models.flatMap(({ id }) => list.find(({ model }) => model === id) ?? []);
  const hasClip = ({ clip }: Showpiece) => clip !== null;
  return [...sold.filter(hasClip), ...sold.filter((each) => !hasClip(each))].slice(0, 6);
}
