import type { Experimental_VideoModelV4VideoData as VideoData } from '@ai-sdk/provider';
import { request } from 'undici';
import { TransferFailure, type ProviderOutput } from '../../application/ports/media.ts';
import { receiveBody, transferFailure } from '../net/receiveBody.ts';
import { RequestBlocked, type ProviderHttp } from './providerHttp.ts';

/** The largest video that is downloaded from a provider, in bytes. */
const maxBytes = 1024 * 1024 * 1024;
/** The longest that a download may take, in ms. */
const downloadMs = 10 * 60_000;
const maxRedirects = 3;
const redirects: readonly number[] = [301, 302, 303, 307, 308];

/** Finished videos as the provider's package hands them over. `http` is null for a local renderer. */
export function videoOutputs(
  videos: readonly VideoData[],
  http: ProviderHttp | null,
): ProviderOutput[] {
  return videos.flatMap((video) => {
    switch (video.type) {
      case 'url':
        return http ? [fromUrl(video.url, http)] : [];
      case 'base64':
        return [fromBytes(() => Buffer.from(video.data, 'base64'))];
      case 'binary':
        return [fromBytes(() => video.data)];
      case 'uploaded':
        return [];
    }
  });
}

/** Finished images: bytes or base64. */
export function imageOutputs(images: readonly (string | Uint8Array)[]): ProviderOutput[] {
  return images.map((image) =>
    fromBytes(() => (typeof image === 'string' ? Buffer.from(image, 'base64') : image)),
  );
}

function fromBytes(bytes: () => Uint8Array): ProviderOutput {
  return {
    read: async (signal) => {
      signal.throwIfAborted();
      return bytes();
    },
  };
}

/**
 * A finished file behind a provider's URL. It is fetched from media hosts only, redirects included,
 * without any credentials but what the URL holds; size and time are bounded.
 */
function fromUrl(url: string, http: ProviderHttp): ProviderOutput {
  return {
    async read(signal) {
      signal.throwIfAborted();
      const limit = AbortSignal.any([signal, AbortSignal.timeout(downloadMs)]);
      try {
        const answer = await followRedirects(url, http, limit);
        return receiveBody(answer, { maxBytes, signal, problemOf: typeProblem });
      } catch (error) {
        throw ofHost(url, transferFailure(error, signal));
      }
    },
  };
}

/** The failure with the host of the file, for staff; the address itself may carry a signature. */
function ofHost(url: string, failure: Error): Error {
  if (!(failure instanceof TransferFailure)) return failure;
  const host = URL.parse(url)?.host ?? 'an address that cannot be read';
  return new TransferFailure(failure.kind, `${failure.message} from ${host}`);
}

async function followRedirects(first: string, http: ProviderHttp, signal: AbortSignal) {
  let url = first;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    if (!http.isMedia(url)) {
      throw new RequestBlocked(`${URL.parse(url)?.host ?? 'the URL'} is not in mediaHosts`);
    }
    const dispatcher = http.dispatchers.downloads;
    const answer = await request(http.resolve(url), { method: 'GET', signal, dispatcher });
    const { location } = answer.headers;
    if (!redirects.includes(answer.statusCode) || typeof location !== 'string') return answer;
    await answer.body.dump({ limit: 65_536 });
    url = new URL(location, url).href;
  }
  throw new TransferFailure('unreachable', 'too many redirects');
}

function typeProblem(headers: Record<string, string | string[] | undefined>): string | null {
  const type = String(headers['content-type'] ?? '');
  const isText = /^(text\/|application\/(json|xml|xhtml))/i.test(type);
  return isText ? `not a media file: ${type}` : null;
}
