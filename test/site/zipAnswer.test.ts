import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import Koa from 'koa';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { builtInBrand } from '../../gateway/src/domain/brand.ts';
import { createZipAnswer } from '../../gateway/src/http/site/account/zipAnswer.ts';
import { until } from '../support/until.ts';

let server: Server;
let origin = '';
let letGo: () => void = () => undefined;
const opened: Readable[] = [];

beforeAll(async () => {
  const held = new Promise<void>((resolve) => (letGo = resolve));
  /** A store whose file begins, and goes on when it is told to. */
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
  const zip = createZipAnswer({
    files: { store: { open } },
    deps: { clock: { now: () => 1 }, brand: builtInBrand } as never,
  });
  const app = new Koa();
  // Koa prints who went away.
  app.silent = true;
  app.use(async (ctx) => {
    const [, accountId = '', key = ''] = ctx.path.split('/');
    const outputs = [{ key, extension: 'png', mediaType: 'image/png', sha256: '' }];
    const generation = { id: 'gen_a', accountId, outputsDeletedAt: null, outputsDeleteAt: 2 };
    try {
      await zip(
        ctx as never,
        [
          {
            ...generation,
            endedAt: 0,
            outputs: outputs.map((each) => ({ ...each, bytes: key === 'slow' ? 9 : 6 })),
          },
        ],
        'framegate-gen_a',
      );
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      ctx.status = 429;
    }
  });
  server = createServer((req, res) => void app.callback()(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  letGo();
  server.close();
});

const load = async (path: string) => {
  const answer = await fetch(origin + path);
  return [answer.status, (await answer.arrayBuffer()).byteLength] as const;
};

test('one archive at a time per account: the second waits, a third is refused; a reader who leaves leaves nothing open', async () => {
  const slow = request(`${origin}/ada/slow`);
  const begun = new Promise<void>((resolve) => {
    slow.once('response', (answer) => answer.once('data', () => resolve()));
  });
  slow.end();
  await begun;
  const statuses: number[] = [];
  for (let tries = 0; tries < 3; tries += 1) {
    void load('/ada/quick').then(([status]) => statuses.push(status));
  }
  await until(() => statuses.length === 2, 'all but one are refused');
  const [status, length] = await load('/grace/quick');
  expect(status).toBe(200);
  expect(length).toBeGreaterThan(100);
  slow.on('error', () => undefined).destroy();
  await until(() => statuses.length === 3, 'the place is free again');
  expect(statuses).toEqual([429, 429, 200]);
  letGo();
  await until(() => opened.every(({ destroyed }) => destroyed), 'no file is left open');
});
