import { type ClientRequest, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import Koa from 'koa';
import { createSlots } from '@framegate/limits';
import { workKinds } from '../../gateway/src/application/workKinds.ts';
import { signInputUrl, signOutputUrl } from '../../gateway/src/domain/generations/mediaUrl.ts';
import type { RequestState } from '../../gateway/src/http/context.ts';
import { maxPerFile } from '../../gateway/src/http/media/fileReaders.ts';
import { mediaMiddleware } from '../../gateway/src/http/media/mediaMiddleware.ts';
import { createPieces } from '../../gateway/src/http/media/sendLocalFile.ts';
import { collectLog } from '../support/mongod.ts';
import { until } from '../support/until.ts';

/*
 * The attack: someone with one signed URL opens connection after connection, asks for the file and
 * reads nothing, until the gateway has no connection to its store left for others.
 */

const maxPerAddress = workKinds.download.maxPerCaller;
const generationId = 'gen_01jd00000000000000000000ab';
const signingKeys = [{ version: 'a', secret: 'secret' }];
/** The first file never ends. */
const [endless, short] = [0, 1];

let server: Server;
let mediaUrl = '';
let underWay = 0;
const readers: ClientRequest[] = [];

beforeAll(async () => {
  const file = { bytes: 1_000, contentType: 'video/mp4', etag: 'a' };
  const app = new Koa<RequestState>();
  app.silent = true;
  app.use(
    mediaMiddleware({
      fileStem: 'framegate',
      path: '/media',
      delivery: { by: 'proxy' },
      slots: createSlots(workKinds),
      pieces: createPieces(),
      signingKeys,
      now: () => 0,
      isTakenDown: async () => false,
      log: collectLog().log,
      store: {
        stat: async () => file as never,
        open: async (key) => {
          const isEndless = key.includes(`/${String(endless)}.`);
          const stream = new Readable({ read: () => undefined });
          stream.push(Buffer.alloc(isEndless ? 10 : file.bytes));
          if (!isEndless) stream.push(null);
          underWay += 1;
          stream.once('close', () => (underWay -= 1));
          return { ...file, stream };
        },
      },
    }),
  );
  server = app.listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  mediaUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/media`;
});
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.destroy();
  await until(async () => underWay === 0);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
});

const urlOf = (index: number) =>
  signOutputUrl({
    mediaUrl,
    signingKeys,
    generationId,
    index,
    extension: 'mp4',
    nowMs: 0,
    removedAt: 1e9,
  }).url;

/** Asks for a file from an address of this machine, and never reads the response. */
const ask = (localAddress: string, url: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const reader = request(url, { localAddress, agent: false }, resolve).on('error', reject).end();
    readers.push(reader);
  });
const statuses = async (count: number, address: string, url: string) => {
  const asked = Array.from({ length: count }, () => ask(address, url));
  return [...new Set((await Promise.all(asked)).map(({ statusCode }) => statusCode))];
};

test('one address is served up to a limit, without delaying others, and again once its readers have left', async () => {
  expect(await statuses(maxPerAddress, '127.0.0.1', urlOf(endless))).toEqual([200]);
  const refused = await ask('127.0.0.1', urlOf(short));
  expect(refused.statusCode).toBe(503);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(underWay).toBe(maxPerAddress);
  expect(await statuses(1, '127.0.0.2', urlOf(short))).toEqual([200]);
  for (const reader of readers.splice(0)) reader.destroy();
  await until(async () => (await ask('127.0.0.1', urlOf(short))).statusCode === 200);
});

test('one file is served up to a limit shared by the addresses; other files are unaffected', async () => {
  for (let first = 0; first < maxPerFile; first += maxPerAddress) {
    const count = Math.min(maxPerAddress, maxPerFile - first);
    expect(await statuses(count, `127.0.1.${first + 1}`, urlOf(endless))).toEqual([200]);
  }
  const asked: (number | undefined)[] = [];
  while (asked.at(-1) !== 503) asked.push((await ask('127.0.2.1', urlOf(endless))).statusCode);
  expect(asked).toEqual([...Array<number>(Math.floor(maxPerFile / 3)).fill(200), 503]);
  await until(() => underWay === maxPerFile, 'each of them ended a response of another');
  expect(await statuses(1, '127.0.2.1', urlOf(short))).toEqual([200]);
});

test('a provider may fetch more inputs at once than a browser may fetch outputs', async () => {
  const { url } = signInputUrl({
    mediaUrl,
    signingKeys,
    generationId,
    index: endless,
    extension: 'mp4',
    nowMs: 0,
    validMs: 1_000,
  });
  expect(await statuses(maxPerAddress + 1, '127.0.0.1', url)).toEqual([200]);
});
