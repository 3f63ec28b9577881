import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import type { ProviderRequest, Route } from '../../gateway/providers/src/route.ts';
import {
  closeRoutes,
  input,
  never,
  openRoute,
  readOutput,
  videoRequest,
} from '../../gateway/providers/test/routeFixtures.ts';
import { image, video } from '../support/bodies.ts';
import { type FaultyProxy, startFaultyProxy } from '../support/faultyProxy.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { samplePicture } from '../support/sampleMedia.ts';
import { startRoutedGateway } from '../support/startRoutedGateway.ts';
import { describeIf } from '../support/testIf.ts';
import { until } from '../support/until.ts';
import { comfyUiDir, prepareComfyUi, type RealComfyUi } from './realComfyUi.ts';

/*
 * A real ComfyUI on the processor, with built-in nodes that need no weights. The prompt goes to a node that nothing
 * uses: it is in the metadata of every saved file all the same.
 */

const prompt = 'a secret paper boat';
const text = { class_type: 'PrimitiveString', inputs: { value: '' } };
const save = (node: string) => ({
  class_type: 'SaveVideo',
  inputs: { video: [node, 0], filename_prefix: 'video/x', format: 'auto', codec: 'auto' },
});
const create = (node: string) => ({
  class_type: 'CreateVideo',
  inputs: { images: [node, 0], fps: 8 },
});
const empty = {
  class_type: 'EmptyImage',
  inputs: { width: 64, height: 64, batch_size: 1, color: 3_368_601 },
};
const workflows = {
  picture: {
    1: empty,
    2: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
    3: text,
  },
  film: { 1: empty, 2: create('1'), 3: text, 4: save('2') },
  animated: {
    1: { class_type: 'LoadImage', inputs: { image: 'example.png' } },
    2: {
      class_type: 'ImageScale',
      inputs: { image: ['1', 0], upscale_method: 'area', width: 64, height: 64, crop: 'center' },
    },
    3: text,
    4: { class_type: 'RepeatImageBatch', inputs: { image: ['2', 0], amount: 1 } },
    5: create('4'),
    6: save('5'),
  },
  missing: { 1: { class_type: 'NoSuchNode', inputs: {} }, 3: text },
};
const size = { prompt: '3.value', width: '1.width', height: '1.height' };
const frames = { fps: 8 };
const sends = {
  picture: size,
  film: { ...size, duration: { '1.batch_size': frames } },
  animated: {
    prompt: '3.value',
    width: '2.width',
    height: '2.height',
    firstFrame: '1.image',
    duration: { '4.amount': frames },
  },
  missing: { prompt: '3.value' },
};
const does = {
  modes: ['text-to-video', 'image-to-video'],
  seconds: { min: 1, max: 60 },
  resolutions: ['480p', '720p', '1k'],
  aspectRatios: ['16:9', '1:1'],
};

const provider = (origin: string) => ({
  kind: 'comfyui',
  servers: { one: origin },
  workflows,
  maxConcurrent: 4,
  allowPrivateNetwork: true,
});

describeIf(comfyUiDir !== null, 'COMFYUI_DIR names no checkout of ComfyUI')(
  'a real ComfyUI',
  () => {
    let comfy: RealComfyUi;
    let proxy: FaultyProxy;
    let gateway: TestGateway;
    let account: TestAccount;

    beforeAll(async () => {
      comfy = await prepareComfyUi(comfyUiDir ?? '');
      proxy = await startFaultyProxy();
      proxy.target = comfy.origin;
      await comfy.start();
      const routeTo = (model: 'picture' | 'film') => ({
        provider: 'gpus',
        model,
        send: sends[model],
        does: { ...does, modes: ['text-to-video'] },
      });
      const routes = {
        providers: { gpus: provider(comfy.origin) },
        models: { 'alpha-2.5': [routeTo('film')], 'image-b-2': [routeTo('picture')] },
      };
      gateway = await startRoutedGateway(routes, {});
      account = await gateway.addAccount({ credits: 10_000 });
    }, 180_000);

    afterAll(async () => {
      await gateway.stop();
      await closeRoutes();
      await proxy.close();
      await comfy.close();
    });

    async function open(model: keyof typeof workflows): Promise<Route> {
      const route = { does, send: sends[model] };
      const imageTimes = { callMs: minuteMs, pauseMs: 50 };
      return (await openRoute(provider(proxy.origin), model, { route, imageTimes })).route;
    }

    async function untilEnded(route: Route, operation: unknown, request: ProviderRequest) {
      let result = await route.poll(operation, request, never);
      await until(async () => {
        if (result.kind === 'pending') result = await route.poll(operation, request, never);
        return result.kind !== 'pending';
      }, 'the order has ended');
      return result;
    }

    async function order(route: Route, request: ProviderRequest): Promise<unknown> {
      const made = await route.submit(request, never);
      if (made.kind !== 'accepted') throw new Error(JSON.stringify(made));
      return made.operation;
    }

    /** A request with an id of its own. */
    const requestFor = (generationId: string, given = videoRequest({ duration_seconds: 1 })) => ({
      ...given,
      generationId,
      prompt,
    });

    test.each([
      ['images', () => image({ prompt, parameters: { n: 2 } })],
      ['videos', () => video({ model: 'alpha-2.5', prompt, parameters: { duration_seconds: 4 } })],
    ])(
      'makes %s through a whole gateway, and no part of the workflow reaches customers',
      async (kind, body) => {
        const { status, json } = await account.post(`/v1/${kind}`, body());
        expect([status, json['error']]).toEqual([202, undefined]);
        const record = await account.untilEnded(String(json['id']));
        expect(record).toMatchObject({ status: 'completed' });
        const urls = new Set(JSON.stringify(record).match(/https?:[^"]+\/media\/[^"]+/g));
        expect(urls.size).toBe(kind === 'images' ? 2 : 1);
        for (const url of urls) {
          const file = Buffer.from(await (await fetch(url)).arrayBuffer()).toString('latin1');
          expect(file.length).toBeGreaterThan(500);
          expect(file).not.toMatch(/secret|class_type|filename_prefix|Primitive|ComfyUI/i);
        }
        const onDisk = (await comfy.saved()).map((file) => file.toString('latin1'));
        expect(onDisk.some((file) => file.includes(prompt) && file.includes('class_type'))).toBe(
          true,
        );
      },
    );

    test('animates a picture that is uploaded', async () => {
      const route = await open('animated');
      const png = await samplePicture();
      const inputs = [{ ...input('first_frame'), read: async () => png }];
      const given = videoRequest({ duration_seconds: 1 }, { mode: 'image-to-video', inputs });
      const request = requestFor('gen_animated', given);
      const result = await untilEnded(route, await order(route, request), request);
      if (result.kind !== 'completed') throw new Error(JSON.stringify(result));
      expect((await readOutput(result.outputs[0])).toString('latin1', 4, 8)).toBe('ftyp');
    });

    test('has an order once if its response is lost, and not at all if the order is lost', async () => {
      const route = await open('film');
      const lost = { method: 'POST', path: '/prompt', cut: true };
      proxy.reset();
      proxy.disturb({ ...lost, forwarded: true });
      const request = requestFor('gen_lost_response');
      expect(await untilEnded(route, await order(route, request), request)).toMatchObject({
        kind: 'completed',
      });
      expect(proxy.seen.filter(({ path }) => path === '/prompt')).toHaveLength(1);
      proxy.disturb(lost);
      expect(await route.submit(requestFor('gen_lost_order'), never)).toMatchObject({
        kind: 'refused',
        code: null,
        isBusy: true,
      });
    });

    test('refuses a workflow with a node that it does not have', async () => {
      const made = await (await open('missing')).submit(requestFor('gen_missing'), never);
      expect(made).toMatchObject({ kind: 'refused', health: { kind: 'model_gone' } });
      expect('note' in made && made.note).toContain('NoSuchNode');
    });

    test('fails an order in words for staff', async () => {
      const route = await open('film');
      const send = { '1': { width: 16_384, height: 16_384, batch_size: 4096 } };
      const opened = await openRoute(provider(comfy.origin), 'film', {
        route: { does, send: { prompt: '3.value' }, options: send },
      });
      const request = requestFor('gen_failed');
      const result = await untilEnded(route, await order(opened.route, request), request);
      expect(result).toMatchObject({ kind: 'failed', code: 'generation_failed' });
      expect('note' in result && result.note).toMatch(
        /^execution_error: EmptyImage: RuntimeError: /,
      );
    });

    test('stops a running order, and removes a waiting one', async () => {
      const route = await open('film');
      const long = requestFor('gen_long', videoRequest({ duration_seconds: 24 }));
      const next = requestFor('gen_next', videoRequest({ duration_seconds: 23 }));
      const running = await order(route, long);
      const waiting = await order(route, next);
      const ids = [running, waiting].map((each) => (each as { promptId: string }).promptId);
      await until(async () => {
        const queue = (await (await fetch(`${comfy.origin}/queue`)).json()) as Record<
          string,
          unknown[][]
        >;
        return queue['queue_running']?.[0]?.[1] === ids[0];
      }, 'the first one runs');
      expect(await route.cancel?.(waiting, never)).toMatchObject({ isAccepted: true });
      expect(await route.poll(waiting, next, never)).toMatchObject({
        kind: 'fault',
        isFinished: true,
        isFree: true,
      });
      expect(await route.cancel?.(running, never)).toMatchObject({ isAccepted: true });
      const result = await untilEnded(route, running, long);
      expect('note' in result && result.note).toMatch(/^execution_interrupted/);
    });

    test('has lost its orders after it was killed, and accepts the next ones', async () => {
      const route = await open('film');
      const request = requestFor('gen_killed', videoRequest({ duration_seconds: 24 }));
      const operation = await order(route, request);
      await comfy.kill();
      expect(await route.poll(operation, request, never)).toMatchObject({ kind: 'fault' });
      await comfy.start();
      expect(await route.poll(operation, request, never)).toMatchObject({
        kind: 'fault',
        isFinished: true,
        isFree: true,
      });
      const again = requestFor('gen_after');
      expect(await untilEnded(route, await order(route, again), again)).toMatchObject({
        kind: 'completed',
      });
    });
  },
);
