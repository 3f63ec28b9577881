import {
  frameLimits,
  inputLimits,
  outputLimits,
  posterLimits,
  uploadChildLimits,
} from './childLimits.ts';

/**
 * Concurrent children per process. Inputs have separate slots so that they cannot delay finished results; so
 * do frames that customers request, and posters of videos.
 */
export const mediaSlots = { inputs: 2, outputs: 2, frames: 1, posters: 2 } as const;

/** Memory of all children of one process by role, in MB, with every slot occupied. */
export const childrenMb = {
  /** Uploads and typed URLs of the studio, and frames of videos. */
  api: mediaSlots.inputs * uploadChildLimits.memoryMb + mediaSlots.frames * frameLimits.memoryMb,
  /** Inputs of generations, results, and their posters. */
  worker:
    mediaSlots.inputs * inputLimits.memoryMb +
    mediaSlots.outputs * outputLimits.memoryMb +
    mediaSlots.posters * posterLimits.memoryMb,
};
