import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { removeGenerations } from '../../gateway/src/application/site/removeGenerations.ts';
import { takeDown } from '../../gateway/src/application/staff/generationActions.ts';
import { createShowpieceReads } from '../../gateway/src/application/showpieces/showpieceList.ts';
import { createStaffWrites } from '../../gateway/src/adapters/mongo/staffStores.ts';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { addImages } from '../browser/support/addImages.ts';
import { addVideo } from '../browser/support/addVideo.ts';
import { addStaff } from '../staff/browse.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { collectLog } from '../support/mongod.ts';
import { runNode } from '../support/runNode.ts';
import { until } from '../support/until.ts';
import { createVisitor } from './support/visitor.ts';
import { signUpVerified } from './support/signUpVerified.ts';

let bed: TestGateway;
let video: string;
let image: string;
let staffId: string;

beforeAll(async () => {
  bed = await startTestGateway({ ROLE: 'api', POSTERS: 'all' });
  await addStaff(bed, 'admin', 'maker@example.com');
  const { accounts } = bed.gateway.database.database;
  staffId = (await accounts.findByEmail('maker@example.com'))?.id ?? '';
  video = await addVideo(bed, staffId, 1);
  image = await addImages(bed, staffId, { number: 1, n: 1 });
});
afterAll(async () => {
  await bed.stop();
  expect(bed.errors).toEqual([]);
});

const admin = async (line: string) => {
  const ended = await runNode(['gateway/src/admin.ts', ...line.split(' ')], bed.env);
  return { ...ended, output: ended.stdout === '' ? null : (JSON.parse(ended.stdout) as unknown) };
};
const media = () => createDiskStore(`${bed.dataDir}/media`);
const start = () => createVisitor(bed.origin).get('/');
const path = (id: string, file: string) => `${bed.origin}/site/showpieces/${id}/${file}`;

test('a result is chosen by its id, and is on the start page and the card of its model', async () => {
  expect((await start()).text).not.toContain('showcase');
  for (const [id, model, type] of [
    [image, 'image-b-2', 'image'],
    [video, 'alpha-2.0-fast', 'video'],
  ] as const) {
    const { output } = await admin(`showpiece add --generation ${id}`);
    expect(output).toEqual({ model, generation_id: id, type });
  }
  const { output } = await admin('showpiece list');
  expect(output).toMatchObject({ showpieces: [{ model: 'image-b-2' }, { generation_id: video }] });
  await until(async () => (await start()).text.includes(`/site/showpieces/${video}/clip.mp4`));
  const { text } = await start();
  expect(text).toMatch(
    /<video[^>]*muted[^>]*preload="none"[^>]*aria-label="Made with Alpha 2.0 Fast"/,
  );
  expect(text).toContain(`srcset="/site/showpieces/${image}/small.webp 320w`);
  const visitor = createVisitor(bed.origin);
  await signUpVerified(visitor, bed.dataDir, 'looks@example.com', 'correct horse battery');
  expect((await visitor.get('/studio')).text).toContain(
    `src="/site/showpieces/${video}/small.webp"`,
  );
});

test('its files are public, in parts as well, small, and nothing else of the store is', async () => {
  const whole = await fetch(path(video, 'clip.mp4'));
  const bytes = (await whole.arrayBuffer()).byteLength;
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
  expect(whole.headers.get('cache-control')).toBe('public, max-age=300');
  const part = await fetch(path(video, 'clip.mp4'), { headers: { range: 'bytes=10-19' } });
  expect([
    part.status,
    part.headers.get('content-range'),
    (await part.arrayBuffer()).byteLength,
  ]).toEqual([206, `bytes 10-19/${bytes}`, 10]);
  const other = { range: 'bytes=10-19', 'if-range': '"of another file"' };
  const all = await fetch(path(video, 'clip.mp4'), { headers: other });
  expect([all.status, (await all.arrayBuffer()).byteLength]).toEqual([200, bytes]);
  const beyond = await fetch(path(video, 'clip.mp4'), { headers: { range: `bytes=${bytes}-` } });
  expect(beyond.status).toBe(416);
  const poster = await fetch(path(image, 'small.webp'));
  const etag = poster.headers.get('etag') ?? '';
  expect((await poster.arrayBuffer()).byteLength).toBeLessThan(12_000);
  const again = await fetch(path(image, 'small.webp'), { headers: { 'if-none-match': etag } });
  expect(again.status).toBe(304);
  for (const [id, file] of [
    [image, 'clip.mp4'],
    [video, 'list.json'],
    ['gen_other', 'clip.mp4'],
  ] as const) {
    expect((await fetch(path(id, file))).status).toBe(404);
  }
});

test('a result of a customer is refused', async () => {
  const { accountId } = await bed.addAccount();
  const theirs = await addImages(bed, accountId, { number: 2, n: 1 });
  const refused = await admin(`showpiece add --generation ${theirs}`);
  expect([refused.status, refused.stderr]).toEqual([
    1,
    expect.stringContaining('does not belong to staff'),
  ]);
});

test('the end of retention leaves it; taken down or deleted by its owner it is gone', async () => {
  const { database, clock, collections, models } = bed.gateway.database;
  const store = media();
  const listed = createShowpieceReads({
    media: store,
    clock: { now: () => 0 },
    log: collectLog().log,
  });
  await store.delete(`outputs/${video}/0.mp4`);
  await collections.generations.updateOne(
    { _id: image },
    { $set: { outputsDeletedAt: new Date() } },
  );
  expect((await listed()).map(({ generationId }) => generationId)).toEqual([image, video]);

  const writes = createStaffWrites(collections, models);
  await takeDown({ work: { database, clock, media: store }, writes }, video, 'a test');
  expect(await store.stat(`showpieces/${video}/clip.mp4`)).toBeNull();
  await until(async () => (await fetch(path(video, 'clip.mp4'))).status === 404);
  await until(async () => !(await start()).text.includes(video));

  const log = collectLog().log;
  const deps = {
    ...{ database, clock, media: store, log },
    shares: { remove: () => Promise.resolve() } as never,
    wall: { markRemoved: () => database.generations.find(image).then((each) => [each]) } as never,
  };
  await removeGenerations(deps, staffId, [image]);
  const { output } = await admin('showpiece list');
  expect(output).toEqual({ showpieces: [] });
  expect(await store.stat(`showpieces/${image}/small.webp`)).toBeNull();
});

test('a model has one: the next takes its place, and a removed one leaves no file', async () => {
  const [first, second] = [await addVideo(bed, staffId, 2), await addVideo(bed, staffId, 3)];
  for (const id of [first, second]) await admin(`showpiece add --generation ${id}`);
  const store = media();
  expect(await store.stat(`showpieces/${first}/clip.mp4`)).toBeNull();
  expect(await store.stat(`showpieces/${second}/clip.mp4`)).not.toBeNull();
  const { output } = await admin('showpiece remove --model alpha-2.0-fast');
  expect(output).toMatchObject({ generation_id: second });
  expect(await store.stat(`showpieces/${second}/clip.mp4`)).toBeNull();
  const none = await admin('showpiece remove --model alpha-2.0-fast');
  expect([none.status, none.stderr]).toEqual([1, 'There is no showpiece of alpha-2.0-fast.\n']);
});

test('pages keep the list for three seconds, also while the store cannot be read', async () => {
  let [now, reads] = [0, 0];
  const broken = {
    open: () => {
      reads += 1;
      return Promise.reject(new Error('the disk is away'));
    },
  };
  const { log, lines } = collectLog();
  const list = createShowpieceReads({ media: broken, clock: { now: () => now }, log });
  const known = await list();
  expect([known, await list()]).toEqual([[], []]);
  expect(reads).toBe(1);
  now = 3_000;
  expect(await list()).toBe(known);
  expect([reads, lines.length]).toEqual([2, 2]);
});
