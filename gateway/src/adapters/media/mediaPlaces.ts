import {
  frameLimits,
  inputLimits,
  outputLimits,
  posterLimits,
  uploadLimits,
} from './mediaChild.ts';

/**
 * Children that one process runs at a time. Inputs have places of their own, so that none of them holds up a
 * finished result; so have pictures of finished videos that customers ask for, and small pictures of results.
 */
export const mediaPlaces = { inputs: 2, outputs: 2, frames: 1, posters: 2 } as const;

/** Memory of all children of one process by role, in MB, with every place taken. */
export const childrenMb = {
  /** Files given to the studio and addresses typed there, and pictures of videos. */
  api: mediaPlaces.inputs * uploadLimits.memoryMb + mediaPlaces.frames * frameLimits.memoryMb,
  /** Inputs of generations, results, and small pictures of these. */
  worker:
    mediaPlaces.inputs * inputLimits.memoryMb +
    mediaPlaces.outputs * outputLimits.memoryMb +
    mediaPlaces.posters * posterLimits.memoryMb,
};
