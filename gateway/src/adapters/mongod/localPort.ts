import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

const HOST = '127.0.0.1';
/**
 * Ports for new databases, below those that systems hand out to outgoing connections (Linux from
 * 32768, macOS from 49152), so that a kept port is seldom taken at a later start.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 29_999;

/** Does anything accept connections on this port of 127.0.0.1? */
export function isListening(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const socket = connect({ host: HOST, port, timeout: 1_000 });
    const end = (answer: boolean): void => {
      socket.destroy();
      settle(answer);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
  });
}

/** Could a server listen on this port of 127.0.0.1 now? */
export function isPortFree(port: number): Promise<boolean> {
  return new Promise((settle) => {
    const server = createServer();
    server.once('error', () => settle(false));
    server.listen({ host: HOST, port, exclusive: true }, () => {
      server.close(() => settle(true));
    });
  });
}

/** A port that is free now, chosen by chance. */
export async function pickPort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if (await isPortFree(port)) return port;
  }
}
