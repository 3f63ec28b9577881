import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, test } from '@jest/globals';
import { loadSource } from './support/loadSource.ts';

let whyNotMedia: (kind: string, type: string, body: Readable) => Promise<string | undefined>;
beforeAll(async () => {
  ({ whyNotMedia } = await loadSource<{ whyNotMedia: typeof whyNotMedia }>(
    'nodes/Framegate/actions/mediaKind.ts',
  ));
});

/** A body that arrives in pieces of five bytes. */
function body(latin1: string): Readable {
  const piece = 5;
  const bytes = Buffer.from(latin1, 'latin1');
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.subarray(index * piece, (index + 1) * piece),
  );
  return Readable.from(pieces, { objectMode: false });
}

const mp4 = '\0\0\0\x20ftypisom, and more of it';

test.each([
  ['video', 'video/mp4', mp4],
  ['video', 'video/webm', '\x1aE\xdf\xa3 and more of it'],
  ['image', 'image/png', '\x89PNG\r\n\x1a\n and more'],
  ['image', 'image/jpeg', '\xff\xd8\xff\xe0 and more'],
  ['image', 'image/webp', 'RIFF1234WEBPVP8 and more'],
])('%s: %s is one, and keeps its bytes', async (kind, type, bytes) => {
  const file = body(bytes);
  expect(await whyNotMedia(kind, type, file)).toBeUndefined();
  expect((await buffer(file)).toString('latin1')).toBe(bytes);
});

test.each([
  ['video', 'text/html', '<html>Down for maintenance</html>'],
  ['video', 'video/mp4', '<html>Down for maintenance</html>'],
  ['video', 'video/mp4', ''],
  ['video', 'video/mp4', 'ft'],
  ['video', 'image/png', '\x89PNG\r\n\x1a\n'],
  ['image', 'image/png', mp4],
  ['image', '', '\x89PNG\r\n\x1a\n'],
])('%s: %s with other bytes is not', async (kind, type, bytes) => {
  expect(await whyNotMedia(kind, type, body(bytes))).toMatch(kind);
});

test('a connection cut before the first bytes is reported as such', async () => {
  const cut = new Readable({ read: () => undefined });
  const response = whyNotMedia('video', 'video/mp4', cut);
  cut.destroy(new Error('socket hang up'));
  await expect(response).rejects.toThrow('socket hang up');
});
