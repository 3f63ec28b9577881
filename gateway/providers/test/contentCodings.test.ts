import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { openPackage } from './packageFixtures.ts';
import { imageRequest, never, readOutput } from './routeFixtures.ts';
import { useTinyServer } from './useTinyServer.ts';

const encoders = {
  identity: (text: string) => text,
  gzip: gzipSync,
  'x-gzip': gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  compress: (text: string) => text,
};
type Coding = keyof typeof encoders;

let planned: { status: number; coding: Coding; body: object };
const server = useTinyServer((_got, response) => {
  const { status, coding, body } = planned;
  response.writeHead(status, { 'content-type': 'application/json', 'content-encoding': coding });
  response.end(encoders[coding](JSON.stringify(body)));
});

async function order(status: number, coding: Coding, body: object) {
  planned = { status, coding, body };
  const { route } = await openPackage(server(), 'openai', 'dall-e-3', { type: 'image' });
  return route.submit(imageRequest(), never);
}

const image = { created: 1, data: [{ b64_json: Buffer.from('picture').toString('base64') }] };
const error = { error: { message: 'not this prompt', code: 'refused' } };

test.each(['identity', 'gzip', 'x-gzip', 'deflate', 'br'] as const)(
  'responses in the content coding %s are read',
  async (coding) => {
    const made = await order(200, coding, image);
    expect(made.kind).toBe('completed');
    if (made.kind !== 'completed') return;
    expect((await readOutput(made.outputs[0])).toString()).toBe('picture');
    expect(await order(400, coding, error)).toMatchObject({
      response: { status: 400, body: JSON.stringify(error) },
    });
  },
);

test('a coding that does not exist has no effect', async () => {
  expect(await order(400, 'compress', error)).toMatchObject({
    response: { status: 400, body: JSON.stringify(error) },
  });
  expect(server().got.at(-1)?.headers['accept-encoding']).toBe('gzip, deflate, br');
});
