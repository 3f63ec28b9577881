import { withPortraits } from './deliveredSizes.ts';

/*
 * Sizes of Seedance wherever it runs: its resolutions are areas (ModelArk, Create a video generation task,
 * https://docs.byteplus.com/en/docs/ModelArk/1520757, read 2026-11-24). A picture of another ratio is cropped to the
 * ordered one.
 */

/** Seedance 1.0. */
export const seedance1Sizes = withPortraits({
  '480p': { '16:9': '864x480', '4:3': '736x544', '1:1': '640x640', '21:9': '960x416' },
  '720p': { '16:9': '1248x704', '4:3': '1120x832', '1:1': '960x960', '21:9': '1504x640' },
  '1080p': { '16:9': '1920x1088', '4:3': '1664x1248', '1:1': '1440x1440', '21:9': '2176x928' },
});

/** Seedance from 1.5 on; 854x480 of 2.5 is within the tolerance. */
export const seedanceSizes = withPortraits({
  '480p': { '16:9': '864x496', '4:3': '752x560', '1:1': '640x640', '21:9': '992x432' },
  '720p': { '16:9': '1280x720', '4:3': '1112x834', '1:1': '960x960', '21:9': '1470x630' },
  '1080p': { '16:9': '1920x1080', '4:3': '1664x1248', '1:1': '1440x1440', '21:9': '2206x946' },
  '2160p': { '16:9': '3840x2160', '4:3': '3326x2494', '1:1': '2880x2880', '21:9': '4398x1886' },
});
