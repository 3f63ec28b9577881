import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ProviderRequest, Route, Submission } from '../src/route.ts';
import { type FakeComfyUi, startFakeComfyUi } from './fakeComfyUi.ts';
import {
  closeRoutes,
  imageRequest,
  input,
  never,
  openRoute,
  readOutput,
  videoRequest,
} from './routeFixtures.ts';
import { html } from './tinyServer.ts';

const picture = Buffer.from('a picture');
let comfy: FakeComfyUi;

beforeAll(async () => {
  comfy = await startFakeComfyUi(picture);
});
afterEach(() => {
  comfy.restart();
  comfy.plans.clear();
  comfy.fault = null;
  comfy.version = '0.3.64';
  for (const list of [comfy.orders, comfy.uploads, comfy.interrupted, comfy.got]) list.length = 0;
});
afterAll(async () => {
  await closeRoutes();
  await comfy.close();
});

/** A workflow in its exported form; its picture does not matter here. */
const workflow = {
  '3': { class_type: 'KSampler', inputs: { seed: 1, steps: 20, positive: ['6', 0] } },
  '5': { class_type: 'EmptyLatentImage', inputs: { width: 1, height: 1, length: 1 } },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'the old prompt', clip: ['4', 1] } },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'blurry' }, _meta: { title: 'Negative' } },
  '9': { class_type: 'SaveImage', inputs: { filename_prefix: 'ComfyUI', images: ['3', 0] } },
  '12': { class_type: 'LoadImage', inputs: { image: 'example.png' } },
};
const send = { prompt: '6.text', width: '5.width', height: '5.height', seed: '3.seed' };
const sizes = { resolutions: ['720p', '1k'], aspectRatios: ['16:9', '1:1'] };
const film = {
  does: { ...sizes, modes: ['text-to-video', 'image-to-video'], seconds: { min: 1, max: 10 } },
  send: { ...send, duration: { '5.length': { fps: 16, extra: 1 } } },
};
const entry = () => ({
  kind: 'comfyui',
  servers: { one: comfy.origin },
  workflows: { draw: workflow },
  allowPrivateNetwork: true,
});

/** Short pauses for the looks after an order without a response. */
const imageTimes = { callMs: 1000, pauseMs: 1 };

async function open(route: object = film, type: 'video' | 'image' = 'video', key = {}) {
  const opened = await openRoute({ ...entry(), ...key }, 'draw', { type, route, imageTimes });
  return opened.route;
}
const images = { does: sizes, send };

const accepted = (made: Submission) => {
  if (made.kind !== 'accepted') throw new Error(JSON.stringify(made));
  return made.operation;
};

/** Polls an order until it has ended. */
async function untilEnded(route: Route, operation: unknown, request: ProviderRequest) {
  for (;;) {
    const result = await route.poll(operation, request, never);
    if (result.kind !== 'pending') return result;
  }
}

async function make(route: Route, request: ProviderRequest) {
  return untilEnded(route, accepted(await route.submit(request, never)), request);
}

describe('an order', () => {
  test('has its prompt, size, length and seed in the inputs that the route names', async () => {
    const result = await make(await open(), videoRequest({ duration_seconds: 5 }));
    const [order] = comfy.orders;
    expect(order?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(order?.graph).toEqual({
      ...workflow,
      '3': { class_type: 'KSampler', inputs: { seed: 7, steps: 20, positive: ['6', 0] } },
      '5': { class_type: 'EmptyLatentImage', inputs: { width: 1280, height: 720, length: 81 } },
      '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a quiet lake', clip: ['4', 1] } },
      '9': {
        class_type: 'SaveImage',
        inputs: { filename_prefix: `framegate/${String(order?.id)}`, images: ['3', 0] },
      },
    });
    if (result.kind !== 'completed') throw new Error(result.kind);
    expect(result.outputs).toHaveLength(1);
    expect(await readOutput(result.outputs[0])).toEqual(picture);
  });

  test('of several images is one order, with a seed and a copy of the workflow for each', async () => {
    const pictures = [1, 2].map((index) => ({ name: `${index}.png`, bytes: picture }));
    comfy.plans.set('lake', { files: pictures });
    const result = await make(await open(images, 'image'), imageRequest({ n: 2, seed: 7 }));
    expect(result).toMatchObject({ kind: 'completed', outputs: { length: 2 } });
    const [order, ...more] = comfy.orders;
    expect(more).toEqual([]);
    expect(Object.keys(order?.graph ?? {})).toHaveLength(12);
    expect([order?.graph['3-0']?.inputs, order?.graph['3-1']?.inputs]).toEqual([
      { seed: 7, steps: 20, positive: ['6-0', 0] },
      { seed: 8, steps: 20, positive: ['6-1', 0] },
    ]);
  });

  test('from a picture uploads it to the folder of temporary files', async () => {
    const does = { ...film.does, lastFrame: true };
    const framed = { ...film, does, send: { ...film.send, firstFrame: '12.image' } };
    const route = await open(framed);
    const inputs = [input('first_frame')];
    const request = videoRequest({}, { mode: 'image-to-video', inputs });
    expect([route.covers(request), route.covers(videoRequest())]).toEqual([true, false]);
    await make(route, request);
    const [name] = comfy.uploads;
    expect(comfy.orders[0]?.graph['12']?.inputs).toEqual({
      image: `framegate/${String(name)} [temp]`,
    });
    const form = comfy.got.find(({ path }) => path === '/upload/image')?.body;
    expect(String(form)).toMatch(/name="type"\s+temp/);
    const shown = JSON.parse((await route.show?.(request, never))?.body ?? '') as object;
    expect(shown).toEqual({ prompt_id: comfy.orders[0]?.id, prompt: comfy.orders[0]?.graph });
  });

  test('has the options of the route, and in real-person mode those for it', async () => {
    const route = await open({
      ...film,
      options: { '3': { steps: 4 } },
      realPersonOptions: { '7': { text: 'cartoon' } },
    });
    await make(route, videoRequest());
    await make(route, { ...videoRequest({ real_person_mode: true }), generationId: 'gen_2' });
    const told = comfy.orders.map(({ graph }) => [graph['3']?.inputs, graph['7']?.inputs]);
    expect(told).toMatchObject([
      [{ steps: 4, seed: 7 }, { text: 'blurry' }],
      [{ steps: 4, seed: 7 }, { text: 'cartoon' }],
    ]);
  });

  test('carries the key where the entry names one', async () => {
    const result = await make(await open(film, 'video', { apiKeyEnv: 'KEY' }), videoRequest());
    if (result.kind === 'completed') await readOutput(result.outputs[0]);
    const sent = new Set(comfy.got.map(({ headers }) => headers.authorization));
    expect([...sent]).toEqual(['Bearer secret-key']);
    expect(comfy.got.at(-1)?.path).toMatch(/^\/view\?filename=.*&subfolder=framegate&type=output$/);
  });
});

describe('an order without a response', () => {
  test('is found in the queue, and is not ordered again', async () => {
    comfy.plans.set('lake', { drops: 'after' });
    expect(await make(await open(), videoRequest())).toMatchObject({ kind: 'completed' });
    expect(comfy.orders).toHaveLength(1);
  });

  test('that is missing at the server counts as not made', async () => {
    comfy.plans.set('lake', { drops: 'before' });
    const made = await (await open()).submit(videoRequest(), never);
    expect(made).toMatchObject({
      kind: 'refused',
      code: null,
      isBusy: true,
      health: { kind: 'failure' },
    });
    expect(comfy.got.filter(({ path }) => path === '/queue')).toHaveLength(10);
  });

  test('stays unknown while the server cannot be asked, and the next attempt looks for it first', async () => {
    comfy.plans.set('lake', { drops: 'after', isHeld: true });
    const route = await open();
    comfy.fault = (got, response) => {
      if (!/queue|history/.test(got.path)) return false;
      html(502)(response);
      return true;
    };
    expect(await route.submit(videoRequest(), never)).toMatchObject({ kind: 'unknown' });
    const again = { ...videoRequest(), isRepeated: true };
    expect(await route.submit(again, never)).toMatchObject({ kind: 'refused', isBusy: true });
    comfy.fault = null;
    expect(await route.submit(again, never)).toMatchObject({ kind: 'accepted' });
    expect(comfy.orders).toHaveLength(1);
  });

  test('that a restarted server has lost is ordered again by the next attempt', async () => {
    comfy.plans.set('lake', { isHeld: true });
    const route = await open();
    await route.submit(videoRequest(), never);
    comfy.restart();
    const again = await route.submit({ ...videoRequest(), isRepeated: true }, never);
    expect(again).toMatchObject({ kind: 'accepted' });
    expect(comfy.orders.map(({ id }) => id)).toEqual([comfy.orders[0]?.id, comfy.orders[0]?.id]);
  });
});

describe('nothing is ordered', () => {
  test('at a missing server, or at one too old to accept our id', async () => {
    const route = await open();
    comfy.version = '0.3.44';
    const old = await route.submit(videoRequest(), never);
    expect(old).toMatchObject({ kind: 'refused', note: 'ComfyUI 0.3.44 is too old' });
    comfy.fault = (_, response) => {
      response.destroy();
      return true;
    };
    const gone = await route.submit(videoRequest(), never);
    expect(gone).toMatchObject({ kind: 'refused', isBusy: true, health: { kind: 'failure' } });
    expect(comfy.orders).toEqual([]);
  });

  test.each(['0.3.57', '0.4.0', '0.10.1', '1.0.0'])('but %s is new enough', async (version) => {
    comfy.version = version;
    expect((await (await open()).submit(videoRequest(), never)).kind).toBe('accepted');
  });

  test('where the server refuses the workflow: its model is paused', async () => {
    comfy.plans.set('lake', { refused: "unet_name: 'x' not in []" });
    const made = await (await open()).submit(videoRequest(), never);
    expect(made).toMatchObject({
      kind: 'refused',
      code: null,
      isBusy: false,
      health: { kind: 'model_gone' },
      note: "Failed: UNETLoader: Value not in list: unet_name: 'x' not in []",
    });
  });

  test('where a proxy refuses the key', async () => {
    comfy.fault = (_, response) => {
      response.writeHead(401).end();
      return true;
    };
    const route = await open();
    const made = await route.submit(videoRequest(), never);
    expect(made).toMatchObject({ kind: 'refused', health: { kind: 'key' } });
    expect(await route.probe?.(never)).toEqual({ kind: 'key' });
    comfy.fault = null;
    expect(await route.probe?.(never)).toEqual({ kind: 'success' });
  });
});

describe('an accepted order', () => {
  test('that fails gives staff the reason, without the inputs of its nodes', async () => {
    comfy.plans.set('lake', { error: 'Allocation on device' });
    const result = await make(await open(), videoRequest());
    const note = 'execution_error: KSampler: RuntimeError: Allocation on device';
    expect(result).toMatchObject({ kind: 'failed', code: 'generation_failed', note });
  });

  test('that the server has permanently lost ends without charge', async () => {
    comfy.plans.set('lake', { isHeld: true });
    const route = await open();
    const operation = accepted(await route.submit(videoRequest(), never));
    expect(await route.poll(operation, videoRequest(), never)).toEqual({ kind: 'pending' });
    comfy.restart();
    const lost = { kind: 'fault', isFinished: true, isFree: true };
    expect(await route.poll(operation, videoRequest(), never)).toMatchObject(lost);
  });

  test('that ends between the polls of history and queue is not lost', async () => {
    comfy.plans.set('lake', { isHeld: true });
    const route = await open();
    const operation = accepted(await route.submit(videoRequest(), never));
    comfy.fault = ({ path }) => {
      if (path === '/queue') comfy.finish();
      return false;
    };
    const result = await route.poll(operation, videoRequest(), never);
    expect(result).toMatchObject({ kind: 'completed' });
  });

  test('is not judged by a page of a proxy', async () => {
    const route = await open();
    const operation = accepted(await route.submit(videoRequest(), never));
    comfy.fault = (_, response) => {
      response.writeHead(200).end('<h1>Starting</h1>');
      return true;
    };
    expect(await route.poll(operation, videoRequest(), never)).toMatchObject({ kind: 'fault' });
  });

  test('is removed from the queue or interrupted, without affecting others', async () => {
    comfy.plans.set('lake', { isHeld: true });
    const route = await open();
    const first = accepted(await route.submit(videoRequest(), never));
    const next = { ...videoRequest(), generationId: 'gen_2' };
    const second = accepted(await route.submit(next, never));
    expect(await route.cancel?.(second, never)).toEqual({ isAccepted: true, note: '200' });
    expect(comfy.got.filter(({ path }) => path === '/interrupt')).toEqual([]);
    expect(await route.poll(first, videoRequest(), never)).toEqual({ kind: 'pending' });
    expect(await route.cancel?.(first, never)).toEqual({ isAccepted: true, note: '200' });
    expect(comfy.interrupted).toEqual([comfy.orders[0]?.id]);
    expect(await route.poll(first, videoRequest(), never)).toMatchObject({ kind: 'failed' });
    expect(route.operationOf?.(String(comfy.orders[0]?.id))).toEqual(first);
  });
});
