import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** An error as Zapier shows it: here, all data from the app. */
class Told extends Error {
  readonly handedOver: unknown[];

  constructor(...handedOver: unknown[]) {
    super(String(handedOver[0]));
    this.handedOver = handedOver;
  }
}

interface HttpOptions {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  body?: Uint8Array<ArrayBuffer>;
  /** Hands the body over as a stream. */
  raw?: boolean;
}

/** A lost line as Zapier's own client tells it. */
function lost(cause: unknown): never {
  throw Object.assign(new Error('request failed', { cause }), { name: 'FetchError' });
}

/** Zapier's tools for one step, over real HTTP; values that the step caches or stashes go into `kept`. */
export function zapierTools(kept: unknown[]): object {
  const cache = new Map<string, unknown>();
  return {
    errors: { Error: Told, HaltedError: Told, ExpiredAuthError: Told, ThrottledError: Told },
    cache: {
      get: async (key: string) => cache.get(key) ?? null,
      async set(key: string, value: unknown) {
        cache.set(key, value);
        return kept.push(key, value) > 0;
      },
    },
    hash: (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex'),
    dehydrateFile: (_hydrator: unknown, inputData: object) => ({ dehydrated: inputData }),
    async stashFile(file: Readable) {
      kept.push((await buffer(file)).toString('latin1'));
      return 'https://zapier.example/stashed';
    },
    async request({ url, method = 'GET', headers = {}, body, raw }: HttpOptions) {
      const sent = { method, headers, ...(body && { body }) };
      const response = await fetch(url, sent).catch(lost);
      if (raw) {
        const { status, headers: responseHeaders } = response;
        return { status, headers: responseHeaders, body: Readable.from(response.body ?? []) };
      }
      const content = Buffer.from(await response.arrayBuffer().catch(lost)).toString('latin1');
      const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
      return {
        status: response.status,
        content,
        data: isJson ? (JSON.parse(content) as unknown) : undefined,
        headers: Object.fromEntries(response.headers),
        getHeader: (name: string) => response.headers.get(name) ?? undefined,
      };
    },
  };
}
