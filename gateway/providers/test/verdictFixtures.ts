import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { openPackage, type PackageName } from './packageFixtures.ts';
import { closeRoutes, never, type openRoute, videoRequest } from './routeFixtures.ts';
import { json, startTinyServer, type TinyServer } from './tinyServer.ts';

/** How a provider answers. */
export type FakeResponse = [number, unknown] | ((response: ServerResponse, path: string) => void);

/** A server of any provider's, and routes to it. */
export interface VerdictServer extends TinyServer {
  /** The response to all later requests. */
  given: FakeResponse;
  open(
    name: PackageName,
    model: string,
    options?: Parameters<typeof openRoute>[2],
    provider?: object,
  ): ReturnType<typeof openRoute>;
  /** Verdict of a poll of a job, given the provider's response. */
  poll(
    name: PackageName,
    operation: unknown,
    given: FakeResponse,
    provider?: object,
  ): Promise<Awaited<ReturnType<Awaited<ReturnType<typeof openRoute>>['route']['poll']>>>;
}

/** Runs one for the tests of a file; its requests are forgotten after each. */
export function useVerdictServer(): () => VerdictServer {
  let server: VerdictServer;
  beforeAll(async () => {
    server = await startVerdictServer();
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

async function startVerdictServer(): Promise<VerdictServer> {
  const server = await startTinyServer(({ path }, response) => {
    const { given } = verdicts;
    if (typeof given === 'function') given(response, path);
    else json(response, ...given);
  });
  const verdicts: VerdictServer = {
    ...server,
    given: [500, {}],
    open: (name, model, options = {}, provider = {}) =>
      openPackage(server, name, model, options, provider),
    async poll(name, operation, given, provider) {
      verdicts.given = given;
      const { route } = await verdicts.open(name, 'some-model', {}, provider);
      return route.poll(operation, videoRequest(), never);
    },
  };
  return verdicts;
}
