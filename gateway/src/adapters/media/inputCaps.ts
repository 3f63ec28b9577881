/** Caps on inputs: of each file, and for seconds of all files of a type together. */
export interface InputCaps {
  image: { maxBytes: number; maxPixels: number };
  video: { maxBytes: number; maxSeconds: number };
  audio: { maxBytes: number; maxSeconds: number };
}

/**
 * Encoders end a clip with a full frame of sound or picture, so one cut to 15 s measures a little more:
 * seconds let through above the cap.
 */
export const slackSeconds = 0.1;
