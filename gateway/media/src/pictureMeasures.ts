import { createHash } from 'node:crypto';

/** Measures of a result's picture and sound, for the comparison with its order. */
export interface PictureMeasures {
  /** Whether a video has an audio track without a sound. */
  isSilent?: boolean;
  /** Length of a video's audio track; 0 without one. */
  soundSeconds?: number;
  framesPerSecond?: number;
  /** `flat`: a picture or video in one colour. `still`: a video that never moves. */
  look?: 'flat' | 'still';
  /** Digest of a picture's pixels. */
  pixels?: string;
}

/** Maximum difference, in levels of 256, between pixels of one colour: encoders round. */
const maxColourLevels = 2;

/** Whether pixels have the colour of the first one. Any other picture is recognised by its first pixels. */
export function isFlat(data: Uint8Array, channels: number, first: Uint8Array = data): boolean {
  return data.every(
    (value, index) => Math.abs(value - (first[index % channels] ?? 0)) <= maxColourLevels,
  );
}

/** Measures of a decoded picture. */
export function measurePixels(data: Uint8Array, channels: number): PictureMeasures {
  const pixels = createHash('sha256').update(data).digest('base64url');
  return { pixels, ...(isFlat(data, channels) && { look: 'flat' as const }) };
}
