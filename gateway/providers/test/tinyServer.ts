import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request as received by a tiny server. */
export interface Got {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  /** Parsed JSON, or text if it is not JSON. */
  body: unknown;
  /** The client's port, different for each connection. */
  port: number;
}

/** A server of a test on 127.0.0.1. */
export interface TinyServer {
  host: string;
  origin: string;
  got: Got[];
  close(): Promise<void>;
}

/** Starts a server that keeps every request and gives scripted responses. */
export async function startTinyServer(
  respond: (got: Got, response: ServerResponse) => void,
): Promise<TinyServer> {
  const got: Got[] = [];
  const server = createServer((request, response) => {
    const one = async () => {
      const { method = '', url = '', headers, socket } = request;
      const body = parse(await text(request));
      const entry = { method, path: url, headers, body, port: socket.remotePort ?? 0 };
      got.push(entry);
      respond(entry, response);
    };
    one().catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const host = `127.0.0.1:${port}`;
  return {
    host,
    origin: `http://${host}`,
    got,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Answers in JSON. */
export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A page from something in between. */
export const html = (status: number) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>');
/** Closes the connection without a response. */
export const reset = (response: ServerResponse): void => void response.destroy();

/** A small picture. */
export const png = Buffer.from('iVBORw0KGgo=', 'base64');

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
