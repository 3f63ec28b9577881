import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { Experimental_VideoModelV4 as VideoModel, ImageModelV4 } from '@ai-sdk/provider';
import { previewImageModel } from './previewImageModel.ts';
import { previewVideoModel } from './previewVideoModel.ts';
import type { Log } from './log.ts';
import type { RendererParts } from './rendererParts.ts';
import { createRenderQueue } from './renderQueue.ts';
import { createRenderStore } from './renderStore.ts';
import { runRenderChild } from './runRenderChild.ts';

/** The built-in provider: see createPreviewRenderer. */
export type PreviewRenderer = {
  videoModel(modelId: string): VideoModel;
  imageModel(modelId: string): ImageModelV4;
  /** Ends the render that runs and forgets those that wait; the next process goes on with the videos. */
  close(): Promise<void>;
};

/** No render takes this long, even 15 seconds of 2160p on a slow laptop, ms. */
const MAX_RENDER_MS = 10 * 60 * 1000;
/** How often old results are looked for, ms. */
const SWEEP_EVERY_MS = 10 * 60 * 1000;

/**
 * The preview renderer (design section 3): a real local renderer behind the provider interface of the
 * Vercel AI SDK. It draws the prompt and the inputs into a playable MP4 or an image, in one child
 * process at a time at low priority, marks every frame as a preview, and needs no network.
 *
 * `workDir` holds requests and results (prompts and input pictures among them, for an hour after they
 * were collected, a day at most) and may be shared by processes and restarts: an unfinished video is
 * taken up by whichever process is asked for it next. Equal prompt, seed and parameters give equal
 * bytes on one machine.
 *
 * @param options.now milliseconds since 1970
 * @param options.newId unique ids of letters, digits, `_` and `-`, 64 at most
 * @param options.maxRenderMs wall-clock bound of one render; it is tried twice
 */
export function createPreviewRenderer(options: {
  readonly workDir: string;
  readonly log: Log;
  readonly now: () => number;
  readonly newId: () => string;
  readonly maxRenderMs?: number;
}): PreviewRenderer {
  const { workDir, log, now, newId, maxRenderMs = MAX_RENDER_MS } = options;
  mkdirSync(workDir, { recursive: true, mode: 0o700 });
  const store = createRenderStore({ workDir, now });
  const queue = createRenderQueue({ store, log, maxRenderMs, runChild: runRenderChild });
  const parts: RendererParts = { store, queue, log, now, newId, drawSeed };

  const sweep = () => {
    store.sweep().then(
      (removed) => {
        if (removed > 0) log.info({ removed }, 'old preview renders deleted');
      },
      (error: unknown) => {
        log.warn({ err: error }, 'old preview renders could not be deleted');
      },
    );
  };
  sweep();
  const sweeper = setInterval(sweep, SWEEP_EVERY_MS);
  sweeper.unref();

  return {
    videoModel: (modelId) => previewVideoModel(modelId, parts),
    imageModel: (modelId) => previewImageModel(modelId, parts),
    async close() {
      clearInterval(sweeper);
      await queue.close();
    },
  };
}

/** A seed from an id, 1 to 2^31 - 1 as in the API. */
function drawSeed(renderId: string): number {
  return 1 + (createHash('sha256').update(renderId).digest().readUInt32LE(0) % (2 ** 31 - 1));
}
