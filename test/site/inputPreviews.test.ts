import { mkdtemp, readdir, rm } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { createStoreUpload } from '../../gateway/media/src/storeUpload.ts';
import { encodeStripes, encodeTone, mux } from '../../gateway/media/test/makeMedia.ts';
import { createAttemptStore } from '../../gateway/src/adapters/mongo/signIn/attemptStore.ts';
import { createGuardedFetch } from '../../gateway/src/adapters/net/guardedFetch.ts';
import { attemptLimits } from '../../gateway/src/application/signIn/attempts.ts';
import { makeInputPreview } from '../../gateway/src/application/studio/madeUploads.ts';
import { type InputHost, startInputHost } from '../faults/inputHost.ts';
import { startTestGateway, type TestGateway } from '../support/gateway.ts';
import { signUpVerified } from './support/signUpVerified.ts';
import { createVisitor, type Page, type Visitor } from './support/visitor.ts';

let folder: string;
let storage: InputHost;
let gateway: TestGateway;
let ada: Visitor;
let eve: Visitor;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-storage-'));
  storage = await startInputHost(folder);
  const settings = { ROLE: 'api', SIGNUP_CREDITS: '600', POSTERS: 'all' };
  gateway = await startTestGateway({
    ...settings,
    ...storage.env,
    AUTO_APPROVED_HOSTS: storage.host,
  });
  [ada, eve] = [createVisitor(gateway.origin), createVisitor(gateway.origin)];
  await signUpVerified(ada, gateway.dataDir, 'ada@example.com');
  await signUpVerified(eve, gateway.dataDir, 'eve@example.com');
});
afterAll(async () => {
  await gateway.stop();
  await storage.close();
  await rm(folder, { recursive: true });
  expect(gateway.errors).toEqual([]);
});

const uploads = () => gateway.collections.uploads;
const frames = { model: 'alpha-2.0-fast', mode: 'image-to-video', prompt: 'drift' };
const references = { model: 'alpha-2.0-fast', mode: 'multimodal-to-video', prompt: 'drift' };
const picture = () =>
  sharp({ create: { width: 640, height: 360, channels: 3, background: '#3a6' } })
    .png()
    .toBuffer();

/** Presses the button next to a field, as a browser without the script does. */
async function show(visitor: Visitor, field: string, url: string): Promise<Page> {
  await visitor.get('/studio');
  const mode = field === 'first_frame' ? frames : references;
  return visitor.post('/studio', { ...mode, [field]: url, do: `show:${field}` });
}
const previewOf = (page: Page) => /\/studio\/uploads\/upl_[a-z0-9]+/.exec(page.text)?.[0] ?? '';
const problemOf = (page: Page, field = 'first-frame') =>
  new RegExp(`id="field-${field}-problem">([^<]*)`).exec(page.text)?.[1];

describe('a typed URL', () => {
  test('is shown as a thumbnail, fetched once, and sent as typed', async () => {
    const url = storage.serve('harbour.png?secret=1', await picture());
    const page = await show(ada, 'first_frame', url);
    expect([page.status, page.field('first_frame')]).toEqual([200, url]);
    expect(page.text).toContain('image, 640 × 360');
    const preview = await ada.get(previewOf(page));
    expect(preview.headers.get('content-type')).toBe('image/webp');
    // A redraw for another reason also shows it, without a request.
    const again = await ada.post('/studio', { ...frames, first_frame: url, do: 'update' });
    expect(previewOf(again)).toBe(previewOf(page));
    await show(ada, 'first_frame', url);
    expect(storage.fetches('harbour.png?secret=1')).toBe(1);

    // Neither file nor URL is kept.
    const id = previewOf(page).slice(16);
    const kept = await uploads().findOne({ _id: id });
    expect(kept).toMatchObject({ key: null, type: 'image' });
    expect(JSON.stringify(kept)).not.toContain('secret');
    const names = await readdir(join(gateway.dataDir, 'media/uploads', id));
    expect(names.filter((name) => !name.startsWith('preview.webp'))).toEqual([]);

    const shown = {
      form_key: again.field('form_key'),
      shown_credits: again.field('shown_credits'),
    };
    const made = await ada.post('/studio', {
      ...frames,
      ...shown,
      first_frame: url,
      do: 'create',
    });
    const { generations } = gateway.database;
    const generation = await generations.find(/gen_\w+/.exec(made.path)?.[0] ?? made.text);
    expect(generation?.inputs).toEqual([
      { type: 'image', role: 'first_frame', url, ownOutput: null },
    ]);
  });

  test('of one account is not shown to another, and its preview cannot be an input', async () => {
    const url = storage.serve('own.png', await picture());
    const page = await show(ada, 'first_frame', url);
    expect((await eve.get(previewOf(page))).status).toBe(404);
    await eve.get('/studio');
    const theirs = await eve.post('/studio', { ...frames, first_frame: url, do: 'update' });
    expect(previewOf(theirs)).toBe('');
    const upload = `${gateway.origin}/media/uploads/${previewOf(page).slice(16)}`;
    const form = await ada.post('/studio', { ...frames, first_frame: upload, do: 'update' });
    const shown = { form_key: form.field('form_key'), shown_credits: form.field('shown_credits') };
    const refused = await ada.post('/studio', {
      ...frames,
      ...shown,
      first_frame: upload,
      do: 'create',
    });
    expect([refused.status, problemOf(refused)]).toEqual([
      400,
      expect.stringContaining('no longer available'),
    ]);
  });

  test('of a video shows its first frame, and of audio its length', async () => {
    const video = { codec: 'avc', packets: await encodeStripes('avc', 1) } as const;
    const film = storage.serve('film.mp4', await mux('mp4', { video }));
    const seen = await show(ada, 'video_1', film);
    expect(seen.text).toContain('video, 160 × 90, 1.0 s');
    const webp = await ada.get(previewOf(seen));
    expect(webp.headers.get('content-type')).toBe('image/webp');
    const audio = { codec: 'mp3', packets: await encodeTone('mp3', 1) } as const;
    const sound = await show(ada, 'audio_1', storage.serve('a.mp3', await mux('mp3', { audio })));
    expect(sound.text).toMatch(/audio, 1\.\d s/);
    expect(previewOf(sound)).toBe('');
    // The same file in a field of another kind.
    const wrong = await show(ada, 'video_1', storage.serve('x.png', await picture()));
    expect(problemOf(wrong, 'video-1')).toBe('This is a PNG image: send MP4, MOV or WebM.');
  });
});

describe('an input that cannot be shown gives the reason at its field, and nothing is kept', () => {
  const large = (chunks: number) => (response: ServerResponse) => {
    for (let each = 0; each < chunks; each += 1) response.write(Buffer.alloc(1_000_000));
    response.end();
  };
  const unsent = /^inputs\.framegate\.example didn&#39;t send this file\./;
  test.each([
    ['another host', () => 'https://else.example/a.png', 403, /^else\.example isn&#39;t approved/],
    ['a private address', () => 'https://127.0.0.1/a.png', 400, /^Use a DNS name/],
    ['plain http', () => 'http://inputs.framegate.example/a.png', 400, /begins with https/],
    [
      'a redirect to a private address',
      () =>
        storage.respond('away.png', (response) =>
          response.writeHead(302, { location: 'https://127.0.0.1/a.png' }).end(),
        ),
      ...([400, unsent] as const),
    ],
    [
      'nothing there',
      () => storage.respond('gone.png', (response) => response.writeHead(404).end()),
      ...([400, unsent] as const),
    ],
    [
      'a connection that breaks off',
      () => storage.respond('broken.png', (response) => response.socket?.destroy()),
      ...([400, unsent] as const),
    ],
    ['too large', () => storage.respond('large.png', large(21)), 413, /larger than 20 MB/],
    [
      'a page',
      () => storage.serve('page.png', Buffer.from('<!doctype html><title>Sign in</title>')),
      ...([400, /This is a web page \(HTML\), not the file itself: send JPEG/] as const),
    ],
  ])('%s', async (_name, url, status, words) => {
    const before = await uploads().countDocuments();
    const page = await show(ada, 'first_frame', url());
    expect(page.status).toBe(status);
    expect(problemOf(page)).toMatch(words);
    expect(page.field('first_frame')).toBe(url());
    expect(page.text).toContain('drift</textarea>');
    expect(await uploads().countDocuments()).toBe(before);
  });

  test('more than an account may preview in an hour', async () => {
    const { attempts } = gateway.collections;
    await attempts.updateMany(
      { _id: { $regex: /^upload:/ } },
      { $set: { count: attemptLimits.upload.max } },
    );
    const page = await show(ada, 'first_frame', storage.serve('more.png', await picture()));
    expect([page.status, problemOf(page)]).toEqual([
      429,
      expect.stringContaining('Too many attempts'),
    ]);
    expect(storage.fetches('more.png')).toBe(0);
    await attempts.deleteMany({ _id: { $regex: /^upload:/ } });
  });
});

describe('a host that', () => {
  /** Previews a URL like the page, with a shorter time limit and the test's own names. */
  async function look(url: string, options: Partial<Parameters<typeof createGuardedFetch>[0]>) {
    const { database, clock, collections } = gateway;
    const store = createDiskStore(join(folder, 'store'));
    const fileLimits = {
      image: { maxBytes: 1_000_000, maxPixels: 1_000_000 },
      video: { maxBytes: 1, maxSeconds: 1 },
      audio: { maxBytes: 1, maxSeconds: 1 },
    };
    const tempFolder = join(folder, 'temp');
    const deps = {
      database,
      clock,
      random: gateway.random,
      media: store,
      attempts: createAttemptStore(collections),
      storeUpload: createStoreUpload({ store, fileLimits, tempFolder, decodesVideo: false }),
      fetchUrl: createGuardedFetch({
        hostOverrides: new Map(),
        bundledHosts: new Map(),
        ...options,
      }),
      autoApprovedHosts: ['*.example'],
    };
    const account = await database.accounts.findByEmail('eve@example.com');
    if (!account) throw new Error('no account');
    const publicUrls = { baseUrl: '', mediaUrl: 'http://x.example/media', mediaSigningKeys: [] };
    const input = { type: 'image', url, maxBytes: 1_000_000 } as const;
    await makeInputPreview(deps, account, publicUrls, input, { fetchMs: 300, wholeMs: 10_000 });
  }

  test.each(['10.0.0.1', '169.254.169.254', '::1'])('has the address %s', async (address) => {
    const looked = look('https://inner.example/a.png', { resolveHost: async () => [address] });
    await expect(looked).rejects.toMatchObject({
      code: 'file_unreachable',
      values: { host: 'inner.example' },
    });
  });

  test('does not respond', async () => {
    const [, port] = /:(\d+)$/.exec(storage.env['INPUT_HOST_OVERRIDES'] ?? '') ?? [];
    const asked = Promise.withResolvers<undefined>();
    const url = storage.respond('slow.png', () => asked.resolve(undefined));
    const hostOverrides = new Map([[storage.host, { address: '127.0.0.1', port: Number(port) }]]);
    const looked = look(url, { hostOverrides, extraCa: [storage.authority] });
    await Promise.all([
      asked.promise,
      expect(looked).rejects.toMatchObject({ code: 'file_unreachable' }),
    ]);
  });
});
