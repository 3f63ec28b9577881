import {
  createServer,
  type IncomingMessage,
  request as forward,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request that passed through the proxy, and the client's view of its response. */
export interface Seen {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** Status received by the client; 0 if the connection was cut. */
  status: number;
  /** When it arrived, in ms. */
  at: number;
}

/** The proxy's fault for a matching request. */
export interface Disturbance {
  method: string;
  /** Part of the path. */
  path: string;
  /** Part of the path of requests that pass untouched even if the rest matches. */
  except?: string;
  /** Part of the request's body. */
  body?: string;
  /** Number of requests; one by default. */
  times?: number;
  /** Number of matching requests that pass first. */
  after?: number;
  /** Response that replaces the gateway's. */
  response?: { status: number; headers?: Record<string, string>; body?: unknown };
  /** Cuts the connection without a response. */
  cut?: boolean;
  /** Lets the gateway do its work first, so that only the response is lost. */
  forwarded?: boolean;
  /** Passes this many bytes of the gateway's response, then cuts the connection. */
  cutAfter?: number;
  /** Delays the cut, for example until the client has seen the passed bytes. */
  heldUntil?: () => Promise<void>;
  /** Callback when it happens, before the client sees anything. */
  meanwhile?: () => Promise<void>;
}

/** A proxy to the gateway that can disturb traffic and records it. */
export interface FaultyProxy {
  origin: string;
  /** Origin of the gateway. */
  target: string;
  seen: readonly Seen[];
  disturb(disturbance: Disturbance): void;
  /** Forgets the recorded requests and the planned disturbances. */
  reset(): void;
  close(): Promise<void>;
}

/**
 * Starts the proxy on a port of 127.0.0.1.
 * @param pickTarget Origin for the next request, if there are several gateways.
 */
export async function startFaultyProxy(pickTarget?: () => string): Promise<FaultyProxy> {
  const seen: Seen[] = [];
  let planned: (Disturbance & { left: number; pass: number })[] = [];

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = '', url: path = '', headers } = incoming;
    const entry: Seen = { method, path, headers, body: body.toString(), status: 0, at: Date.now() };
    seen.push(entry);
    const disturbance = takeFor(entry);
    await disturbance?.meanwhile?.();
    const { response: instead, cut = false, forwarded = false } = disturbance ?? {};
    const { cutAfter, heldUntil } = disturbance ?? {};
    const passes = !instead && !cut;
    if (passes || forwarded) {
      const response = await pass((pickTarget?.() ?? line.target) + path, method, headers, body);
      if (passes) {
        entry.status = response.statusCode ?? 0;
        outgoing.writeHead(entry.status, response.headers);
        if (cutAfter === undefined) response.pipe(outgoing);
        else await passPart(response, outgoing, cutAfter, heldUntil);
        return;
      }
      response.resume();
    }
    if (!instead) {
      incoming.socket.destroy();
      return;
    }
    const { status, headers: more = {}, body: content = '' } = instead;
    entry.status = status;
    const isText = typeof content === 'string';
    const type = isText ? 'text/html' : 'application/json; charset=utf-8';
    outgoing.writeHead(status, { 'content-type': type, ...more });
    outgoing.end(isText ? content : JSON.stringify(content));
  }

  function takeFor({ method, path, body }: Seen): Disturbance | undefined {
    const found = planned.find((each) => {
      const fits = each.method === method && path.includes(each.path);
      if (!fits || each.left === 0 || !body.includes(each.body ?? '')) return false;
      if (each.except && path.includes(each.except)) return false;
      each.pass -= 1;
      return each.pass < 0;
    });
    if (found) found.left -= 1;
    return found;
  }

  const server = createServer((incoming, outgoing) => {
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const line: FaultyProxy = {
    origin: `http://127.0.0.1:${port}`,
    target: '',
    seen,
    disturb: (each) => {
      planned.push({ ...each, left: each.times ?? 1, pass: each.after ?? 0 });
    },
    reset() {
      seen.length = 0;
      planned = [];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return line;
}

/** The start of a response, after which the connection is dead. */
async function passPart(
  response: IncomingMessage,
  outgoing: ServerResponse,
  bytes: number,
  heldUntil?: () => Promise<void>,
): Promise<void> {
  const whole = await buffer(response);
  await new Promise((resolve) => outgoing.write(whole.subarray(0, bytes), resolve));
  await heldUntil?.();
  outgoing.destroy();
}

/** Forwards the request on its own connection. */
function pass(
  url: string,
  method: string,
  headers: IncomingMessage['headers'],
  body: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const own = new Set(['host', 'connection']);
    const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => !own.has(name)));
    const outgoing = forward(url, { method, headers: kept, agent: false }, resolve);
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
