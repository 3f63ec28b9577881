import { createServer } from 'node:net';

/**
 * Below the range from which systems take the ports of outgoing connections, which could take one before its use, and
 * above those that `fetch` refuses (https://fetch.spec.whatwg.org/#port-blocking), of which 10080 is the highest.
 */
const ports = { min: 10_100, max: 30_000 };

// Test processes begin at different ports.
let last = ports.min + ((process.pid * 4_001) % (ports.max - ports.min));

/** A port of 127.0.0.1 that is currently free, and that this process has not returned lately. */
export async function freePort(): Promise<number> {
  last = last < ports.max ? last + 1 : ports.min;
  const port = last;
  return (await isFree(port)) ? port : freePort();
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => void server.close(() => resolve(true)));
  });
}
