import { createHash } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { TransferError } from '@framegate/limits';
import { createDiskStore } from '../src/diskStore.ts';
import type { FetchUrl, GivenInput, InputKey, TakeInputs } from '../src/media.ts';
import type { MediaStore } from '../src/mediaStore.ts';
import { createTakeInputs } from '../src/takeInputs.ts';
import { encodeStripes, encodeTone, mux } from './makeMedia.ts';

const generationId = 'gen_01jd00000000000000000000ab';
const host = 'media.example';
const inputKey: InputKey = ({ generationId: id, index, extension }) =>
  `inputs/${id}/${index}.${extension}`;
const fileLimits = {
  image: { maxBytes: 100_000, maxPixels: 10_000 },
  video: { maxBytes: 200_000, maxSeconds: 3 },
  audio: { maxBytes: 200_000, maxSeconds: 3 },
};
const { signal } = new AbortController();
let root = '';
let store: MediaStore;
let takeInputs: TakeInputs;
const take = (id: string, inputs: GivenInput[], limit: AbortSignal) =>
  takeInputs({ id, accountId: 'acct_1' }, inputs, limit);
const files = new Map<string, Buffer>();
const file = (name: string) => files.get(name) ?? Buffer.alloc(0);
const fetchUrl: FetchUrl = async (url) => {
  const bytes = files.get(new URL(url).pathname.slice(1));
  if (!bytes) throw new TransferError('unreachable', 'no such file');
  return Readable.from([bytes]);
};

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'framegate-inputs-'));
  const picture = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: '#357' } });
  const [stripes, tone] = [await encodeStripes('avc', 2), await encodeTone('mp3', 2)];
  files.set('a.jpg', await picture(100, 100).jpeg().toBuffer());
  files.set('b.png', await picture(40, 30).png().toBuffer());
  files.set('wide.png', await picture(101, 100).png().toBuffer());
  files.set('heavy.jpg', Buffer.concat([file('a.jpg'), Buffer.alloc(100_000)]));
  files.set('two-seconds.mp4', await mux('mp4', { video: { codec: 'avc', packets: stripes } }));
  files.set('tone.mp3', await mux('mp3', { audio: { codec: 'mp3', packets: tone } }));
  files.set('page.jpg', Buffer.from('<!doctype html><title>Sign in</title>'));
  store = createDiskStore(join(root, 'store'));
  takeInputs = createTakeInputs({
    store,
    fetchUrl,
    fileLimits,
    inputKey,
    tempFolder: join(root, 'temp'),
  });
});
afterAll(() => rm(root, { recursive: true }));

const input = (name: string, type: GivenInput['type'] = 'image'): GivenInput => ({
  type,
  url: `https://${host}/${name}`,
  storeKey: null,
});
const own = (storeKey: string, type: GivenInput['type'] = 'image'): GivenInput => ({
  type,
  url: 'http://127.0.0.1/media/outputs/x',
  storeKey,
});
const stored = async (key: string) => {
  const found = await store.open(key);
  return found && buffer(found.stream);
};

describe('copying inputs', () => {
  test('stores each under its place, with the type that its bytes have', async () => {
    const taken = await take(
      generationId,
      [
        input('a.jpg'),
        input('two-seconds.mp4', 'video'),
        input('tone.mp3', 'audio'),
        input('b.png'),
      ],
      signal,
    );
    const described = (place: number, name: string, mediaType: string) => ({
      key: `inputs/${generationId}/${place}.${name.split('.')[1] ?? ''}`,
      mediaType,
      bytes: file(name).length,
      sha256: createHash('sha256').update(file(name)).digest('hex'),
    });
    expect(taken).toEqual({
      ok: true,
      stored: [
        described(0, 'a.jpg', 'image/jpeg'),
        // Its metadata have been overwritten.
        {
          ...described(1, 'two-seconds.mp4', 'video/mp4'),
          sha256: expect.any(String),
          seconds: expect.closeTo(2, 1),
        },
        { ...described(2, 'tone.mp3', 'audio/mpeg'), seconds: expect.any(Number) },
        described(3, 'b.png', 'image/png'),
      ],
    });
    expect(await stored(`inputs/${generationId}/3.png`)).toEqual(file('b.png'));
    expect(await store.stat(`inputs/${generationId}/1.mp4`)).toMatchObject({
      contentType: 'video/mp4',
    });
    expect(await readdir(join(root, 'temp'))).toEqual([]);
  });

  test('copies an output of the account inside the store', async () => {
    const key = 'outputs/gen_a/0.jpg';
    await store.put(key, file('a.jpg'), { contentType: 'image/jpeg', maxBytes: 1e6 });
    const taken = await take('gen_copy', [own(key)], signal);
    expect(taken).toMatchObject({ ok: true, stored: [{ key: 'inputs/gen_copy/0.jpg' }] });
    expect(await stored('inputs/gen_copy/0.jpg')).toEqual(file('a.jpg'));
  });

  test('does nothing without inputs', async () => {
    expect(await take(generationId, [], signal)).toEqual({ ok: true, stored: [] });
  });

  test('copies more inputs than are fetched concurrently', async () => {
    const many = Array.from({ length: 9 }, () => input('b.png'));
    const taken = await take('gen_many', many, signal);
    expect(taken.ok && taken.stored.map(({ key }) => key)).toEqual(
      many.map((_, place) => `inputs/gen_many/${place}.png`),
    );
  });
});

describe('names an unusable input, and stores nothing', () => {
  const good = input('a.jpg');
  const long = input('two-seconds.mp4', 'video');
  const tone = input('tone.mp3', 'audio');

  test.each<[string, GivenInput[], 'input_unreachable' | 'input_invalid', number, RegExp]>([
    ['is not there', [good, input('none.jpg')], 'input_unreachable', 1, /no such/],
    ['is a web page', [input('page.jpg'), good], 'input_invalid', 0, /unknown type/],
    ['is of another type', [good, input('b.png', 'video')], 'input_invalid', 1, /image\/png/],
    ['has too many pixels', [good, good, input('wide.png')], 'input_invalid', 2, /pixel/],
    ['has too many bytes', [good, input('heavy.jpg')], 'input_invalid', 1, /bytes/],
    [
      'is the video that passes the sum',
      [long, good, long],
      'input_invalid',
      2,
      /4\.00 s of video/,
    ],
    ['is the audio that passes the sum', [tone, tone], 'input_invalid', 1, /s of audio/],
    ['was an output', [good, own('')], 'input_unreachable', 1, /deleted/],
    ['was an output too', [own('outputs/gen_gone/0.jpg')], 'input_unreachable', 0, /deleted/],
  ])('one that %s', async (_, inputs, code, place, reason) => {
    const taken = await take('gen_failed', inputs, signal);
    expect(taken).toMatchObject({
      ok: false,
      code,
      param: `inputs[${place}].url`,
      reason: expect.stringMatching(reason),
    });
    expect(await store.stat('inputs/gen_failed/0.jpg')).toBeNull();
    expect(await readdir(join(root, 'temp'))).toEqual([]);
  });

  test('video and audio have separate limits of seconds', async () => {
    expect(await take('gen_each', [long, tone], signal)).toMatchObject({
      ok: true,
      stored: [{}, {}],
    });
  });

  test("an output of another type than requested, and one beyond an input's limits", async () => {
    const options = { contentType: 'image/jpeg', maxBytes: 1e6 };
    await store.put('outputs/gen_b/0.jpg', file('a.jpg'), options);
    await store.put('outputs/gen_b/1.jpg', file('heavy.jpg'), options);
    expect(await take('gen_failed', [own('outputs/gen_b/0.jpg', 'video')], signal)).toMatchObject({
      ok: false,
      code: 'input_invalid',
    });
    expect(await take('gen_failed', [own('outputs/gen_b/1.jpg')], signal)).toMatchObject({
      ok: false,
      code: 'input_invalid',
      reason: expect.stringMatching(/bytes/),
    });
  });
});

describe('throws failures that no input caused', () => {
  test('an abort', async () => {
    const stop = new AbortController();
    const taking = take(generationId, [input('a.jpg')], stop.signal);
    stop.abort(new Error('lease lost'));
    await expect(taking).rejects.toThrow('lease lost');
    await expect(take(generationId, [input('a.jpg')], stop.signal)).rejects.toThrow('lease lost');
  });

  test('a store that cannot write', async () => {
    await writeFile(join(root, 'no-folder'), '');
    const broken = createTakeInputs({
      store: createDiskStore(join(root, 'no-folder')),
      fetchUrl,
      fileLimits,
      inputKey,
      tempFolder: join(root, 'temp'),
    });
    await store.put('outputs/gen_c/0.jpg', file('a.jpg'), {
      contentType: 'image/jpeg',
      maxBytes: 1e6,
    });
    await expect(
      broken({ id: generationId, accountId: 'acct_1' }, [own('outputs/gen_c/0.jpg')], signal),
    ).rejects.toThrow('ENOTDIR');
  });
});
