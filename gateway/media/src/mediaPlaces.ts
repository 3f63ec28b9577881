import {
  frameLimits,
  inputLimits,
  outputLimits,
  posterLimits,
  uploadLimits,
} from './childLimits.ts';

/**
 * Concurrent children per process. Inputs have separate places so that they cannot delay finished results; so
 * do frames that customers request, and posters of videos.
 */
export const mediaPlaces = { inputs: 2, outputs: 2, frames: 1, posters: 2 } as const;

/** Memory of all children of one process by role, in MB, with every place occupied. */
export const childrenMb = {
  /** Uploads and typed URLs of the studio, and frames of videos. */
  api: mediaPlaces.inputs * uploadLimits.memoryMb + mediaPlaces.frames * frameLimits.memoryMb,
  /** Inputs of generations, results, and their posters. */
  worker:
    mediaPlaces.inputs * inputLimits.memoryMb +
    mediaPlaces.outputs * outputLimits.memoryMb +
    mediaPlaces.posters * posterLimits.memoryMb,
};
