import { connect, createServer, type Socket } from 'node:net';
import { freePort } from '../../test/support/freePort.ts';

/** Forwards TCP connections to a server on this machine, until it is silenced. */
export interface SilentProxy {
  port: number;
  /** While silent, it accepts connections and keeps them open, but transfers no byte in either direction. */
  setSilent(isSilent: boolean): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of a port of 127.0.0.1. */
export async function startSilentProxy(target: number): Promise<SilentProxy> {
  const sockets = new Set<Socket>();
  let isSilent = false;
  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes: Buffer) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on('drain', () => {
        if (!isSilent) from.resume();
      });
      if (isSilent) from.pause();
    }
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    port,
    setSilent(silent) {
      isSilent = silent;
      for (const socket of sockets) {
        if (silent) socket.pause();
        else socket.resume();
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
