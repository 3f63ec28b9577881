import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { minuteMs } from '@framegate/contract';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { encodeStripes, mux } from '../../gateway/media/test/makeMedia.ts';
import { phoneFilms, traces } from '../../gateway/media/test/phoneFiles.ts';
import { type InputHost, startInputHost } from '../faults/inputHost.ts';
import { connectMcp } from '../mcp/support/mcpClient.ts';
import { type OperatorWorld, startOperatorWorld } from '../operator/support/operatorWorld.ts';
import { signUpVerified } from '../site/support/signUpVerified.ts';
import { createVisitor, type Visitor } from '../site/support/visitor.ts';
import { arkRoutes } from '../support/arkRoutes.ts';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestAccount } from '../support/gateway.ts';
import { until } from '../support/until.ts';

/* One rule for customers' files at every entry point: URL, own result, upload, MCP, operator API. */

let folder: string;
let ark: FakeArk;
let host: InputHost;
let world: OperatorWorld;
let account: TestAccount;
let ada: Visitor;
let photo: Buffer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'framegate-doors-'));
  [ark, host] = [await startFakeArk(), await startInputHost(folder)];
  const settings = { ROLE: 'all', SIGNUP_CREDITS: '1000', AUTO_APPROVED_HOSTS: host.host };
  world = await startOperatorWorld({ ...settings, ...host.env, ...(await arkRoutes(folder, ark)) });
  account = await world.gateway.addAccount({ credits: 10_000, hosts: [host.host] });
  ada = createVisitor(world.gateway.origin);
  await signUpVerified(ada, world.gateway.dataDir, 'ada@example.com');
  photo = await sharp({ create: { width: 640, height: 360, channels: 3, background: '#3a6' } })
    .withExif({
      IFD0: { Make: 'Secretvendor', Model: 'Secretvendor 9' },
      IFD2: { BodySerialNumber: 'Secretvendor-4711' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer();
}, minuteMs);
afterAll(async () => {
  await world.gateway.stop();
  await Promise.all([ark.close(), host.close()]);
  await rm(folder, { recursive: true });
  expect(world.gateway.errors).toEqual([]);
});

const mode = { model: 'alpha-2.0-pro', mode: 'image-to-video' };
const find = async (id: string) => world.gateway.database.generations.find(id);

/** The files of a generation that the provider fetched; it read each to its end. */
async function fetched(id: string, prompt: string): Promise<Buffer[]> {
  await until(() => ark.accepted(prompt) > 0, 'the provider has the order');
  const files = createDiskStore(join(world.gateway.dataDir, 'media'));
  const generation = await find(id);
  const read: Buffer[] = [];
  for (const { key, bytes, sha256 } of generation?.storedInputs ?? []) {
    const found = await files.open(key);
    const file = found ? await buffer(found.stream) : Buffer.alloc(0);
    expect([file.length, createHash('sha256').update(file).digest('hex')]).toEqual([bytes, sha256]);
    read.push(file);
  }
  const { inputs } = ark.submitted().find((each) => each.prompt === prompt) ?? { inputs: [] };
  expect(inputs.map((each) => each.bytes)).toEqual(read.map((each) => each.length));
  return read;
}

type Input = Record<string, unknown>;
type Order = { mode: string; prompt: string; inputs: Input[] };
const frame = (url: string): Input => ({ type: 'image', url, role: 'first_frame' });
const reference = (type: string, url: string): Input => ({ type, url, role: 'reference' });

/** The entry points of programs. Each makes a generation and returns its id. */
const programs: Record<string, (order: Order) => Promise<string>> = {
  API: async (order) => {
    const { status, json, text } = await account.post('/v1/videos', {
      ...order,
      model: mode.model,
    });
    if (status !== 202) throw new Error(text);
    return String(json['id']);
  },
  MCP: async (order) => {
    const mcp = await connectMcp({ origin: world.gateway.origin, apiKey: account.apiKey });
    const made = await mcp.call('create_video', { ...order, model: mode.model });
    await mcp.client.close();
    return String((made.structuredContent as { id?: unknown } | undefined)?.id);
  },
  'operator API': async (order) => {
    const path = `/accounts/${account.accountId}/videos`;
    const { status, json, text } = await world.operator.post(path, { ...order, model: mode.model });
    if (status !== 202) throw new Error(text);
    return String(json['id']);
  },
};

/** Submits a file in the studio's form. */
async function submit(visitor: Visitor, fields: Record<string, string>, bytes?: Uint8Array) {
  const form = new FormData();
  form.append('form_token', (await visitor.get('/studio')).field('form_token'));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (bytes) form.append('file.first_frame', new Blob([new Uint8Array(bytes)]), 'a file');
  const headers = { 'sec-fetch-site': 'same-origin' };
  return visitor.send('/studio', { method: 'POST', body: form, headers });
}

/** The studio's own entry point. */
async function byUpload(prompt: string, bytes: Uint8Array): Promise<string> {
  const chosen = await submit(ada, { do: 'update', ...mode, prompt }, bytes);
  const first_frame = chosen.field('first_frame');
  const seen = await submit(ada, { do: 'update', ...mode, prompt, first_frame });
  const shown = { form_key: seen.field('form_key'), shown_credits: seen.field('shown_credits') };
  const made = await submit(ada, { do: 'create', ...mode, prompt, ...shown, first_frame });
  return /gen_\w+/.exec(made.path)?.[0] ?? made.text;
}

test.each(['API', 'MCP', 'operator API', 'upload'])(
  "a phone's picture comes to the provider upright, without place, maker and serial number: %s",
  async (door) => {
    const prompt = `turn ${door}`;
    const inputs = [frame(host.serve('phone.jpg', photo))];
    const id =
      (await programs[door]?.({ mode: mode.mode, prompt, inputs })) ??
      (await byUpload(prompt, photo));
    const [file = Buffer.alloc(0)] = await fetched(id, prompt);
    const { width, height, orientation, exif } = await sharp(file).metadata();
    expect({ width, height, orientation, exif }).toEqual({ width: 360, height: 640 });
    expect(file.includes('Secretvendor')).toBe(false);
  },
);

test.each(Object.keys(programs))(
  'files of every kind come to the provider without place, maker and serial number: %s',
  async (door) => {
    const prompt = `all kinds ${door}`;
    const files: [type: string, bytes: Buffer][] = [];
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      files.push(['image', await sharp(photo).keepMetadata().toFormat(format).toBuffer()]);
    }
    for (const [name, type, make] of phoneFilms) {
      if (name !== 'an AAC') files.push([type, await make()]);
    }
    const inputs = files.map(([type, bytes], index) =>
      reference(type, host.serve(`${String(index)} ${door}`.replaceAll(' ', '-'), bytes)),
    );
    const order = { mode: 'multimodal-to-video', prompt, inputs };
    const read = await fetched((await programs[door]?.(order)) ?? '', prompt);
    expect(read.map(traces)).toEqual(files.map(() => []));
    for (const picture of read.slice(0, 3)) {
      const { width, orientation, exif } = await sharp(picture).metadata();
      expect({ width, orientation, exif }).toEqual({ width: 360 });
    }
  },
);

test('a result used as an input keeps its frames, and reveals nothing about us', async () => {
  const order = { mode: 'text-to-video', prompt: 'first film', inputs: [] };
  const first = await account.untilEnded(await (programs['API']?.(order) ?? ''));
  const url = (first['output'] as { video_url: string }).video_url;
  expect(Buffer.from(await (await fetch(url)).arrayBuffer()).includes('AlgorithmicMedia')).toBe(
    true,
  );
  const again = {
    mode: 'multimodal-to-video',
    prompt: 'second film',
    inputs: [reference('video', url)],
  };
  const [file] = await fetched(await (programs['API']?.(again) ?? ''), 'second film');
  expect(file?.includes('AlgorithmicMedia')).toBe(false);
});

describe('a file of the wrong kind is refused by its kind', () => {
  const heic = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1');
  const sentence = 'This is a HEIC image: send JPEG, PNG or WebP.';

  test.each(Object.keys(programs))('by the %s, refunded', async (door) => {
    const inputs = [frame(host.serve('phone.heic', heic))];
    const order = { mode: mode.mode, prompt: `heic ${door}`, inputs };
    const ended = await account.untilEnded(await (programs[door]?.(order) ?? ''));
    expect(ended).toMatchObject({
      status: 'failed',
      error: { code: 'input_invalid', param: 'inputs[0].url', message: sentence },
      billing: { status: 'refunded' },
    });
    const record = await world.operator.get(`/generations/${String(ended['id'])}`);
    expect(record.json['error']).toMatchObject({ message: sentence });
  });

  test('in the studio, before anything is charged, in each language', async () => {
    const fields = { do: 'update', ...mode, prompt: 'x' };
    expect((await submit(ada, fields, heic)).text).toContain(sentence.slice(0, -1));
    const first_frame = host.serve('phone.heic', heic);
    const seen = await submit(ada, { ...fields, first_frame });
    const shown = { form_key: seen.field('form_key'), shown_credits: seen.field('shown_credits') };
    const made = await submit(ada, { ...fields, do: 'create', ...shown, first_frame });
    const id = /gen_\w+/.exec(made.path)?.[0] ?? made.text;
    await until(async () => (await find(id))?.status === 'failed');
    expect((await find(id))?.failure).toMatchObject({
      wrongFile: { actualKind: 'heic', expected: 'image' },
    });
    expect((await ada.get(`/generations/${id}`)).text).toContain(sentence);
    const german = await ada.send(`/generations/${id}`, {
      headers: { 'accept-language': 'de' },
    });
    expect(german.text).toContain('Das ist ein HEIC-Bild: Sende JPEG, PNG oder WebP.');
  });

  test('refuses a video in a container or with a codec that is not accepted', async () => {
    const packets = await encodeStripes('avc', 1);
    const mkv = await mux('mkv', { video: { codec: 'avc', packets } });
    const url = host.serve('a.mkv', mkv);
    const inputs = [reference('video', url)];
    const order = { mode: 'multimodal-to-video', prompt: 'mkv', inputs };
    const ended = await account.untilEnded(await (programs['API']?.(order) ?? ''));
    expect(ended['error']).toMatchObject({
      message: 'This is a Matroska video (MKV): send MP4, MOV or WebM.',
    });
  });
});
