import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { closeRoutes } from './routeFixtures.ts';
import { startTinyServer, type TinyServer } from './tinyServer.ts';

/** Runs a tiny server for the tests of a file, after which all routes are closed; each test starts without requests. */
export function useTinyServer(respond: Parameters<typeof startTinyServer>[0]): () => TinyServer {
  let server: TinyServer;
  beforeAll(async () => {
    server = await startTinyServer(respond);
  });
  beforeEach(() => void server.got.splice(0));
  afterAll(async () => {
    await closeRoutes();
    await server.close();
  });
  return () => server;
}
