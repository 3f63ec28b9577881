import { Agent } from 'undici';
import { coversHost } from '@framegate/contract';
import { fileRequestHeaders } from '@framegate/limits';
import type { HttpProvider } from './configuredRoutes.ts';
import { type Exchange, mayOrder, type ProviderCall } from './exchanges.ts';
import type { Network } from './network.ts';

/** Rules of every request to one provider: reachable hosts and connections. */
export type ProviderHttp = ReturnType<typeof createProviderHttp>;

/**
 * A request forbidden by our own rules, such as one to a host that the route does not name. Nothing was sent.
 * `providerFetch` catches it: it is not retried.
 */
export class RequestBlockedError extends Error {
  override readonly name = 'RequestBlockedError';
}

/** Longest stall of a download, in ms. */
const downloadIdleMs = 30_000;

/**
 * Creates the rules and connections for a provider.
 * @param apiHosts Hosts of its API in addition to those in its entry; null if unknown.
 */
export function createProviderHttp(
  provider: HttpProvider,
  { connectorFor }: Pick<Network, 'connectorFor'>,
  apiHosts: readonly string[] | null = null,
) {
  const { allowPrivateNetwork, rewriteOrigins, apiOrigins } = provider;
  const isApiHost = hostMatcher(apiHosts ?? []);
  const connector = connectorFor(allowPrivateNetwork ? 'any' : 'public');
  const isMediaHost = hostMatcher(provider.mediaHosts);
  // Calls have their own deadlines, so the agents need none for headers and bodies.
  const agent = { connect: connector.connect, headersTimeout: 0, bodyTimeout: 0 };
  const dispatchers = {
    // No keep-alive: after a reset of a reused connection it would be unknown whether the request arrived.
    submits: new Agent({ ...agent, pipelining: 0 }),
    polls: new Agent({ ...agent, keepAliveTimeout: 4_000, keepAliveMaxTimeout: 30_000 }),
    downloads: new Agent({
      connect: connector.connect,
      headersTimeout: downloadIdleMs,
      bodyTimeout: downloadIdleMs,
    }),
  };
  return {
    /** The URL to connect to, after `rewriteOrigins`. @throws RequestBlockedError if it is not allowed. */
    resolve(text: string): URL {
      const url = URL.parse(text);
      if (!url) throw new RequestBlockedError('not a URL');
      const origin = rewriteOrigins.get(url.origin);
      const target = origin === undefined ? url : new URL(url.pathname + url.search, origin);
      if (target.protocol !== 'https:' && !(allowPrivateNetwork && target.protocol === 'http:')) {
        throw new RequestBlockedError(`${target.protocol} is not allowed`);
      }
      return target;
    },
    /** Whether files may be downloaded from this URL of the provider. */
    isMedia(text: string): boolean {
      const url = URL.parse(text);
      return url !== null && (isMediaHost(url) || rewriteOrigins.has(url.origin));
    },
    /** Whether this URL belongs to the API, by the provider's entry or its known package. */
    isApi(text: string): boolean {
      const url = URL.parse(text);
      if (url === null) return false;
      return apiOrigins.has(url.origin) || (url.protocol === 'https:' && isApiHost(url));
    },
    /** Whether all hosts of the API are known, so that the key goes only to them. */
    knowsApi: apiHosts !== null,
    /** Whether a request failed before any of it was sent. */
    neverConnected: (error: unknown) =>
      error instanceof RequestBlockedError || connector.neverConnected(error),
    /** Connections by purpose. */
    dispatchers,
    async close(): Promise<void> {
      await Promise.all(Object.values(dispatchers).map((each) => each.destroy()));
    },
  };
}

/**
 * Matches URLs against hosts in the notation of `mediaHosts`: `host` and `*.suffix` mean the scheme's own port,
 * `host:port` and `*.suffix:port` only that port; `*.suffix` requires at least one label before the suffix. A
 * trailing dot, which names the same host to DNS, does not match.
 */
export function hostMatcher(entries: readonly string[]): (url: URL) => boolean {
  const rules = entries.map((entry) => entry.toLowerCase());
  return ({ host }) => coversHost(rules, host);
}

/**
 * The `Retry-After` of a response in ms, or null. A date is compared with the response's own `Date`, so that the
 * local clock does not matter (RFC 9110, 10.2.3).
 */
export function parseRetryAfter(headers: { get(name: string): string | null }): number | null {
  const value = headers.get('retry-after')?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000;
  if (!/^[A-Za-z]{3}/.test(value)) return null;
  const waitMs = Date.parse(value) - Date.parse(headers.get('date') ?? '');
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : null;
}

/**
 * Adds our reference to a request that creates work, so that the provider can recognise a repetition (safeToRepeat).
 */
export function withReference(
  init: RequestInit,
  call: ProviderCall | undefined,
  earlier: readonly Exchange[],
): RequestInit {
  if (!call?.reference) return init;
  const headers = new Headers(init.headers);
  const number = earlier.filter(mayOrder).length + 1;
  headers.set('idempotency-key', `${call.reference}-${number}`);
  return { ...init, headers };
}

/** Sent with every request unless the package sets them. */
const usualHeaders = {
  accept: '*/*',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'undici',
};

/** The parts of a request in the forms sent by undici; forms and blobs are serialised first. */
export async function readRequest(init: RequestInit, { isFile = false }: Exchange) {
  const headers = new Headers(usualHeaders);
  for (const [name, value] of new Headers(init.headers)) headers.set(name, value);
  if (isFile) {
    for (const [name, value] of Object.entries(fileRequestHeaders)) headers.set(name, value);
  }
  const { body } = init;
  const signal = init.signal ?? null;
  if (body === undefined || body === null || typeof body === 'string') {
    if (typeof body === 'string') setUnlessGiven(headers, 'text/plain;charset=UTF-8');
    return { headers, body: body ?? null, signal };
  }
  const written = new Response(body);
  setUnlessGiven(headers, written.headers.get('content-type'));
  return { headers, body: new Uint8Array(await written.arrayBuffer()), signal };
}

function setUnlessGiven(headers: Headers, contentType: string | null): void {
  if (contentType && !headers.has('content-type')) headers.set('content-type', contentType);
}
