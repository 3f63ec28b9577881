import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { muxMp4 } from '../../../gateway/preview/src/child/mp4.ts';
import { encodeVideo } from '../../../gateway/preview/src/child/video.ts';

/*
 * Writes sampleVideo.mp4, the file served by the fake provider: one second of H.264, 320x180, in which a light moves
 * across. Run it with `npm exec -- node test/support/fakeArk/makeSampleVideo.ts`.
 */
const size = { width: 320, height: 180 };
const pixels = size.width * size.height;

const frames = await encodeVideo(
  { drawn: size, encoded: size, frames: 24, limitsBitrate: false },
  (number, planes) => {
    // Limited range: black is 16, white 235, and 128 is no colour.
    planes.fill(128, pixels);
    planes.fill(40, 0, pixels);
    for (let y = 60; y < 120; y += 1) {
      planes.fill(200, y * size.width + 10 + number * 10, y * size.width + 60 + number * 10);
    }
  },
);
const file = path.join(import.meta.dirname, 'sampleVideo.mp4');
await writeFile(file, await muxMp4(size, frames, null));
