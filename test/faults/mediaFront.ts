import { createServer, type IncomingMessage, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** The single public URL of files in front of gateway processes that start and stop. */
export interface MediaFront {
  /** Value of MEDIA_URL. */
  url: string;
  close(): Promise<void>;
}

const maxAttempts = 100;

/** Passes each request to a live process, and to another one if that is killed during the request. */
export async function startMediaFront(origins: () => readonly string[]): Promise<MediaFront> {
  const server = createServer((request, response) => {
    const forward = async () => {
      for (let count = 0; count < maxAttempts; count += 1) {
        const alive = origins();
        const origin = alive[count % Math.max(1, alive.length)];
        const received = origin === undefined ? null : await askOne(origin, request);
        if (received) {
          const type = received.headers['content-type'] ?? 'text/plain';
          response.writeHead(received.status, { 'content-type': type }).end(received.body);
          return;
        }
        await pause(50);
      }
      response.writeHead(502).end();
    };
    void forward();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/media`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** One complete response; null if there was none. The Host is kept: the gateway identifies its URL by it. */
async function askOne(origin: string, { url = '', headers }: IncomingMessage) {
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { headers: { host: headers.host ?? '' }, agent: false };
      ask(origin + url, options, resolve)
        .on('error', reject)
        .end();
    });
    const body = await buffer(response);
    return { status: response.statusCode ?? 502, headers: response.headers, body };
  } catch {
    return null;
  }
}
