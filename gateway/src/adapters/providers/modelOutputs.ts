import type { Experimental_VideoModelV4VideoData as VideoData } from '@ai-sdk/provider';
import type { ProviderOutput } from '../../application/ports/storeOutput.ts';
import { mediaFromUrl } from './downloadMedia.ts';
import type { ProviderHttp } from './providerHttp.ts';

/** Finished videos as the provider's package hands them over. `http` is null for a local renderer. */
export function videoOutputs(
  videos: readonly VideoData[],
  http: ProviderHttp | null,
): ProviderOutput[] {
  return videos.flatMap((video) => {
    switch (video.type) {
      case 'url':
        return http ? [mediaFromUrl(video.url, 'video', video.mediaType, http)] : [];
      case 'base64':
        return [fromBytes(() => Buffer.from(video.data, 'base64'), video.mediaType)];
      case 'binary':
        return [fromBytes(() => video.data, video.mediaType)];
      case 'uploaded':
        return [];
    }
  });
}

/** Finished images: bytes or base64, of a type that only the bytes tell. */
export function imageOutputs(images: readonly (string | Uint8Array)[]): ProviderOutput[] {
  return images.map((image) => {
    const bytes = typeof image === 'string' ? Buffer.from(image, 'base64') : image;
    return fromBytes(() => bytes, imageTypeOf(bytes));
  });
}

function fromBytes(bytes: () => Uint8Array, mediaType: string): ProviderOutput {
  return {
    mediaType,
    read: async (signal) => {
      signal.throwIfAborted();
      return bytes();
    },
  };
}

/** The media type by the first bytes; whoever stores the file looks closer. */
function imageTypeOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1');
  if (head.startsWith('\x89PNG')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return 'image/webp';
  return 'application/octet-stream';
}
