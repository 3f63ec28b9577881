import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type BflResponse,
  type FakeBfl,
  startFakeBfl,
} from '../../gateway/providers/test/fakeBfl.ts';
import { samplePicture } from '../support/sampleMedia.ts';
import { testTogether } from '../support/testTogether.ts';
import { bflPlans, openaiImages, type Protocol, protocols } from './matrixProtocols.ts';
import {
  eachLine,
  fateIn,
  type Line,
  type Matrix,
  shown,
  startMatrix,
  tooSmall,
  vanished,
} from './matrixWorld.ts';

/* The packages for which Framegate has a table, each installed from npm, through a whole gateway. */

let bfl: FakeBfl;
let matrix: Matrix;

const line = (
  ...[name, model, providerModel, provider, protocol]: [
    string,
    string,
    string,
    object,
    Protocol | null,
  ]
): Line => ({ name, model, providerModel, provider: { ...provider }, protocol });
const sdk = (name: string, factory: string) => ({
  kind: 'ai-sdk',
  package: `@ai-sdk/${name}`,
  factory,
});
const ark = { kind: 'model-ark', baseURL: 'https://ark.example/api/v3' };
const { fal, google, replicate, alibaba, xai, ark: arkProtocol } = protocols;

const videos: Line[] = [
  line(
    'fal',
    'alpha-2.0-mini',
    'bytedance/seedance-2.0/text-to-video',
    sdk('fal', 'createFal'),
    fal,
  ),
  line('Google', 'beta-3.0', 'veo-3.1-generate-preview', sdk('google', 'createGoogle'), google),
  line(
    ...(['Replicate', 'alpha-2.0-fast', 'bytedance/seedance-2.0'] as const),
    ...([sdk('replicate', 'createReplicate'), replicate] as const),
  ),
  line('Alibaba', 'alpha-2.5', 'wan2.6-t2v', sdk('alibaba', 'createAlibaba'), alibaba),
  line('xAI', 'alpha-2.5-lite', 'grok-imagine-video', sdk('xai', 'createXai'), xai),
  line('ModelArk', 'alpha-2.0-pro', 'seedance-1-5-pro-251215', ark, arkProtocol),
];
let bflImages: Line;
let openai: Line;

beforeAll(async () => {
  bfl = await startFakeBfl(await samplePicture(), 'a-key');
  const small = await samplePicture(64);
  const asPicture: BflResponse = (response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(small);
  bfl.plan = (prompt) => {
    if (prompt === vanished) return { submit: (response) => response.destroy() };
    if (prompt === tooSmall) return { files: [asPicture] };
    return bflPlans[fateIn(prompt) ?? 'made'];
  };
  openai = line(
    'OpenAI images',
    'image-a-2',
    'gpt-image-1',
    sdk('openai', 'createOpenAI'),
    openaiImages,
  );
  bflImages = line(
    'Black Forest Labs images',
    'image-b-2',
    'flux-2-pro',
    {
      ...sdk('black-forest-labs', 'createBlackForestLabs'),
      rewriteOrigins: bfl.rewriteOrigins,
      mediaHosts: ['*.bfl.ai'],
      options: { pollIntervalMillis: 10 },
    },
    null,
  );
  matrix = await startMatrix(
    [...videos, openai, bflImages],
    [
      ...['https://queue.fal.run', 'https://generativelanguage.googleapis.com'],
      ...['https://api.replicate.com', 'https://dashscope-intl.aliyuncs.com', 'https://api.x.ai'],
      ...['https://ark.example', 'https://api.openai.com'],
    ],
  );
});

afterAll(async () => {
  await matrix.stop();
  await bfl.close();
});

// Most of the time is spent waiting for the next poll.
testTogether(eachLine(videos, (each) => matrix.expectLine(each)));

test('OpenAI through a whole gateway', () => matrix.expectLine(openai));

test('Black Forest Labs through a whole gateway', async () => {
  await matrix.expectLine(bflImages);
  const { api, region, delivery } = bfl.servers;
  expect([api.got.length, region.got.length, delivery.got.length]).toEqual([6, 10, 5]);
});

test('a film for a picture is failed and refunded', async () => {
  const film = Buffer.concat([Buffer.from('0000001866747970', 'hex'), Buffer.alloc(64)]);
  const asPng: BflResponse = (response) =>
    response.writeHead(200, { 'content-type': 'image/png' }).end(film);
  bfl.plan = () => ({ files: [asPng] });
  expect((await matrix.order(bflImages, 'a film')).record).toMatchObject(shown.failed);
});
