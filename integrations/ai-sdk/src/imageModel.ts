import { AISDKError, APICallError, type ImageModelV4 } from '@ai-sdk/provider';
import { type Api, type ApiResponse, finalError } from './api.ts';
import type { CallOptions } from './callOptions.ts';
import { imageBody } from './order.ts';
import { createPartKeys } from './partKeys.ts';
import { defaultPauseSeconds, pause } from './pause.ts';
import { metadataOf } from './response.ts';

/** Consecutive failed polls or downloads before a call gives up. */
const maxFaults = 10;

/** An image model from GET /models. A call creates once, polls until the end, and downloads. */
export function createImageModel(modelId: string, api: Api): ImageModelV4 {
  const partKeyOf = createPartKeys();
  return {
    specificationVersion: 'v4',
    provider: 'framegate.image',
    modelId,
    /** As stated by the API. If it is not, an order is one create request, whose refusal is more informative. */
    async maxImagesPerCall() {
      const max = await api.findMaxImages(modelId).catch(() => undefined);
      return max ?? Number.MAX_SAFE_INTEGER;
    },
    supportsFileInputs: true,
    supportsMaskInputs: false,
    async doGenerate(options) {
      const part = partKeyOf(options, options.n);
      const created = await api
        .create('images', imageBody(modelId, options), { ...options, key: part.key })
        .catch((error: unknown) => {
          part.release();
          throw error;
        });
      const { key = '' } = created;
      const { id } = created.generation;
      try {
        const { generation, headers } = await waitUntilEnded(created, api, options);
        const { status, output, error } = generation;
        if (status === 'failed') {
          const message = `${error?.message ?? 'It has failed.'} (${error?.code ?? 'unknown'}, ${id})`;
          throw new AISDKError({ name: 'FramegateGenerationFailed', message });
        }
        const urls = output?.urls ?? [];
        const images = await Promise.all(
          urls.map((url) => repeatWhileBusy(() => api.download(url, options), options)),
        );
        const { parameters, ...each } = metadataOf(generation);
        return {
          images,
          isRetryable: false,
          warnings: [],
          // `generateImage` passes on only the images' individual metadata.
          providerMetadata: { framegate: { ...each, parameters, images: images.map(() => each) } },
          response: { timestamp: new Date(), modelId, headers },
        };
      } catch (error) {
        if (!APICallError.isInstance(error)) throw error;
        throw finalError(
          error,
          `The generation ${id} continues at Framegate; its Idempotency-Key is ${key}.`,
        );
      }
    },
  };
}

async function waitUntilEnded(
  created: ApiResponse,
  api: Api,
  options: CallOptions,
): Promise<ApiResponse> {
  let response = created;
  while (response.generation.status !== 'completed' && response.generation.status !== 'failed') {
    const { id, retry_after_seconds: seconds = defaultPauseSeconds } = response.generation;
    await pause(seconds, options);
    response = await repeatWhileBusy(() => api.read(id, options), options);
  }
  return response;
}

/** Retries after temporary faults: the images are paid for. */
async function repeatWhileBusy<T>(ask: () => Promise<T>, options: CallOptions): Promise<T> {
  for (let faults = 1; ; faults += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!APICallError.isInstance(error) || !error.isRetryable || faults > maxFaults) throw error;
      await pause(Number(error.responseHeaders?.['retry-after'] ?? defaultPauseSeconds), options);
    }
  }
}
