import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { encodeStripes, mux } from '../../gateway/media/test/makeMedia.ts';
import { attemptLimits } from '../../gateway/src/application/signIn/attempts.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor, type Visitor } from '../site/support/visitor.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

let gateway: TestGateway;
let ada: Visitor;
let eve: Visitor;
let video: string;
let image: string;

beforeAll(async () => {
  gateway = await startTestGateway({ SIGNUP_CREDITS: '600', POSTERS: 'all' });
  [ada, eve] = [createVisitor(gateway.origin), createVisitor(gateway.origin)];
  await signUpVerified(ada, gateway.dataDir, 'ada@example.com');
  await signUpVerified(eve, gateway.dataDir, 'eve@example.com');
  const seconds = { 'parameters.duration_seconds': '6', 'parameters.aspect_ratio': '1:1' };
  const prompt = { mode: 'text-to-video', prompt: 'a train' };
  video = await create({ model: 'alpha-2.0-pro', ...prompt, ...seconds });
  image = await create({ model: 'image-b-2', prompt: 'a lake' });
  const { generations } = gateway.database;
  for (const id of [video, image]) {
    await until(async () => (await generations.find(id))?.status === 'completed', 'it is made');
  }
});
afterAll(async () => {
  await gateway.stop();
  expect(gateway.errors).toEqual([]);
});

const stores = () => gateway.database;
const uploads = () => gateway.collections.uploads;
const files = () => createDiskStore(join(gateway.dataDir, 'media'));

/** Makes a generation in the studio. @returns Its id. */
async function create(fields: Record<string, string>): Promise<string> {
  await ada.get('/studio');
  const form = await ada.post('/studio', { ...fields, do: 'update' });
  const shown = { form_key: form.field('form_key'), shown_credits: form.field('shown_credits') };
  const made = await ada.post('/studio', { ...fields, ...shown, do: 'create' });
  return /gen_\w+/.exec(made.path)?.[0] ?? made.text;
}

/** Presses one of the buttons on the page of the video. */
async function take(visitor: Visitor, which: string) {
  await visitor.get(`/generations/${video}`);
  return visitor.post(`/generations/${video}/frame`, { which });
}

test('the last frame of a video opens the studio as the first frame, in full size', async () => {
  const page = await ada.get(`/generations/${video}`);
  expect(page.text).toContain('Continue from last frame');
  const studio = await take(ada, 'last');
  expect(studio.path).toMatch(/^\/studio\?like=gen_\w+&frame=upl_\w+$/);
  expect(studio.text).toMatch(/Your image, (\d+) × \1/);
  // All else is as it made the video, and waits to be changed.
  expect(studio.text).toContain('value="alpha-2.0-pro" checked');
  expect(studio.text).toContain('value="image-to-video" checked');
  expect([studio.field('parameters.duration_seconds'), studio.text]).toEqual([
    ...['6', expect.stringContaining('a train</textarea>')],
  ]);
  expect(studio.field('first_frame')).toMatch(/\/media\/uploads\/upl_\w+$/);
  const [kept] = await uploads().find({}).toArray();
  const file = await files().open(String(kept?.['key']));
  const { width, format } = await sharp(file ? await buffer(file.stream) : undefined).metadata();
  expect([width, format]).toEqual([(kept?.['size'] as { width: number }).width, 'jpeg']);
  // A second press shows the same frame; the first frame is another one.
  expect((await take(ada, 'last')).path).toBe(studio.path);
  expect((await take(ada, 'first')).path).not.toBe(studio.path);
  expect(await uploads().countDocuments()).toBe(2);
  const next = { model: 'alpha-2.0-pro', mode: 'image-to-video', prompt: 'on' };
  const id = await create({ ...next, first_frame: studio.field('first_frame') });
  expect((await ada.get(`/generations/${id}`)).text).toContain('your upload');
});

test('strangers, other sites and signed-out people get no frame', async () => {
  const before = await uploads().countDocuments();
  expect((await take(eve, 'last')).status).toBe(404);
  const visitor = createVisitor(gateway.origin);
  await visitor.get('/sign-in');
  const asked = await visitor.post(`/generations/${video}/frame`);
  expect([asked.status, asked.field('next')]).toEqual([401, `/generations/${video}`]);
  await ada.get(`/generations/${video}`);
  const body = new URLSearchParams({ which: 'last' });
  const headers = { 'sec-fetch-site': 'same-origin' };
  const forged = { method: 'POST', body, headers };
  expect((await ada.send(`/generations/${video}/frame`, forged)).status).toBe(403);
  const upload = (await uploads().findOne({}))?._id ?? '';
  expect((await eve.get(`/studio?frame=${upload}`)).text).not.toContain(`/${upload}`);
  expect(await uploads().countDocuments()).toBe(before);
});

test("an output's own URL is shown without a fetch", async () => {
  const page = await ada.get(`/generations/${image}`);
  const url = /https?:[^"]+\/media\/outputs\/[^"]+/.exec(page.text);
  const first_frame = (url?.[0] ?? '').replaceAll('&amp;', '&');
  const fields = { model: 'alpha-2.0-fast', mode: 'image-to-video', prompt: 'x', first_frame };
  await ada.get('/studio');
  const shown = await ada.post('/studio', { ...fields, do: 'show:first_frame' });
  expect([shown.status, shown.text]).toEqual([200, expect.stringMatching(/image, \d+ × \d+/)]);
  await eve.get('/studio');
  const theirs = await eve.post('/studio', { ...fields, do: 'show:first_frame' });
  expect([theirs.status, theirs.text]).toEqual([404, expect.stringContaining('has been deleted')]);
});

test('the studio reads its shown generation once', async () => {
  const find = jest.spyOn(stores().generations, 'find');
  expect((await ada.get(`/studio?generation=${video}`)).text).toContain('a train</textarea>');
  expect(find.mock.calls.filter(([id]) => id === video)).toHaveLength(1);
  find.mockRestore();
});

test('refuses a video that is undecodable, damaged or missing, and too many requests', async () => {
  await uploads().deleteMany({});
  const key = (await stores().generations.find(video))?.outputs[0]?.key ?? '';
  const options = { contentType: 'video/mp4', maxBytes: 1e9 };
  const hevc = { codec: 'hevc', packets: await encodeStripes('hevc', 0.5) } as const;
  await files().put(key, await mux('mp4', { video: hevc }), options);
  const undecodable = await take(ada, 'last');
  expect([undecodable.status, undecodable.text]).toEqual([
    400,
    expect.stringContaining('s last frame. Try its first frame'),
  ]);
  await files().put(key, Buffer.from('no video'), options);
  expect((await take(ada, 'first')).text).toContain('s first frame.');
  const { attempts } = gateway.collections;
  await attempts.updateMany(
    { _id: { $regex: /^upload:/ } },
    { $set: { count: attemptLimits.upload.max } },
  );
  expect((await take(ada, 'last')).status).toBe(429);
  await attempts.deleteMany({ _id: { $regex: /^upload:/ } });
  await files().delete(key);
  const gone = await take(ada, 'last');
  expect([gone.status, gone.text]).toEqual([
    404,
    expect.stringContaining('The file has been deleted'),
  ]);
  expect(await uploads().countDocuments()).toBe(0);
});
