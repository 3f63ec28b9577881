import type { Dialect, ImageOrder, ImageOrderCall, VideoOrder, VideoOrderCall } from './dialect.ts';
import { imageSize, videoSize } from './pixelSize.ts';
import { leastSupport } from './routeSupport.ts';

/** The interface as `@ai-sdk/provider` documents it, for packages of which nothing better is known. */
export const standardDialect: Omit<Dialect, 'name'> = {
  defaultRules: [],
  videoSupport: () => leastSupport,
  videoCall: (order) => ({ ...standardVideoCall(order), own: {} }),
  imageSupport: () => leastSupport,
  imageCall: (order) => ({ ...standardImageCall(order), own: {} }),
};

/** Every parameter of a video where the interface has a place for it. */
export function standardVideoCall(order: VideoOrder): Omit<VideoOrderCall, 'own'> {
  const { parameters, references, support } = order;
  return {
    aspectRatio: ratio(parameters.aspect_ratio),
    resolution: size(videoSize(parameters.resolution, parameters.aspect_ratio)),
    duration: parameters.duration_seconds,
    seed: parameters.seed,
    // Where there is no choice, there is nothing to send.
    generateAudio: support.audio === true ? parameters.generate_audio : undefined,
    ...frames(order),
    inputReferences: references.length > 0 ? [...references] : undefined,
  };
}

/** Every parameter of an image where the interface has a place for it. */
export function standardImageCall(order: ImageOrder): Omit<ImageOrderCall, 'own'> {
  const { parameters, references } = order;
  return {
    size: size(imageSize(parameters.resolution, parameters.aspect_ratio)),
    aspectRatio: undefined,
    seed: parameters.seed,
    files: references.length > 0 ? [...references] : undefined,
  };
}

/** An aspect ratio in the interface's type; ours all have this form. */
export function ratio(text: string): `${number}:${number}` {
  const [across, down] = text.split(':').map(Number);
  return `${across ?? Number.NaN}:${down ?? Number.NaN}`;
}

function size({ width, height }: { width: number; height: number }): `${number}x${number}` {
  return `${width}x${height}`;
}

/** A first frame alone is `image`; with a last frame both go as `frameImages`. */
function frames({
  firstFrame,
  lastFrame,
}: VideoOrder): Pick<VideoOrderCall, 'image' | 'frameImages'> {
  if (!firstFrame || !lastFrame) return { image: firstFrame, frameImages: undefined };
  return {
    image: undefined,
    frameImages: [
      { image: firstFrame, frameType: 'first_frame' },
      { image: lastFrame, frameType: 'last_frame' },
    ],
  };
}
