import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { Experimental_VideoModelV4 as VideoModel, ImageModelV4 } from '@ai-sdk/provider';
import { minuteMs } from '@framegate/contract/durations';
import type { Log } from '@framegate/contract/log';
import { createImageModel, createVideoModel, type ModelParts } from './models.ts';
import { createRenderQueue } from './renderQueue.ts';
import { createRenderStore } from './renderStore.ts';
import { runChild } from './runChild.ts';

/** A provider of the Vercel AI SDK that draws on this machine: see createPreviewRenderer. */
export interface PreviewRenderer {
  videoModel(modelId: string): VideoModel;
  imageModel(modelId: string): ImageModelV4;
  /** Stops the running render and empties the queue; the next process continues with the videos. */
  close(): Promise<void>;
}

/** Time limit of a render, in ms: enough for 30 seconds of 2160p on a slow laptop. */
const defaultMaxRenderMs = 20 * minuteMs;
/** Interval between deletions of old renders, in ms. */
const sweepIntervalMs = 10 * minuteMs;

/**
 * Opens the renderer. It draws the prompt and the inputs as a playable MP4 or an image, in one child process at a time
 * with low priority, marks every frame as a preview, and needs no network.
 * `workDir` stores requests and results, including prompts and input pictures, for an hour after collection and for a
 * day at most. Several processes may share it, and it survives restarts: the next process that is asked continues an
 * unfinished video. The same prompt, seed and parameters produce the same bytes on the same machine.
 * @param options.now Ms since the epoch
 * @param options.newId Unique ids of letters, digits, `_` and `-`, at most 64
 * @param options.maxRenderMs Wall-clock limit of one render, which is tried twice.
 */
export function createPreviewRenderer(options: {
  workDir: string;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  now: () => number;
  newId: () => string;
  maxRenderMs?: number;
}): PreviewRenderer {
  const { workDir, log, now, newId, maxRenderMs = defaultMaxRenderMs } = options;
  mkdirSync(workDir, { recursive: true, mode: 0o700 });
  const store = createRenderStore({ workDir, now });
  const queue = createRenderQueue({ store, log, maxRenderMs, runChild });
  const parts: ModelParts = { store, queue, log, now, newId, seedOf };

  const sweep = () => {
    store.sweep().then(
      (removed) => {
        if (removed > 0) log.info({ removed }, 'old preview renders deleted');
      },
      (error: unknown) => {
        log.warn({ error }, 'failed to delete old preview renders');
      },
    );
  };
  sweep();
  const sweeper = setInterval(sweep, sweepIntervalMs);
  sweeper.unref();

  return {
    videoModel: (modelId) => createVideoModel(modelId, parts),
    imageModel: (modelId) => createImageModel(modelId, parts),
    async close() {
      clearInterval(sweeper);
      await queue.close();
    },
  };
}

/** Derives a seed from the id of a request: 1 to 2^31 - 1. */
function seedOf(renderId: string): number {
  return 1 + (createHash('sha256').update(renderId).digest().readUInt32LE(0) % (2 ** 31 - 1));
}
