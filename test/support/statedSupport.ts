import { imageAspectRatios, videoAspectRatios, videoModes } from '@framegate/contract';

/** `does` of a route to an invented video model, which no row describes. */
export const statedVideo = {
  modes: [...videoModes],
  seconds: { min: 1, max: 60 },
  resolutions: ['480p', '720p', '1080p'],
  aspectRatios: [...videoAspectRatios],
  audio: true,
  lastFrame: true,
  references: { image: 9, video: 3, audio: 3 },
  realPerson: false,
};

/** `does` of a route to an invented image model, which no row describes. */
export const statedImage = {
  resolutions: ['1k', '2k', '4k'],
  aspectRatios: [...imageAspectRatios],
};
