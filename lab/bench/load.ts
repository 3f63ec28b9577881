import { hash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { errorCodeOf, quantile } from '@framegate/contract';
import { video } from '../../test/support/bodies.ts';

/** One request of a load. */
export interface LoadRequest {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  body?: string | Buffer;
}

/** A create request with an Idempotency-Key of its own. */
export function createShot(apiKey: string, path: string, body: object): LoadRequest {
  return {
    method: 'POST',
    path,
    headers: {
      authorization: `Bearer ${apiKey}`,
      'idempotency-key': randomUUID(),
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  };
}

/** A create request of the video for which the benches' routes have a provider. */
export const videoShot = (apiKey: string, prompt = 'A paper boat at sunrise'): LoadRequest =>
  createShot(apiKey, '/v1/videos', video({ model: 'alpha-2.0-fast', prompt }));

/** Result of a load. Times in ms. */
export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
  /** Responses by status; requests without one by the code of their error, such as `ECONNRESET`. */
  statuses: Record<string, number>;
}

/** One request through undici's leanest interface: the load shares its cores with the measured server. */
function send(pool: Pool, { body, ...shot }: LoadRequest): Promise<string> {
  return new Promise((resolve) => {
    let status = 0;
    pool.dispatch(
      { ...shot, body: body ?? null },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => (status = statusCode),
        onResponseData: () => undefined,
        onResponseEnd: () => {
          resolve(String(status));
        },
        onResponseError: (_controller, error) => {
          resolve(errorCodeOf(error) ?? error.name);
        },
      },
    );
  });
}

/** How requests are distributed: each connection, or each key as behind the proxies of deploy/, has one process. */
export type Spread = 'by connection' | 'by key';

/** Sends requests on some connections for a time, on each as soon as its last one is answered. */
export async function load(options: {
  origins: readonly string[];
  spread?: Spread;
  connections: number;
  forMs: number;
  next: () => LoadRequest;
  /** The address from which the connections come. */
  localAddress?: string;
}): Promise<LoadResult> {
  const { origins, connections, localAddress } = options;
  const connect = localAddress === undefined ? {} : { connect: { localAddress } };
  const pools = origins.map(
    (origin) => new Pool(origin, { connections, pipelining: 1, ...connect }),
  );
  const tookMs: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const end = startedAt + options.forMs;
  const homeOf = homes(origins);
  async function runConnection(number: number): Promise<void> {
    while (performance.now() < end) {
      const shot = options.next();
      const home = options.spread === 'by key' ? homeOf(shot) : number % pools.length;
      const sent = performance.now();
      const status = await send(pools[home] as Pool, shot);
      tookMs.push(performance.now() - sent);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, number) => runConnection(number)));
  const seconds = (performance.now() - startedAt) / 1000;
  await Promise.all(pools.map((pool) => pool.close()));
  return summarise(tookMs, statuses, seconds);
}

/** The process for a request's key: as in Caddy, the one with the highest hash of both. */
function homes(origins: readonly string[]): (shot: LoadRequest) => number {
  const homeByKey = new Map<string, number>();
  return ({ headers: { authorization: key = '' } }) => {
    const cached = homeByKey.get(key);
    if (cached !== undefined) return cached;
    const weights = origins.map((origin) => hash('sha256', origin + key));
    const home = weights.indexOf(weights.toSorted().at(-1) ?? '');
    homeByKey.set(key, home);
    return home;
  };
}

/**
 * Sends requests at a steady pace, whether earlier ones are answered or not: a slow server meets as many
 * requests as a quick one.
 */
export async function runPaced(options: {
  origin: string;
  perSecond: number;
  forMs: number;
  next: () => LoadRequest;
}): Promise<LoadResult> {
  const pool = new Pool(options.origin, { connections: 500, pipelining: 1 });
  const tookMs: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const under: Promise<void>[] = [];
  for (let sent = 0; (sent * 1000) / options.perSecond < options.forMs; sent += 1) {
    const at = startedAt + (sent * 1000) / options.perSecond;
    await pause(Math.max(0, at - performance.now()));
    under.push(
      send(pool, options.next()).then((status) => {
        tookMs.push(performance.now() - at);
        statuses[status] = (statuses[status] ?? 0) + 1;
      }),
    );
  }
  await Promise.all(under);
  await pool.close();
  return summarise(tookMs, statuses, (performance.now() - startedAt) / 1000);
}

const summarise = (
  tookMs: readonly number[],
  statuses: Record<string, number>,
  seconds: number,
): LoadResult => ({
  perSecond: tookMs.length / seconds,
  p50: quantile(tookMs, 0.5),
  p99: quantile(tookMs, 0.99),
  statuses,
});
