import { readFileSync } from 'node:fs';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import fc from 'fast-check';
import { isRawError } from '../support/strangeResponses.ts';
import { until } from '../support/until.ts';
import { networkError } from './support/lightSteps.ts';

/* The file that a later step takes: only a complete one of its kind is passed to Zapier. */

type CopyFile = (step: object, id: string, index: number) => Promise<string>;

// Imported by URL, because their types come from Zapier's core, which only the app installs.
const source = (file: string) =>
  import(new URL(`../../integrations/zapier/src/${file}`, import.meta.url).href);
const { copyFile } = (await source('hydrators.ts')) as { copyFile: CopyFile };
const { sampleFiles } = (await source('sampleFiles.ts')) as {
  sampleFiles: Record<'video' | 'image', { base64: string }>;
};

const id = 'gen_01kagw2m5t9x3q7r8v4c6e0hjn';
const mp4 = Buffer.from(sampleFiles.video.base64, 'base64');
const jpeg = Buffer.from(sampleFiles.image.base64, 'base64');
const png = readFileSync(new URL('../../integrations/zapier/logo.png', import.meta.url));
const page = Buffer.from('<html>Down for maintenance</html>');

/** A response from a file's URL. */
interface FileResponse {
  status?: number;
  type?: string;
  /** Content-Length; by default the body's. */
  length?: number;
  body: Buffer | Readable;
}

const video: FileResponse = { type: 'video/mp4', body: mp4 };

/** Copies a file whose URL gives these responses in turn, repeating the last one. */
async function copy(responses: (FileResponse | Error)[], type = 'video', index = 0, takes = true) {
  const asked: string[] = [];
  const stashed: { name: string; type: string; bytes: Buffer }[] = [];
  let reads = 0;
  let elapsedMs = 0;
  const z = {
    errors: { Error, HaltedError: Error },
    request({ url, raw }: { url: string; raw?: boolean }) {
      if (raw !== true) {
        reads += 1;
        return Promise.resolve(jsonResponse(200, record(type, reads)));
      }
      asked.push(url);
      const response = responses[Math.min(asked.length, responses.length) - 1];
      return response instanceof Error
        ? Promise.reject(response)
        : Promise.resolve(rawOf(response));
    },
    async stashFile(stream: Readable, bytes: number, name: string, mediaType: string) {
      if (!takes) throw new Error('Got 503 - <Error/>');
      const read = await buffer(stream);
      expect(read).toHaveLength(bytes);
      stashed.push({ name, type: mediaType, bytes: read });
      return 'https://zapier.example/copy';
    },
  };
  const authData = { base_url: 'https://api.example.com/v1', api_key: `fg_live_${'x'.repeat(38)}` };
  const step = {
    z,
    bundle: { authData },
    mayRunAgain: false,
    about: {},
    nowMs: () => 0,
    elapsedMs: () => elapsedMs,
    pause(ms: number) {
      elapsedMs += ms;
      return Promise.resolve();
    },
  };
  const ended = await copyFile(step, id, index).catch((error: unknown) => error as Error);
  return { ended, asked, stashed };
}

function record(type: string, read: number): object {
  const urls = [0, 1].map((file) => `https://media.example.com/${file}?read=${read}`);
  return {
    id,
    type,
    status: 'completed',
    created_at: '2026-11-20T12:00:00.000Z',
    parameters: {},
    billing: { cost_credits: 1 },
    output: { urls },
  };
}

const jsonResponse = (status: number, data: object) => ({
  status,
  data,
  getHeader: () => undefined,
});

function rawOf({ status = 200, type, length, body }: FileResponse = video): object {
  const size = length ?? (Buffer.isBuffer(body) ? body.length : undefined);
  const headers = new Headers({
    ...(type !== undefined && { 'content-type': type }),
    ...(size !== undefined && { 'content-length': String(size) }),
  });
  return { status, headers, body: Buffer.isBuffer(body) ? Readable.from([body]) : body };
}

const broken = () =>
  Readable.from(
    (function* () {
      yield mp4.subarray(0, 100);
      throw new Error('socket hang up');
    })(),
  );

describe('a file', () => {
  test.each([
    ['video', { type: 'video/mp4', body: mp4 }, 'video/mp4', `${id}.mp4`],
    ['image', { type: 'image/jpeg', body: jpeg }, 'image/jpeg', `${id}.jpg`],
    ['image', { type: 'image/png; x=1', body: png }, 'image/png', `${id}.png`],
  ])(
    'of a %s is passed to Zapier with its actual type',
    async (type, response, mediaType, name) => {
      const { ended, stashed } = await copy([response], type);
      expect(ended).toBe('https://zapier.example/copy');
      expect(stashed).toEqual([{ name, type: mediaType, bytes: response.body }]);
    },
  );

  test('that is not the first has a name of its own', async () => {
    const { stashed, asked } = await copy([{ type: 'image/png', body: png }], 'image', 1);
    expect(asked).toEqual(['https://media.example.com/1?read=1']);
    expect(stashed[0]?.name).toBe(`${id}-2.png`);
  });

  test.each<[string, FileResponse | Error]>([
    ['a page with status 200', { type: 'text/html', body: page }],
    ['a page that calls itself a video', { type: 'video/mp4', body: page }],
    ['a video without a type', { body: mp4 }],
    ['an image', { type: 'image/jpeg', body: jpeg }],
    ['an empty body', { type: 'video/mp4', body: Buffer.alloc(0) }],
    ['a file that is shorter than announced', { ...video, length: mp4.length + 1 }],
    ['a connection that is cut', { ...video, body: broken() }],
    ['an expired address', { ...video, status: 403 }],
    ['no response', networkError('ECONNRESET')],
  ])('is requested again, at a fresh address, after %s', async (_case, fault) => {
    const { ended, asked, stashed } = await copy([fault, video]);
    expect(ended).toBe('https://zapier.example/copy');
    expect(asked).toEqual([1, 2].map((read) => `https://media.example.com/0?read=${read}`));
    expect(stashed.map(({ bytes }) => bytes)).toEqual([mp4]);
  });

  test('that does not arrive is reported with its generation, and can be fetched later', async () => {
    const { ended, asked, stashed } = await copy([{ type: 'text/html', body: page }]);
    expect((ended as Error).message).toBe(
      `A file of generation ${id} could not be downloaded right now. Replay this step later.`,
    );
    expect(asked).toHaveLength(3);
    expect(stashed).toEqual([]);
  });

  test('that Zapier does not take is reported with its generation', async () => {
    const { ended } = await copy([video], 'video', 0, false);
    expect((ended as Error).message).toBe(
      `A file of generation ${id} could not be passed to Zapier right now. Replay this step later.`,
    );
  });

  test('that is too large for Zapier is not downloaded', async () => {
    const { ended, asked } = await copy([{ ...video, length: 180_000_000 }]);
    expect((ended as Error).message).toContain(
      'The file has 180 MB, but Zapier accepts up to 150 MB',
    );
    expect((ended as Error).message).toContain(id);
    expect(asked).toHaveLength(1);
  });

  test('is its own bytes or an error that names its generation, whatever arrives', async () => {
    const responses = fc.oneof(
      fc.constant(networkError('ETIMEDOUT')),
      fc.record({
        status: fc.oneof(fc.constant(200), fc.constantFrom(204, 206, 302, 403, 404, 500, 503)),
        type: fc.constantFrom('video/mp4', 'VIDEO/MP4', 'text/html', 'image/png', ''),
        body: fc.oneof(
          fc.constantFrom(mp4, png, page),
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
          fc.nat(mp4.length - 1).map((bytes) => mp4.subarray(0, bytes)),
        ),
      }),
    );
    const plan = fc.array(responses, { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(plan, async (each) => {
        const { ended, stashed } = await copy(
          each.map((response) =>
            response instanceof Error ? response : { ...response, length: mp4.length },
          ),
        );
        const { message } = ended instanceof Error ? ended : { message: id };
        expect(message).toContain(id);
        expect(isRawError(message)).toBe(false);
        for (const { bytes } of stashed) expect(bytes).toEqual(mp4);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a stalled download', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('is abandoned and restarted', async () => {
    jest.useFakeTimers({
      doNotFake: ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'],
    });
    const silent = new PassThrough();
    silent.write(mp4.subarray(0, 100));
    const copying = copy([{ ...video, length: mp4.length, body: silent }, video]);
    await until(() => jest.getTimerCount() > 0, 'it waits for more');
    await jest.advanceTimersByTimeAsync(4_000);
    expect(silent.destroyed).toBe(true);
    const { ended, stashed } = await copying;
    expect(ended).toBe('https://zapier.example/copy');
    expect(stashed.map(({ bytes }) => bytes)).toEqual([mp4]);
  });
});
