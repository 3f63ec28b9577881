import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type ComfyPlan,
  type FakeComfyUi,
  startFakeComfyUi,
} from '../../gateway/providers/test/fakeComfyUi.ts';
import { video } from '../support/bodies.ts';
import { sampleFilm, samplePicture, usualFilm } from '../support/sampleMedia.ts';
import { statedImage, statedVideo } from '../support/statedSupport.ts';
import { until } from '../support/until.ts';
import { type Line, type Matrix, startMatrix, tooSmall, vanished } from './matrixWorld.ts';

/*
 * An operator's own GPUs, through a whole gateway: images are queued and polled as videos are.
 */

let servers: Record<'films' | 'pictures', FakeComfyUi>;
let matrix: Matrix;
let films: Line;
let pictures: Line;

const workflow = {
  3: { class_type: 'KSampler', inputs: { seed: 1, positive: ['6', 0], latent_image: ['5', 0] } },
  5: { class_type: 'EmptyLatent', inputs: { width: 64, height: 64, length: 1 } },
  6: { class_type: 'CLIPTextEncode', inputs: { text: '', clip: ['4', 1] } },
  9: { class_type: 'SaveImage', inputs: { filename_prefix: 'x', images: ['3', 0] } },
};
const send = { prompt: '6.text', width: '5.width', height: '5.height', seed: '3.seed' };

const lineOf = (name: string, model: string, server: FakeComfyUi, more: object): Line => ({
  name,
  model,
  providerModel: 'draw',
  protocol: null,
  isLookedUp: true,
  provider: {
    kind: 'comfyui',
    // The fields that providers of packages have.
    rewriteOrigins: undefined,
    mediaHosts: undefined,
    apiKeyEnv: undefined,
    servers: { one: server.origin },
    workflows: { draw: workflow },
    maxConcurrent: 10,
    errorRules: [{ match: 'not for this house', code: 'input_rejected' }],
  },
  ...more,
});

/** @param asOrdered Files of an order. @param small Files that are far too small. */
function plan(server: FakeComfyUi, [asOrdered, small]: [ComfyPlan['files'], ComfyPlan['files']]) {
  const plans: [string, ComfyPlan][] = [
    ['refused lake', { refused: 'not for this house' }],
    ['moderated lake', { error: 'NSFW content detected' }],
    ['failed lake', { error: 'Allocation on device' }],
    [tooSmall, { files: small ?? [] }],
    [vanished, { drops: 'after', files: asOrdered ?? [] }],
    ['lake', { files: asOrdered ?? [] }],
  ];
  for (const [text, each] of plans) server.plans.set(text, each);
}

beforeAll(async () => {
  const picture = await samplePicture();
  servers = { films: await startFakeComfyUi(picture), pictures: await startFakeComfyUi(picture) };
  const small = await sampleFilm({ ...usualFilm, width: 64, height: 36 });
  plan(servers.films, [
    [{ name: 'a.mp4', bytes: await sampleFilm() }],
    [{ name: 'a.mp4', bytes: small }],
  ]);
  plan(servers.pictures, [
    [{ name: 'a.png', bytes: picture }],
    [{ name: 'a.png', bytes: await samplePicture(64) }],
  ]);
  films = lineOf('ComfyUI', 'alpha-2.5', servers.films, {
    does: { ...statedVideo, audio: false, modes: ['text-to-video'] },
    send: { ...send, duration: { '5.length': { fps: 16, extra: 1 } } },
  });
  pictures = lineOf('ComfyUI images', 'image-b-2', servers.pictures, { does: statedImage, send });
  matrix = await startMatrix([films, pictures], []);
});

afterAll(async () => {
  await matrix.stop();
  for (const server of Object.values(servers)) await server.close();
});

test.each(['films', 'pictures'] as const)('%s through a whole gateway', async (which) => {
  const line = which === 'films' ? films : pictures;
  await matrix.expectLine(line);
  const { orders } = servers[which];
  // All but the refused one, once each.
  expect(new Set(orders.map(({ id }) => id)).size).toBe(orders.length);
  expect(orders).toHaveLength(5);
});

test('an order whose process died before recording it is found by another process, and made once', async () => {
  const { films: server } = servers;
  server.plans.delete('lake');
  server.plans.set('held sea', { isHeld: true });
  const account = await matrix.addAccount({ credits: 1000 });
  const { json } = await account.post(
    '/v1/videos',
    video({ model: films.model, prompt: 'held sea' }),
  );
  const id = String(json['id']);
  const { collections, database } = matrix;
  const stepOf = async () => (await database.generations.find(id))?.step;
  await until(async () => (await stepOf()) === 'submitted');
  const expired = new Date(0);
  await collections.generations.updateOne(
    { _id: id },
    {
      $set: {
        step: 'submitting',
        leaseUntil: expired,
        dueAt: expired,
        'attempts.0.outcome': 'open',
        'attempts.0.handle': null,
      },
      $inc: { epoch: 1 },
    },
  );
  await until(async () => {
    await database.jobs.wake({ generationId: id, accountId: account.accountId });
    return (await stepOf()) === 'submitted';
  });
  server.plans.set('held sea', { files: [{ name: 'a.mp4', bytes: await sampleFilm() }] });
  expect(await account.untilEnded(id)).toMatchObject({ status: 'completed' });
  const orders = server.orders.filter(({ graph }) => JSON.stringify(graph).includes('held sea'));
  expect(orders).toHaveLength(1);
  const attempts = (await database.generations.find(id))?.attempts.map(({ outcome }) => outcome);
  expect(attempts).toEqual(['unknown', 'completed']);
});
