import type { ImageModelV4 } from '@ai-sdk/provider';
import type { RendererParts } from './rendererParts.ts';
import { IMAGES_MAX, readImageCall } from './readCallOptions.ts';
import { RenderFailure, rethrowAsFailure } from './renderFailure.ts';

/**
 * The renderer as an image model: waits for its turn in the same queue as the videos and returns the
 * images as bytes, in the format of `providerOptions.preview.outputFormat` (png, jpeg or webp). Seeds
 * count up from the given one. Throws a RenderFailure whose text begins with `input_invalid:` or
 * `render_failed:`, or the abort signal's reason.
 */
export function previewImageModel(modelId: string, parts: RendererParts): ImageModelV4 {
  const { store, queue, now, newId, drawSeed } = parts;
  return {
    specificationVersion: 'v4',
    provider: 'preview',
    modelId,
    maxImagesPerCall: IMAGES_MAX,
    supportsFileInputs: true,
    supportsMaskInputs: false,

    async doGenerate(options) {
      options.abortSignal?.throwIfAborted();
      const renderId = newId();
      const { spec, files, warnings } = readImageCall(options, drawSeed(renderId));
      await store.add(renderId, spec, files).catch(rethrowAsFailure);
      const cancel = () => {
        queue.cancel(renderId);
      };
      options.abortSignal?.addEventListener('abort', cancel, { once: true });
      try {
        const outcome = await queue.add(renderId).catch(rethrowAsFailure);
        options.abortSignal?.throwIfAborted();
        if (outcome === 'cancelled' || outcome === 'elsewhere') {
          throw new RenderFailure('render_failed', 'the renderer was closed');
        }
        if (!outcome.ok) throw RenderFailure.fromText(outcome.error);
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
