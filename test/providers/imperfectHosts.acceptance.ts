import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { useOutputStore } from '../../gateway/media/test/outputStore.ts';
import { type FakeComfyUi, startFakeComfyUi } from '../../gateway/providers/test/fakeComfyUi.ts';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { sampleFilm, samplePicture } from '../support/sampleMedia.ts';
import { statedImage, statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';
import { createImperfectHost, imperfections } from './imperfectHost.ts';
import { file, type Protocol, protocols } from './matrixProtocols.ts';
import { type Line, type Matrix, startMatrix } from './matrixWorld.ts';

/*
 * A host of files whose first responses are often not the file: half of it, nothing, a part, a text, or a connection
 * that ends. The work is done and paid, so no result may be lost, repeated or changed.
 */

const share = 0.3;
const seed = 47;
/** 200 results in total. */
const ordersOfEach = 25;

const sdk = (name: string, factory: string) => ({
  kind: 'ai-sdk',
  package: `@ai-sdk/${name}`,
  factory,
});
const line = (
  ...[name, model, providerModel, provider, protocol]: [string, string, string, object, Protocol]
): Line => ({ name, model, providerModel, provider: { ...provider }, protocol });
const { fal, replicate, xai, ark } = protocols;

/** Pictures at URLs instead of in the response. */
const pictures = (path: RegExp, made: object): Protocol => ({
  path,
  pending: () => [500, {}],
  ended: { made: [200, made] },
});
const falImages = pictures(/^\/fal-ai\/flux\//, {
  images: [{ url: file, width: 1024, height: 1024, content_type: 'image/png' }],
  has_nsfw_concepts: [false],
});
// Its models are listed by its free probe.
const openaiUrls = pictures(/^\/v1\/(images\/|models)/, { created: 1, data: [{ url: file }] });

const lines: Line[] = [
  line(
    ...(['ModelArk', 'alpha-2.0-pro', 'seedance-1-5-pro-251215'] as const),
    ...([{ kind: 'model-ark', baseURL: 'https://ark.example/api/v3' }, ark] as const),
  ),
  // Its path is a part of the videos' one.
  line('fal images', 'image-b-2', 'fal-ai/flux/dev', sdk('fal', 'createFal'), falImages),
  line(
    ...(['fal', 'alpha-2.0-mini', 'bytedance/seedance-2.0/text-to-video'] as const),
    ...([sdk('fal', 'createFal'), fal] as const),
  ),
  line(
    ...(['Replicate', 'alpha-2.0-fast', 'bytedance/seedance-2.0'] as const),
    ...([sdk('replicate', 'createReplicate'), replicate] as const),
  ),
  line('xAI', 'alpha-2.5-lite', 'grok-imagine-video', sdk('xai', 'createXai'), xai),
  line('OpenAI images', 'image-a-2', 'gpt-image-1', sdk('openai', 'createOpenAI'), openaiUrls),
];

const workflow = {
  3: { class_type: 'KSampler', inputs: { seed: 1, positive: ['6', 0], latent_image: ['5', 0] } },
  5: { class_type: 'EmptyLatent', inputs: { width: 64, height: 64, length: 1 } },
  6: { class_type: 'CLIPTextEncode', inputs: { text: '', clip: ['4', 1] } },
  9: { class_type: 'SaveImage', inputs: { filename_prefix: 'x', images: ['3', 0] } },
};
const send = { prompt: '6.text', width: '5.width', height: '5.height', seed: '3.seed' };
const comfyLine = (name: string, model: string, { origin }: FakeComfyUi, more: object): Line => ({
  name,
  model,
  providerModel: 'draw',
  protocol: null,
  provider: {
    kind: 'comfyui',
    // The fields that providers of packages have.
    rewriteOrigins: undefined,
    mediaHosts: undefined,
    apiKeyEnv: undefined,
    servers: { one: origin },
    workflows: { draw: workflow },
    maxConcurrent: ordersOfEach,
  },
  ...more,
});

const host = createImperfectHost(share, seed);
let comfy: Record<'films' | 'pictures', FakeComfyUi>;
let matrix: Matrix;
let all: Line[];
const outputs = useOutputStore();
/** Digests of the files that the media store makes from a whole video and a whole image. */
const whole = new Map<string, string>();
const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** A ComfyUI whose files come from the imperfect host. */
async function startComfyUi(name: string, bytes: Buffer): Promise<FakeComfyUi> {
  const server = await startFakeComfyUi(bytes);
  server.plans.set('lake', { files: [{ name, bytes }] });
  server.fault = ({ path }, response) => {
    if (!path.startsWith('/view')) return false;
    host.serve(response, bytes, server.origin + path);
    return true;
  };
  return server;
}

beforeAll(async () => {
  const [film, picture] = [await sampleFilm(), await samplePicture()];
  whole.set('video', digestOf(await outputs().finish(film, 'video/mp4')));
  whole.set('image', digestOf(await outputs().finish(picture, 'image/png')));
  comfy = {
    films: await startComfyUi('a.mp4', film),
    pictures: await startComfyUi('a.png', picture),
  };
  const does = { ...statedVideo, audio: false, modes: ['text-to-video'] };
  all = [
    ...lines,
    comfyLine('ComfyUI', 'alpha-2.5', comfy.films, {
      does,
      send: { ...send, duration: { '5.length': { fps: 16, extra: 1 } } },
    }),
    comfyLine('ComfyUI images', 'image-b-pro', comfy.pictures, { does: statedImage, send }),
  ];
  matrix = await startMatrix(
    all,
    [
      ...['https://ark.example', 'https://queue.fal.run', 'https://fal.run'],
      ...['https://api.replicate.com', 'https://api.x.ai', 'https://api.openai.com'],
    ],
    host.serve,
  );
});

afterAll(async () => {
  await matrix.stop();
  for (const server of Object.values(comfy)) await server.close();
});

/** Number of orders with this prompt that the providers received. */
const orders = (prompt: string) => [
  ...matrix.server.got.filter(
    ({ method, body }) => method === 'POST' && JSON.stringify(body).includes(prompt),
  ),
  ...Object.values(comfy).flatMap((server) =>
    server.orders.filter(({ graph }) => JSON.stringify(graph).includes(prompt)),
  ),
];

/** `whole` if the delivered file is the one that is made of the whole file; otherwise its digest or its end. */
async function delivered(record: Record<string, unknown>): Promise<string> {
  const [url] = (record['output'] as { urls?: string[] } | null)?.urls ?? [];
  if (url === undefined) return JSON.stringify([record['status'], record['error']]);
  const digest = digestOf(Buffer.from(await (await fetch(url)).arrayBuffer()));
  return digest === whole.get(String(record['type'])) ? 'whole' : digest;
}

/** Maximum total time on a busy machine, in ms. */
const togetherMs = 220_000;

test('none of 200 results is lost, made twice or incomplete', async () => {
  const ends: Record<string, Record<string, number>> = {};
  const repeated: string[] = [];
  let open = all.length * ordersOfEach;
  const one = async (each: Line, number: number) => {
    const prompt = `made lake ${String(number)} of ${each.name}.`;
    const end = await matrix.order(each, prompt).then(({ record }) => delivered(record), String);
    const ofLine = (ends[each.name] ??= {});
    ofLine[end] = (ofLine[end] ?? 0) + 1;
    if (orders(prompt).length !== 1) repeated.push(prompt);
    open -= 1;
  };
  const numbers = Array.from({ length: ordersOfEach }, (_, number) => number);
  const work = Promise.all(all.flatMap((each) => numbers.map((number) => one(each, number))));
  await Promise.race([work, until(() => open === 0, 'all have ended', togetherMs)]).catch(() => 0);
  const right = Object.fromEntries(all.map(({ name }) => [name, { whole: ordersOfEach }]));
  expect({ open, repeated, ends }).toEqual({ open: 0, repeated: [], ends: right });
  expect([...host.given.keys()].sort()).toEqual(imperfections.toSorted());
  const { client, collections } = matrix;
  const { problems } = await verifyLedger({ ledgerAudit: createLedgerAudit(client, collections) });
  expect(problems).toEqual([]);
});
