import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** One request of the app, and what it got. */
export interface Observed {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  /** Null when no answer was given. */
  status: number | null;
}

/**
 * What happens to a request instead of going through: an answer of its own, no answer at all, or the
 * gateway's answer withheld after the gateway has done its work.
 */
export type Mischief =
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body: string }
  | { kind: 'reset' }
  | { kind: 'lost answer'; then?: () => void };

/** A line between the app and the gateway, which is observed and can be cut. */
export interface ObservedApi {
  origin: string;
  /** Where requests go. */
  target: string;
  requests: Observed[];
  /** Asked for each request; undefined lets it through. */
  mischief: ((request: Observed) => Mischief | undefined) | undefined;
  /** Ms by which the server's Date header is ahead, for clocks that run fast. */
  aheadMs: number;
  close(): Promise<void>;
}

/** Headers that belong to one connection. */
const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host']);

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
  const api: ObservedApi = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    target: '',
    requests: [],
    mischief: undefined,
    aheadMs: 0,
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
    if (mischief?.kind === 'answer') {
      observed.status = mischief.status;
      const type = { 'content-type': 'application/json; charset=utf-8' };
      response.writeHead(mischief.status, { ...type, ...mischief.headers }).end(mischief.body);
      return;
    }
    const answer = await pass(observed, body);
    if (mischief?.kind === 'lost answer') {
      mischief.then?.();
      response.socket?.destroy();
      return;
    }
    observed.status = answer.status;
    const headers = Object.fromEntries(
      [...answer.headers].filter(([name]) => !connectionHeaders.has(name)),
    );
    const date = new Date(Date.now() + api.aheadMs).toUTCString();
    response.writeHead(answer.status, { ...headers, date });
    response.end(Buffer.from(await answer.arrayBuffer()));
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
