import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Koa from 'koa';
import { builtInBrand } from '../../gateway/src/domain/brand/brand.ts';
import { createZipResponse } from '../../gateway/src/http/site/account/generations/zipResponse.ts';
import { until } from '../support/until.ts';

let server: Server;
let origin = '';
let letGo: () => void = () => undefined;
const opened: Readable[] = [];

beforeAll(async () => {
  const held = new Promise<void>((resolve) => (letGo = resolve));
  /** A store whose file begins, and continues on request. */
  async function* slowly(): AsyncGenerator<Buffer> {
    yield Buffer.from('begin');
    await held;
    yield Buffer.from(' end');
  }
  const open = async (key: string) => {
    const stream =
      key === 'slow' ? Readable.from(slowly()) : Readable.from([Buffer.from('a file')]);
    opened.push(stream);
    return { stream, bytes: 9, contentType: 'image/png', etag: 'x' };
  };
  const zip = createZipResponse({
    deps: { clock: { now: () => 1 }, brand: builtInBrand, media: { open } } as never,
    modelName: (id) => id,
  });
  const app = new Koa();
  // Koa logs the disconnected client.
  app.silent = true;
  app.use(async (ctx) => {
    const [, , key = ''] = ctx.path.split('/');
    const outputs = [{ key, extension: 'png', mediaType: 'image/png', sha256: '' }];
    const generation = {
      id: 'gen_a',
      outputsRemovedAt: null,
      outputsRemoveAt: 2,
      createdAt: 0,
      model: 'image-b-2',
      prompt: 'A boat',
      parameters: {} as never,
      costCredits: 6,
    };
    const bytes = key === 'slow' ? 9 : 6;
    const files = outputs.map((each) => ({ ...each, bytes }));
    await zip(ctx as never, [{ ...generation, endedAt: 0, outputs: files }], 'framegate-gen_a');
  });
  server = createServer((req, res) => void app.callback()(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  letGo();
  server.close();
});

test('an archive has all files, and a reader who leaves leaves none of them open', async () => {
  const response = await fetch(`${origin}/ada/quick`);
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
  const slow = request(`${origin}/ada/slow`).on('error', () => undefined);
  const begun = new Promise<void>((resolve) => {
    slow.once('response', (res) => res.once('data', () => resolve()));
  });
  slow.end();
  await begun;
  slow.destroy();
  letGo();
  await until(() => opened.every(({ destroyed }) => destroyed), 'no file is left open');
});
