import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request of the app, and its response. */
export interface Observed {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Null when no response was given. */
  status: number | null;
}

/**
 * The outcome of a request that does not pass: a response of its own, no response at all, or the gateway's response
 * withheld after the gateway has done its work.
 */
export type Mischief =
  | { kind: 'response'; status: number; headers?: Record<string, string>; body: string }
  | { kind: 'reset' }
  | { kind: 'lost response'; then?: () => void };

/** A line between the app and the gateway, which is observed and can be cut. */
export interface ObservedApi {
  origin: string;
  /** URL to which requests go. */
  target: string;
  requests: Observed[];
  /** Asked for each request; undefined lets it through. */
  mischief: ((request: Observed) => Mischief | undefined) | undefined;
  /** Ms by which the server is ahead, for clocks that run fast: its Date, and when things happened. */
  aheadMs: number;
  /** Marks this generation as ended on the fast clock; otherwise it ends when its end is first seen. */
  markEnded(id: string): void;
  close(): Promise<void>;
}

/** Headers of one connection, and of bytes that are written again. */
const connectionHeaders = new Set([
  ...['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host'],
]);

export async function observeApi(): Promise<ObservedApi> {
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const observed = { method, path: url, headers, body: body.toString(), status: null };
      api.requests.push(observed);
      return serve(observed, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  /** How far the clock was ahead when each generation was made, and when it ended. */
  const created = new Map<string, number>();
  const ended = new Map<string, number>();
  const api: ObservedApi = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    requests: [],
    mischief: undefined,
    aheadMs: 0,
    markEnded(id) {
      if (!ended.has(id)) ended.set(id, api.aheadMs);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  async function serve(observed: Observed, body: Buffer, response: ServerResponse): Promise<void> {
    const mischief = api.mischief?.(observed);
    if (mischief?.kind === 'reset') {
      response.socket?.destroy();
      return;
    }
    if (mischief?.kind === 'response') {
      observed.status = mischief.status;
      const type = { 'content-type': 'application/json; charset=utf-8' };
      response.writeHead(mischief.status, { ...type, ...mischief.headers }).end(mischief.body);
      return;
    }
    const passed = await pass(observed, body);
    if (mischief?.kind === 'lost response') {
      mischief.then?.();
      response.socket?.destroy();
      return;
    }
    observed.status = passed.status;
    const headers = Object.fromEntries(
      [...passed.headers].filter(([name]) => !connectionHeaders.has(name)),
    );
    const date = new Date(Date.now() + api.aheadMs).toUTCString();
    response.writeHead(passed.status, { ...headers, date });
    const bytes = Buffer.from(await passed.arrayBuffer());
    response.end(observed.path.startsWith('/v1/') ? onFastClock(bytes) : bytes);
  }

  /** The response with the times of its generation as the fast clock had them. */
  function onFastClock(bytes: Buffer): Buffer {
    const body = JSON.parse(bytes.toString()) as Record<string, string | undefined>;
    const { id, created_at, completed_at } = body;
    if (id === undefined || created_at === undefined) return bytes;
    if (!created.has(id)) created.set(id, api.aheadMs);
    if (completed_at !== undefined) api.markEnded(id);
    const later = (time: string, ahead = 0) => new Date(Date.parse(time) + ahead).toISOString();
    const times = {
      created_at: later(created_at, created.get(id)),
      ...(completed_at !== undefined && { completed_at: later(completed_at, ended.get(id)) }),
    };
    return Buffer.from(JSON.stringify({ ...body, ...times }));
  }

  function pass({ method, path, headers }: Observed, body: Buffer): Promise<Response> {
    const sent = Object.entries(headers).filter(([name]) => !connectionHeaders.has(name));
    return fetch(api.target + path, {
      method,
      headers: Object.fromEntries(sent.map(([name, value]) => [name, String(value)])),
      redirect: 'manual',
      ...(method === 'POST' && { body: new Uint8Array(body) }),
    });
  }
  return api;
}
