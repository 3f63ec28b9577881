import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';

/** An HTTP proxy that opens tunnels (CONNECT), as in companies. */
export interface TunnelProxy {
  origin: string;
  /** Host and port of each tunnel. */
  targets: string[];
  close(): Promise<void>;
}

/** Starts one on this machine. */
export async function startTunnelProxy(): Promise<TunnelProxy> {
  const targets: string[] = [];
  const sockets = new Set<Duplex>();
  const server = createServer((_, response) => response.writeHead(405).end());
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
