import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type IncomingMessage, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect } from '@jest/globals';
import Koa from 'koa';
import { hourMs } from '@framegate/contract';
import { createSlots } from '@framegate/limits';
import type { MediaStore } from '@framegate/media';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import { mediaKey, signOutputUrl } from '../../gateway/src/domain/generations/mediaUrl.ts';
import type { HttpMiddleware, RequestState } from '../../gateway/src/http/context.ts';
import { mediaMiddleware } from '../../gateway/src/http/media/mediaMiddleware.ts';
import { createPieces } from '../../gateway/src/http/media/sendLocalFile.ts';
import { collectLog } from '../support/mongod.ts';

export const generationId = 'gen_01jd00000000000000000000ab';
/** When every test begins. */
export const start = Date.UTC(2026, 10, 21, 6, 0, 0);
export const signingKeys = [
  { version: 'b', secret: 'new' },
  { version: 'a', secret: 'old' },
];
/** Content of a file when its test names nothing else. */
export const bytes = Buffer.from('0123456789'.repeat(1000));

/** The part of a gateway that serves media, on a disk store. */
export interface MediaServer {
  nowMs: number;
  /** Generations whose files are not shown any more. */
  takenDown: string[];
  store: MediaStore;
  /** URL of the media, such as `http://127.0.0.1:40123/media`. */
  mediaUrl: string;
  /** Stores a file. @returns Its signed URL. */
  put(index: number, extension: string, contentType: string, data?: Buffer): Promise<string>;
  urlOf(index: number, extension: string): string;
}

/** Runs the server for the tests of a file; each begins at the same time, with nothing taken down. */
export function useMediaServer(): MediaServer {
  let root = '';
  let server: Server;
  let serve: HttpMiddleware;
  const media: MediaServer = {
    nowMs: start,
    takenDown: [],
    store: undefined as never,
    mediaUrl: '',
    async put(index, extension, contentType, data = bytes) {
      const key = mediaKey('outputs', { generationId, index, extension });
      await media.store.put(key, data, { contentType, maxBytes: 1e6 });
      return media.urlOf(index, extension);
    },
    urlOf: (index, extension) =>
      signOutputUrl({
        mediaUrl: media.mediaUrl,
        signingKeys,
        generationId,
        index,
        extension,
        nowMs: start,
        removedAt: start + 100 * hourMs,
      }).url,
  };
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'framegate-served-'));
    media.store = createDiskStore(root);
    const app = new Koa<RequestState>();
    app.silent = true;
    app.use((ctx, next) => serve(ctx, next));
    app.use((ctx) => {
      ctx.body = 'another part of the gateway';
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    media.mediaUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/media`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
    await rm(root, { recursive: true });
  });
  beforeEach(() => {
    media.nowMs = start;
    media.takenDown = [];
    // Each starts without state from the test before.
    serve = mediaMiddleware({
      slots: createSlots(workKinds),
      fileStem: 'framegate',
      path: '/media',
      delivery: { by: 'proxy' },
      pieces: createPieces(),
      store: media.store,
      signingKeys,
      now: () => media.nowMs,
      isTakenDown: async (id) => media.takenDown.includes(id),
      log: collectLog().log,
    });
  });
  return media;
}

interface ApiResponse {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** Sends a request on its own connection. */
export const get = async (
  url: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<ApiResponse> => {
  const response = await new Promise<IncomingMessage>((answered, failed) => {
    httpRequest(url, { method, headers, agent: false }, answered).on('error', failed).end();
  });
  const body = await buffer(response);
  return { status: response.statusCode ?? 0, headers: response.headers, body };
};

/** Headers of every response that keep browsers from taking a file for a page. */
export const guards = {
  'content-security-policy': expect.stringMatching(/^default-src 'none';.* sandbox$/),
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};
