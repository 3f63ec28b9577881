import { describe, expect, test } from '@jest/globals';
import { get, guards, useMediaServer } from './mediaServer.ts';

const media = useMediaServer();

describe('ranges', () => {
  test.each([
    ['bytes=0-0', 'bytes 0-0/10000', '0'],
    ['bytes=10-14', 'bytes 10-14/10000', '01234'],
    ['bytes=9995-', 'bytes 9995-9999/10000', '56789'],
    ['bytes=9995-20000', 'bytes 9995-9999/10000', '56789'],
    ['bytes=-3', 'bytes 9997-9999/10000', '789'],
  ])('%s', async (range, contentRange, part) => {
    const { status, headers, body } = await get(await media.put(0, 'mp4', 'video/mp4'), { range });
    expect([status, headers['content-range'], body.toString()]).toEqual([206, contentRange, part]);
    expect(headers).toMatchObject({
      ...guards,
      'content-length': String(part.length),
      'content-type': 'video/mp4',
    });
  });

  test.each(['bytes=0-1,4-5', 'bytes=5-2', 'lines=0-1', 'bytes=x'])(
    '%s returns the whole file',
    async (range) => {
      const { status, headers, body } = await get(await media.put(0, 'mp4', 'video/mp4'), {
        range,
      });
      expect([status, headers['content-range'], body.length]).toEqual([200, undefined, 10_000]);
    },
  );

  test.each(['bytes=10000-', 'bytes=20000-30000', 'bytes=-0'])('%s returns 416', async (range) => {
    const { status, headers } = await get(await media.put(0, 'mp4', 'video/mp4'), { range });
    expect([status, headers['content-range']]).toEqual([416, 'bytes */10000']);
    expect(headers['cache-control']).toBe('no-store');
  });

  test('If-Range returns the part of the same file, and the whole of another', async () => {
    const url = await media.put(0, 'mp4', 'video/mp4');
    const { etag = '' } = (await get(url)).headers;
    const ask = async (ifRange: string) =>
      (await get(url, { range: 'bytes=0-1', 'if-range': ifRange })).status;
    expect(await ask(etag)).toBe(206);
    expect(await ask('"another"')).toBe(200);
    expect(await ask(`W/${etag}`)).toBe(200);
    expect(await ask('Sat, 21 Nov 2026 06:00:00 GMT')).toBe(200);
  });

  test('If-None-Match avoids sending the file again', async () => {
    const url = await media.put(0, 'mp4', 'video/mp4');
    const { etag = '' } = (await get(url)).headers;
    const ask = (tags: string) => get(url, { 'if-none-match': tags, range: 'bytes=0-1' });
    for (const tags of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const { status, headers, body } = await ask(tags);
      expect([status, body.length]).toEqual([304, 0]);
      expect(headers).toMatchObject({ etag, 'cache-control': 'private, max-age=3600' });
    }
    expect((await ask('"x"')).status).toBe(206);
  });
});
