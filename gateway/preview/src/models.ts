import type {
  Experimental_VideoModelV4 as VideoModel,
  ImageModelV4,
  JSONValue,
} from '@ai-sdk/provider';
import type { Log } from '@framegate/contract/log';
import { maxImages, parseImageCall, parseVideoCall } from './callOptions.ts';
import type { RenderQueue } from './renderQueue.ts';
import { isRenderId, type RenderStore } from './renderStore.ts';
import { RenderError, rethrowAsFailure } from './spec.ts';

/** Dependencies of both models. */
export interface ModelParts {
  store: RenderStore;
  queue: RenderQueue;
  log: Pick<Log, 'info' | 'warn' | 'error'>;
  now: () => number;
  newId: () => string;
  /** Seed of a request without its own. */
  seedOf: (renderId: string) => number;
}

/**
 * The renderer as a video model. `doStart` stores the request and returns immediately. `doStatus` works in any process
 * on the same folder and queues an unfinished request. Error messages start with `input_invalid:` or `render_failed:`.
 */
export function createVideoModel(modelId: string, parts: ModelParts): VideoModel {
  const { store, queue, log, now, newId, seedOf } = parts;
  const response = () => ({ timestamp: new Date(now()), modelId, headers: undefined });

  function renderInBackground(renderId: string): void {
    queue.add(renderId).catch((error: unknown) => {
      log.error({ renderId, error }, 'failed to run a preview render; the next poll retries it');
    });
  }

  return {
    specificationVersion: 'v4',
    provider: 'preview',
    modelId,
    maxVideosPerCall: 1,

    async doStart(options) {
      options.abortSignal?.throwIfAborted();
      const renderId = newId();
      const { spec, files, warnings } = parseVideoCall(options, seedOf(renderId));
      await store.add(renderId, spec, files).catch(rethrowAsFailure);
      renderInBackground(renderId);
      return { operation: { renderId }, warnings, response: response() };
    },

    async doStatus({ operation }) {
      const renderId = parseRenderId(operation);
      if (renderId === null || !(await store.has(renderId))) {
        const error = 'render_failed: there is no such render here';
        return { status: 'error', error, response: response() };
      }
      const result = await store.findResult(renderId);
      if (result === null) {
        if (!(await store.isLeased(renderId))) renderInBackground(renderId);
        return { status: 'pending', response: response() };
      }
      if (!result.ok) {
        await store.markCollected(renderId);
        return { status: 'error', error: result.error, response: response() };
      }
      const videos = await Promise.all(
        result.files.map(async (name) => ({
          type: 'binary' as const,
          data: await store.readResultFile(renderId, name),
          mediaType: 'video/mp4',
        })),
      );
      await store.markCollected(renderId);
      return { status: 'completed', videos, warnings: [], response: response() };
    },
  };
}

/**
 * The renderer as an image model. Shares the queue with videos and returns images as bytes in the format
 * `providerOptions.preview.outputFormat` (png, jpeg or webp), with consecutive seeds. Throws a RenderError or
 * the abort signal's reason.
 */
export function createImageModel(modelId: string, parts: ModelParts): ImageModelV4 {
  const { store, queue, now, newId, seedOf } = parts;
  return {
    specificationVersion: 'v4',
    provider: 'preview',
    modelId,
    maxImagesPerCall: maxImages,
    supportsFileInputs: true,
    supportsMaskInputs: false,

    async doGenerate(options) {
      options.abortSignal?.throwIfAborted();
      const renderId = newId();
      const { spec, files, warnings } = parseImageCall(options, seedOf(renderId));
      await store.add(renderId, spec, files).catch(rethrowAsFailure);
      const cancel = () => {
        queue.cancel(renderId);
      };
      options.abortSignal?.addEventListener('abort', cancel, { once: true });
      try {
        const outcome = await queue.add(renderId).catch(rethrowAsFailure);
        options.abortSignal?.throwIfAborted();
        if (outcome === 'cancelled' || outcome === 'elsewhere') {
          throw new RenderError('render_failed', 'the renderer was closed');
        }
        if (!outcome.ok) throw RenderError.fromText(outcome.error);
        const images = await Promise.all(
          outcome.files.map((name) => store.readResultFile(renderId, name)),
        );
        const response = { timestamp: new Date(now()), modelId, headers: undefined };
        return { images, warnings, response };
      } finally {
        options.abortSignal?.removeEventListener('abort', cancel);
        await store.remove(renderId);
      }
    },
  };
}

/** Id in an operation of `doStart`, or null for an invalid one from the caller's storage. */
function parseRenderId(operation: JSONValue): string | null {
  if (operation === null || typeof operation !== 'object' || !('renderId' in operation)) {
    return null;
  }
  return isRenderId(operation.renderId) ? operation.renderId : null;
}
