import type { Experimental_VideoModelV4 as VideoModel, JSONValue } from '@ai-sdk/provider';
import { readVideoCall } from './readCallOptions.ts';
import type { RendererParts } from './rendererParts.ts';
import { rethrowAsFailure } from './renderFailure.ts';
import { isRenderId } from './renderStore.ts';

const MEDIA_TYPE = 'video/mp4';

/**
 * The renderer as a video model. `doStart` keeps the request and returns at once; `doStatus` may be
 * asked in any process on the same folder and sees to it that an unfinished request is rendered
 * somewhere. Errors begin with `input_invalid:` or `render_failed:`.
 */
export function previewVideoModel(modelId: string, parts: RendererParts): VideoModel {
  const { store, queue, log, now, newId, drawSeed } = parts;
  const response = () => ({ timestamp: new Date(now()), modelId, headers: undefined });

  function renderInBackground(renderId: string): void {
    queue.add(renderId).catch((error: unknown) => {
      log.error(
        { renderId, err: error },
        'preview render could not be run; the next look tries again',
      );
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
      const { spec, files, warnings } = readVideoCall(options, drawSeed(renderId));
      await store.add(renderId, spec, files).catch(rethrowAsFailure);
      renderInBackground(renderId);
      return { operation: { renderId }, warnings, response: response() };
    },

    async doStatus({ operation }) {
      const renderId = readRenderId(operation);
      if (renderId === null || !(await store.has(renderId))) {
        const error = 'render_failed: there is no such render here';
        return { status: 'error', error, response: response() };
      }
      const result = await store.result(renderId);
      if (result === null) {
        if (!(await store.isClaimed(renderId))) renderInBackground(renderId);
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
          mediaType: MEDIA_TYPE,
        })),
      );
      await store.markCollected(renderId);
      return { status: 'completed', videos, warnings: [], response: response() };
    },
  };
}

/** The operation as `doStart` made it, or null: it comes back from storage. */
function readRenderId(operation: JSONValue): string | null {
  if (operation === null || typeof operation !== 'object' || !('renderId' in operation))
    return null;
  return isRenderId(operation.renderId) ? operation.renderId : null;
}
