import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { minuteMs } from '@framegate/contract';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { mp4OfUnknownCodecs } from '../../gateway/media/test/hostileFiles.ts';
import { encodeTone, mux } from '../../gateway/media/test/makeMedia.ts';
import { attemptLimits } from '../../gateway/src/application/signIn/attempts.ts';
import { uploadLimits } from '../../gateway/src/domain/generations/uploads.ts';
import { addHeldUploads } from '../site/heldUploads.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor, type Page, type Visitor } from '../site/support/visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

let gateway: TestGateway;
let ada: Visitor;
let eve: Visitor;
let photo: Buffer;

beforeAll(async () => {
  gateway = await startTestGateway({ SIGNUP_CREDITS: '600' });
  [ada, eve] = [createVisitor(gateway.origin), createVisitor(gateway.origin)];
  await signUpVerified(ada, gateway.dataDir, 'ada@example.com');
  await signUpVerified(eve, gateway.dataDir, 'eve@example.com');
  const place = { IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' } };
  photo = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#3a6' } })
    .withExif({ ...place, IFD0: { Copyright: 'secret place' } })
    .jpeg()
    .toBuffer();
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const uploads = () => gateway.collections.uploads;
const files = () => createDiskStore(join(gateway.dataDir, 'media'));
const image = { model: 'alpha-2.0-fast', mode: 'image-to-video', prompt: 'drift' };

/** Sends the studio's form as a browser does without its script: whole, with its files. */
async function send(
  visitor: Visitor,
  fields: Record<string, string>,
  formFiles: Record<string, Uint8Array> = {},
): Promise<Page> {
  const form = new FormData();
  form.append('form_token', (await visitor.get('/studio')).field('form_token'));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file.last_frame', new Blob([]), '');
  for (const [name, bytes] of Object.entries(formFiles)) {
    form.append(name, new Blob([new Uint8Array(bytes)]), 'a file');
  }
  const headers = { 'sec-fetch-site': 'same-origin' };
  return visitor.send('/studio', { method: 'POST', body: form, headers });
}
const choose = (visitor: Visitor, bytes: Uint8Array) =>
  send(visitor, { do: 'update', ...image }, { 'file.first_frame': bytes });
const previewOf = (page: Page) => /\/studio\/uploads\/upl_[a-z0-9]+/.exec(page.text)?.[0] ?? '';

describe('a picture', () => {
  test('is shown, cleaned, kept, and used by the generation; without the script in one form', async () => {
    const page = await choose(ada, photo);
    expect(page.status).toBe(200);
    expect(page.text).toMatch(/Your image, 640 × 360/);
    const preview = await ada.get(previewOf(page));
    expect(preview.headers.get('content-type')).toBe('image/webp');
    const first_frame = page.field('first_frame');
    const seen = await send(ada, { do: 'update', ...image, first_frame });
    const shown = { form_key: seen.field('form_key'), shown_credits: seen.field('shown_credits') };
    const made = await send(ada, { do: 'create', ...image, ...shown, first_frame });
    const id = /gen_\w+/.exec(made.path)?.[0] ?? made.text;
    const { generations } = gateway.database;
    await until(async () => (await generations.find(id))?.storedInputs !== null);
    const [stored] = (await generations.find(id))?.storedInputs ?? [];
    const { mediaType = '', key = '' } = stored ?? {};
    expect(mediaType).toBe('image/jpeg');
    const file = await files().open(key);
    if (!file) throw new Error('no file');
    const { width, exif } = await sharp(await buffer(file.stream)).metadata();
    expect({ width, exif }).toEqual({ width: 640, exif: undefined });
    const upload = await uploads().findOne({ key: { $regex: '^uploads/' } });
    expect((upload?.['neededUntil'] as Date).getTime()).toBeGreaterThan(0);
    expect((await ada.get(`/generations/${id}`)).text).toContain('your upload');
  });

  test('of one account cannot be used by another account or a program', async () => {
    const page = await choose(ada, photo);
    const preview = previewOf(page);
    expect((await ada.get(preview)).status).toBe(200);
    expect((await eve.get(preview)).status).toBe(404);
    expect((await createVisitor(gateway.origin).get(preview)).path).toMatch(/^\/sign-in/);
    const first_frame = page.field('first_frame');
    const form = await send(eve, { do: 'update', ...image, first_frame });
    expect(form.text).not.toContain(preview);
    const shown = { shown_credits: form.field('shown_credits'), form_key: 'a' };
    const refused = await send(eve, { do: 'create', ...image, ...shown, first_frame });
    expect([refused.status, refused.text]).toEqual([
      400,
      expect.stringContaining('no longer available'),
    ]);
    const program = await gateway.addAccount();
    const inputs = [{ type: 'image', url: first_frame, role: 'first_frame' }];
    const response = await program.post('/v1/videos', { ...image, inputs });
    expect(response.json['error']).toMatchObject({ code: 'input_url_invalid' });
  });

  test('gives way to newer ones beyond the limit, unless a generation needs it', async () => {
    await uploads().deleteMany({});
    const ids: string[] = [];
    for (let each = 0; each < 3; each += 1) ids.push(previewOf(await choose(eve, photo)).slice(16));
    const { accountId = '' } = (await uploads().findOne({})) ?? {};
    const later = new Date(gateway.clock.now() + minuteMs);
    await uploads().updateOne({ _id: ids[0] ?? '' }, { $set: { neededUntil: later } });
    await addHeldUploads({ uploads: uploads() }, accountId, uploadLimits.count - 3, later);
    const newest = previewOf(await choose(eve, photo)).slice(16);
    const left = (await uploads().find({}).toArray()).map(({ _id }) => _id);
    expect(left).toHaveLength(uploadLimits.count);
    expect(left).toEqual(expect.arrayContaining([ids[0], ids[2], newest]));
    expect(await files().stat(`uploads/${ids[1]}/0.jpg`)).toBeNull();
    expect(await files().stat(`uploads/${ids[2]}/0.jpg`)).not.toBeNull();
    await uploads().updateMany({}, { $set: { neededUntil: later } });
    const full = await choose(eve, photo);
    expect([full.status, full.text]).toEqual([
      409,
      expect.stringMatching(/Too many of your files/),
    ]);
    expect(await uploads().countDocuments({})).toBe(uploadLimits.count);
  });
});

test('audio and video are accepted where the mode accepts them', async () => {
  const fields = { model: 'alpha-2.0-pro', mode: 'multimodal-to-video', prompt: 'x', do: 'update' };
  const sound = await mux('mp3', { audio: { codec: 'mp3', packets: await encodeTone('mp3', 1) } });
  const page = await send(ada, fields, { 'file.audio_1': sound });
  expect(page.text).toMatch(/Your audio, 1\.\d s/);
});

describe('an unusable file is reported at its field, and nothing is kept', () => {
  const large = Buffer.alloc(20_000_001, 'a');
  const bomb = () =>
    sharp({ create: { width: 65_000, height: 620, channels: 3, background: '#000' } })
      .jpeg()
      .toBuffer();
  test.each([
    [
      'a text',
      async () => Buffer.from('hello'),
      400,
      /This is a text file: send JPEG, PNG or WebP\./,
    ],
    ['a film', async () => mp4OfUnknownCodecs(1), 400, /This is an MP4 video: send JPEG/],
    ['half a picture', async () => photo.subarray(0, 900), 400, /be used as an image/],
    ['very many pixels', bomb, 413, /has 40\.3 megapixels; .* is 16\.7\. Make it smaller\./],
    ['too large', async () => large, 413, /larger than 20 MB/],
  ])('%s', async (_name, make, status, words) => {
    const before = await uploads().countDocuments();
    const page = await choose(ada, await make());
    expect(page.status).toBe(status);
    expect(/id="field-first-frame-problem"[^<]*/.exec(page.text)?.[0]).toMatch(words);
    expect(page.text).toContain('drift</textarea>');
    expect(await uploads().countDocuments()).toBe(before);
  });

  test('a form that is too large in total', async () => {
    const formFiles = Object.fromEntries(
      [1, 2, 3, 4].map((index) => [`file.image_${index}`, Buffer.alloc(19_000_000)]),
    );
    const page = await send(ada, { do: 'update', ...image }, formFiles);
    expect([page.status, page.text]).toEqual([413, expect.stringContaining('too large')]);
  });

  test('a form without its token, and one that breaks off', async () => {
    const before = await uploads().countDocuments();
    const form = new FormData();
    form.append('file.first_frame', new Blob([new Uint8Array(photo)]), 'a');
    form.append('form_token', (await ada.get('/studio')).field('form_token'));
    const headers = { 'sec-fetch-site': 'same-origin' };
    expect((await ada.send('/studio', { method: 'POST', body: form, headers })).status).toBe(403);
    expect((await ada.send('/sign-out', { method: 'POST', body: form, headers })).status).toBe(415);

    const cookie = [...ada.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const token = (await ada.get('/studio')).field('form_token');
    const { hostname, port } = new URL(gateway.origin);
    const socket = connect(Number(port), hostname);
    const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"`;
    socket.write(
      `POST /studio HTTP/1.1\r\nHost: ${hostname}:${port}\r\nCookie: ${cookie}\r\n` +
        'Sec-Fetch-Site: same-origin\r\nContent-Type: multipart/form-data; boundary=b\r\n' +
        `Content-Length: 100000\r\n\r\n${part('form_token')}\r\n\r\n${token}\r\n` +
        `${part('file.first_frame')}; filename="a.jpg"\r\n\r\n${'x'.repeat(20_000)}`,
    );
    const work = join(gateway.dataDir, 'media/work');
    await until(async () => (await readdir(work)).length > 0, 'the file is being received');
    socket.destroy();
    await until(async () => (await readdir(work)).length === 0, 'its part is removed');
    expect(await uploads().countDocuments()).toBe(before);
  });

  test('more than the hourly limit of an account', async () => {
    const { attempts } = gateway.collections;
    const { max } = attemptLimits.upload;
    await attempts.updateMany({ _id: { $regex: /^upload:/ } }, { $set: { count: max } });
    const page = await choose(ada, photo);
    expect([page.status, page.text]).toEqual([429, expect.stringContaining('Too many attempts')]);
  });
});
