import { Pool } from 'undici';

/** One request of a load. */
export interface Shot {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** What a load came to. Times in ms. */
export interface LoadResult {
  perSecond: number;
  p50: number;
  p99: number;
  statuses: Record<string, number>;
}

/** One request by undici's barest way: the load shares its cores with what it measures. */
function send(pool: Pool, { body, ...shot }: Shot): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    pool.dispatch(
      { ...shot, body: body ?? null },
      {
        onRequestStart: () => undefined,
        onResponseStart: (_controller, statusCode) => (status = statusCode),
        onResponseData: () => undefined,
        onResponseEnd: () => {
          resolve(status);
        },
        onResponseError: (_controller, error) => {
          reject(error);
        },
      },
    );
  });
}

/** Sends requests on so many connections, each as soon as its last one is answered, for so long. */
export async function load(options: {
  origin: string;
  connections: number;
  forMs: number;
  next: () => Shot;
}): Promise<LoadResult> {
  const pool = new Pool(options.origin, { connections: options.connections, pipelining: 1 });
  const tookMs: number[] = [];
  const statuses: Record<string, number> = {};
  const begin = performance.now();
  const end = begin + options.forMs;
  async function connection(): Promise<void> {
    while (performance.now() < end) {
      const sent = performance.now();
      const status = await send(pool, options.next());
      tookMs.push(performance.now() - sent);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  }
  await Promise.all(Array.from({ length: options.connections }, connection));
  const seconds = (performance.now() - begin) / 1000;
  await pool.close();
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  return { perSecond: sorted.length / seconds, p50: at(0.5), p99: at(0.99), statuses };
}
