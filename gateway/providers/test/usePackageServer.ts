import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { startPackageServer } from './packageFixtures.ts';
import { closeRoutes } from './routeFixtures.ts';
import type { TinyServer } from './tinyServer.ts';

/** A server that serves pictures, and gives one response to everything else. */
export interface PackageServer extends TinyServer {
  /** The response to all later requests. */
  response: unknown;
}

/** Runs it for the tests of a file; its requests are forgotten after each. */
export function usePackageServer(): () => PackageServer {
  let server: PackageServer;
  beforeAll(async () => {
    const started = await startPackageServer(() => server.response);
    server = { ...started, response: {} };
  });
  afterEach(() => {
    server.got.length = 0;
  });
  afterAll(async () => {
    await closeRoutes();
    await server.close();
  });
  return () => server;
}
