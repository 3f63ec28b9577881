import { get as getPlain, type IncomingMessage } from 'node:http';
import { get as getSecure } from 'node:https';
import { Readable } from 'node:stream';
import type { Platform } from '../platform.ts';

const maxRedirects = 5;

/**
 * Fetches a file with Node's own HTTP client. Node's `fetch` ends the whole process when a server closes the connection
 * while the body waits for a slow disk (`assert(!this.paused)`, issue 5360 of undici; present in Node 24).
 */
export const fetchFile: Platform['fetchFile'] = (url, init) => follow(url, init, maxRedirects);

async function follow(
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
  redirectsLeft: number,
): Promise<Response> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const get = url.startsWith('https:') ? getSecure : getPlain;
    get(url, init, resolve).on('error', reject);
  });
  const { statusCode: status = 500, headers } = response;
  if (status >= 300 && status < 400 && headers.location !== undefined && redirectsLeft > 0) {
    response.destroy();
    return follow(new URL(headers.location, url).href, init, redirectsLeft - 1);
  }
  const plain = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const body = Readable.toWeb(response) as ReadableStream<Uint8Array>;
  return new Response(status === 204 || status === 304 ? null : body, { status, headers: plain });
}
