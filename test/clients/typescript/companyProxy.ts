import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * An HTTP proxy, as in companies: it opens tunnels (CONNECT, for `https:`) and forwards requests that
 * name their whole target (RFC 9112, section 3.2.2, for `http:`).
 */
export interface CompanyProxy {
  origin: string;
  /** Host and port of each tunnel and of each forwarded request. */
  targets: string[];
  close(): Promise<void>;
}

/** Starts one on this machine. */
export async function startCompanyProxy(): Promise<CompanyProxy> {
  const targets: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer((incoming, response) => {
    const target = new URL(incoming.url ?? '');
    targets.push(target.host);
    const { method, headers } = incoming;
    const onward = request(target, { method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    onward.on('error', () => response.destroy());
    incoming.pipe(onward);
  });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', ({ url = '' }, client) => {
    targets.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const far = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      far.pipe(client).pipe(far);
    });
    for (const socket of [client, far]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    targets,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
