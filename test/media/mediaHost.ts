import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import { TransferError } from '@framegate/limits';
import {
  createGuardedFetch,
  type GuardedFetchOptions,
} from '../../gateway/src/adapters/net/guardedFetch.ts';
import { createTlsAuthority } from './tlsAuthority.ts';

/** The host that the server stands for. */
export const host = 'media.example';

/** A server of media over TLS, and guarded clients that trust it. */
export interface MediaHost {
  /** Address and port on which the server listens. */
  override: { address: string; port: number };
  /** Requests that reached the server in this test. */
  requests: IncomingMessage[];
  /** How the server answers in this test. */
  respond: (request: IncomingMessage, response: ServerResponse) => void;
  clientWith(options?: Partial<GuardedFetchOptions>): ReturnType<typeof createGuardedFetch>;
  /** Fetches a file whole. */
  fetchFrom(
    options?: Partial<GuardedFetchOptions>,
    request?: { url?: string; maxBytes?: number; signal?: AbortSignal },
  ): Promise<Buffer>;
}

/** Runs the server for the tests of a file; each begins with a response that is a greeting. */
export function useMediaHost(): MediaHost {
  const authority = createTlsAuthority();
  let server: Server;
  const media: MediaHost = {
    override: { address: '127.0.0.1', port: 0 },
    requests: [],
    respond: () => undefined,
    clientWith: (options = {}) =>
      createGuardedFetch({
        hostOverrides: new Map([[host, media.override]]),
        bundledHosts: new Map(),
        extraCa: [authority.cert],
        ...options,
      }),
    fetchFrom: async (
      options = {},
      { url = `https://${host}/x`, maxBytes = 100_000, signal = new AbortController().signal } = {},
    ) => buffer(await media.clientWith(options)(url, { maxBytes, signal })),
  };
  beforeAll(async () => {
    server = createServer(authority.issue(host), (request, response) => {
      media.requests.push(request);
      media.respond(request, response);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    media.override.port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  beforeEach(() => {
    media.requests = [];
    media.respond = (_, response) => response.end('hello');
  });
  return media;
}

/** Error of a fetch; a fetch that succeeds fails the test. */
export const failureOf = async (fetched: Promise<Buffer>): Promise<TransferError> => {
  const error: unknown = await fetched.then(
    (got) => new Error(`got ${got.length} bytes`),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(TransferError);
  return error as TransferError;
};
