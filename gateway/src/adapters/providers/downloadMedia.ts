import { request } from 'undici';
import { TransferFailure } from '../../application/ports/transfer.ts';
import type { ProviderOutput } from '../../application/ports/storeOutput.ts';
import { errorText } from './causesOf.ts';
import { RequestRefused } from './providerHttp.ts';
import type { ProviderHttp } from './providerHttp.ts';

/** The largest file of each type that is taken from a provider, in bytes. */
const maxBytes = { video: 1024 * 1024 * 1024, image: 128 * 1024 * 1024 } as const;
/** The longest that a download may take, in ms. */
const downloadMs = 10 * 60_000;
const redirectsMax = 3;
const redirects: readonly number[] = [301, 302, 303, 307, 308];

/**
 * A finished file behind a provider's URL. It is fetched from media hosts only, redirects included,
 * without any credentials but what the URL holds; size and time are bounded.
 */
export function mediaFromUrl(
  url: string,
  type: 'video' | 'image',
  mediaType: string,
  http: ProviderHttp,
): ProviderOutput {
  return {
    mediaType,
    async read(signal) {
      signal.throwIfAborted();
      const bounded = AbortSignal.any([signal, AbortSignal.timeout(downloadMs)]);
      try {
        const body = await openBody(url, http, bounded, type);
        return streamed(body, maxBytes[type], signal);
      } catch (error) {
        throw transferFailure(error, signal);
      }
    },
  };
}

async function openBody(
  first: string,
  http: ProviderHttp,
  signal: AbortSignal,
  type: 'video' | 'image',
): Promise<AsyncIterable<Uint8Array>> {
  let url = first;
  for (let hop = 0; hop <= redirectsMax; hop += 1) {
    if (!http.isMedia(url)) {
      throw new RequestRefused(`${URL.parse(url)?.host ?? 'the URL'} is not in mediaHosts`);
    }
    const { statusCode, headers, body } = await request(http.resolve(url), {
      ...{ method: 'GET', signal, dispatcher: http.dispatchers.downloads },
    });
    const { location } = headers;
    if (redirects.includes(statusCode) && typeof location === 'string') {
      await body.dump({ limit: 65_536 });
      url = new URL(location, url).href;
      continue;
    }
    const problem = headProblem(statusCode, headers, maxBytes[type]);
    if (!problem) return body;
    // Nobody reads the rest: give the connection up.
    body.on('error', () => undefined).destroy();
    throw problem;
  }
  throw new TransferFailure('unreachable', 'too many redirects');
}

function headProblem(
  status: number,
  headers: Readonly<Record<string, string | string[] | undefined>>,
  max: number,
): TransferFailure | null {
  if (status !== 200) return new TransferFailure('unreachable', `status ${String(status)}`);
  const type = String(headers['content-type'] ?? '');
  if (/^(text\/|application\/(json|xml|xhtml))/i.test(type)) {
    return new TransferFailure('unreachable', `not a media file: ${type}`);
  }
  if (Number(headers['content-length'] ?? 0) > max) {
    return new TransferFailure('too_large', `more than ${String(max)} bytes`);
  }
  return null;
}

async function* streamed(
  body: AsyncIterable<Uint8Array>,
  max: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > max) throw new TransferFailure('too_large', `more than ${String(max)} bytes`);
      yield chunk;
    }
  } catch (error) {
    throw transferFailure(error, signal);
  }
}

/** Everything but our own abort is a transfer that failed; messages name hosts, never whole URLs. */
function transferFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof TransferFailure) return error;
  return new TransferFailure('unreachable', errorText(error));
}
