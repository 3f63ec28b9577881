import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestAccount } from '../../support/gateway.ts';
import { type ClientWorld, startClientWorld } from '../support/clientWorld.ts';
import { installProvider, runBody } from './aiProgram.ts';

/* The package with the real `ai`, against a real gateway. */

let world: ClientWorld;
let account: TestAccount;

beforeAll(async () => {
  world = await startClientWorld();
  await installProvider(world.folder);
  account = await world.addAccount({ credits: 100_000 });
});
afterAll(async () => {
  await world.stop();
});
afterEach(() => {
  world.line.reset();
});

const play = (body: string, { apiKey } = account) => runBody(world, apiKey, body);
const creates = () => world.creates();
const keysSent = () => creates().map(({ headers }) => headers['idempotency-key']);
const bodySent = () => JSON.parse(creates()[0]?.body ?? '') as Record<string, unknown>;
const spentBy = (call: () => Promise<unknown>) => world.spentBy(account, call);

describe('experimental_generateVideo', () => {
  test('makes a video with the parameters of the interface, by one create', async () => {
    const { result } = await play(`
      const { video: file, providerMetadata, warnings } = await video({
        prompt: 'A paper boat', resolution: '480x854', duration: 6, seed: 7, fps: 24,
        generateAudio: true });
      const begin = Buffer.from(file.uint8Array.subarray(4, 8)).toString();
      return { begin, warnings, framegate: providerMetadata.framegate };`);
    expect(bodySent()).toEqual({
      model: 'alpha-2.0-fast',
      mode: 'text-to-video',
      prompt: 'A paper boat',
      parameters: {
        duration_seconds: 6,
        resolution: '480p',
        aspect_ratio: '9:16',
        generate_audio: true,
        seed: 7,
      },
    });
    expect(keysSent()).toEqual([expect.stringMatching(/^aisdk_vid_/)]);
    expect(result).toMatchObject({
      begin: 'ftyp',
      warnings: [{ type: 'unsupported', feature: 'fps' }],
      framegate: { id: expect.stringMatching(/^gen_/), parameters: { seed: 7 } },
    });
  });

  test('frames and references go as URLs with their roles', async () => {
    const { result } = await play(`
      const first = await images({ prompt: 'A boat' });
      const { url } = await (async () => {
        const { id } = first.providerMetadata.framegate.images[0];
        const headers = { authorization: 'Bearer ' + process.env.FRAMEGATE_KEY };
        const response = await fetch(process.env.FRAMEGATE_URL + '/generations/' + id, { headers });
        return { url: (await response.json()).output.urls[0] };
      })();
      await video({ prompt: { image: url, text: 'It sails' } });
      await video({ prompt: 'It sails', frameImages: [
        { image: url, frameType: 'first_frame' }, { image: url, frameType: 'last_frame' }] });
      await video({ prompt: 'It sails', inputReferences: [url] });
      return { url };`);
    const url = result?.['url'];
    const sent = creates().map(({ body }) => JSON.parse(body) as Record<string, unknown>);
    expect(sent.slice(1).map(({ mode, inputs }) => ({ mode, inputs }))).toEqual([
      { mode: 'image-to-video', inputs: [{ type: 'image', url, role: 'first_frame' }] },
      {
        mode: 'image-to-video',
        inputs: [
          { type: 'image', url, role: 'first_frame' },
          { type: 'image', url, role: 'last_frame' },
        ],
      },
      { mode: 'multimodal-to-video', inputs: [{ type: 'image', url }] },
    ]);
  });

  test('bytes are refused before anything is sent', async () => {
    const { error } = await play(
      "return video({ prompt: { image: new Uint8Array([137, 80, 78, 71]), text: 'It sails' } });",
    );
    expect(error).toMatchObject({ name: 'AI_UnsupportedFunctionalityError' });
    expect(error?.message).toContain('https URL');
    expect(world.line.seen).toEqual([]);
  });

  test('a create whose response is lost is repeated with its key, and paid once', async () => {
    world.line.disturb({ method: 'POST', path: '/videos', cut: true, forwarded: true });
    const spent = await spentBy(() => play("return video({ prompt: 'A paper boat' });"));
    expect(spent).toBe(50);
    expect(creates()).toHaveLength(2);
    expect(new Set(keysSent()).size).toBe(1);
  });

  test('failed polls are repeated', async () => {
    const response = { status: 503, body: 'starting' };
    world.line.disturb({ method: 'GET', path: '/generations/', times: 2, response });
    const { result } = await play("await video({ prompt: 'A paper boat' }); return {};");
    expect(result).toEqual({});
    expect(creates()).toHaveLength(1);
  });

  test('a refusal is an APICallError with its status, and is not repeated', async () => {
    const poor = await world.addAccount({ credits: 7 });
    const { error } = await play("return video({ prompt: 'A paper boat' });", poor);
    expect(error).toMatchObject({ name: 'AI_APICallError', statusCode: 402, isRetryable: false });
    expect(error?.message).toContain('insufficient_credits');
    expect(creates()).toHaveLength(1);
  });

  test('a failed generation names the reason', async () => {
    const prompt = 'A paper boat that sinks';
    world.ark.script({ prompt, on: 'task', plan: { polls: 1, end: 'failed' } });
    const { error } = await play(`return video({ prompt: '${prompt}' });`);
    expect(error?.message).toMatch(/\(generation_failed, gen_\w+\)$/);
  });

  test('fields of the API override those of the interface', async () => {
    await play(`await video({ prompt: 'A paper boat', duration: 5, providerOptions: {
      framegate: { parameters: { duration_seconds: 8, resolution: '480p' } } } });`);
    expect(bodySent()['parameters']).toEqual({ duration_seconds: 8, resolution: '480p' });
  });
});

describe('doStart and doStatus', () => {
  test('make one request each, whatever the response', async () => {
    world.line.disturb({ method: 'POST', path: '/videos', times: 9, cut: true, forwarded: true });
    const lost = await play(`return framegate.video('alpha-2.0-fast').doStart({
      prompt: 'A paper boat', n: 1, providerOptions: {} });`);
    // Another create request would have another key.
    expect(lost.error).toMatchObject({ name: 'AI_APICallError', isRetryable: false });
    expect(lost.error?.message).toContain(`Idempotency-Key: ${String(keysSent()[0])}`);
    expect(creates()).toHaveLength(1);
    world.line.reset();
    world.line.disturb({ method: 'GET', path: '/generations/', times: 9, cut: true });
    const { error } = await play(`return framegate.video('alpha-2.0-fast').doStatus({
      operation: 'gen_00000000000000000000000000' });`);
    expect(error).toMatchObject({ name: 'AI_APICallError', isRetryable: true });
    expect(world.line.seen).toHaveLength(1);
  });
});

describe('generateImage', () => {
  test('makes all images by one create, and downloads them without the key', async () => {
    world.line.disturb({ method: 'GET', path: '/generations/', times: 2, cut: true });
    const { result } = await play(`
      const { images: files } = await images({ prompt: 'A lighthouse', n: 2, size: '1408x792' });
      return { begin: files.map((file) => Buffer.from(file.uint8Array.subarray(1, 4)).toString()) };`);
    expect(result).toEqual({ begin: ['PNG', 'PNG'] });
    expect(creates()).toHaveLength(1);
    const parameters = { n: 2, resolution: '1k', aspect_ratio: '16:9' };
    expect(bodySent()).toEqual({ model: 'image-b-2', prompt: 'A lighthouse', parameters });
    const rest = world.line.seen.filter(({ path }) => !path.startsWith('/v1/'));
    expect(rest.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
  });

  test('more images than a model makes at once become several creates, each with its cost', async () => {
    const { result } = await play(`
      const { images: files, providerMetadata } = await images({
        prompt: 'A lighthouse', n: 6, headers: { 'Idempotency-Key': 'order-8' } });
      return { count: files.length, each: providerMetadata.framegate.images };`);
    expect(result?.['count']).toBe(6);
    expect(keysSent().toSorted()).toEqual(['order-8', 'order-8-rest-1']);
    const each = result?.['each'] as { id: string; billing: { cost_credits: number } }[];
    expect(each).toHaveLength(6);
    const costs = new Map(each.map(({ id, billing }) => [id, billing.cost_credits]));
    expect([...costs.values()].toSorted((a, b) => a - b)).toEqual([12, 24]);
  });

  test('an order that may have been made is not made again without its key', async () => {
    world.line.disturb({ method: 'POST', path: '/images', times: 4, cut: true, forwarded: true });
    const order = "prompt: 'A lighthouse'";
    let key = '';
    const spent = await spentBy(async () => {
      const { error } = await play(`return images({ ${order} });`);
      key = String(keysSent()[0]);
      expect(error?.message).toContain(`Idempotency-Key: ${key}`);
      expect(creates()).toHaveLength(4);
      const again = await play(`
        await images({ ${order}, headers: { 'Idempotency-Key': '${key}' } }); return {};`);
      expect(again.result).toEqual({});
    });
    const once = await spentBy(() => play(`await images({ ${order} }); return {};`));
    expect(once).toBeGreaterThan(0);
    expect(spent).toBe(once);
  });

  test('masks are refused before anything is created', async () => {
    const { error } = await play(`return images({ prompt: {
      text: 'A lighthouse', images: ['https://media.example.com/a.png'],
      mask: 'https://media.example.com/b.png' } });`);
    expect(error?.name).toBe('AI_UnsupportedFunctionalityError');
    expect(creates()).toEqual([]);
  });

  test('an abort ends the wait immediately', async () => {
    const body = `
      const stop = new AbortController();
      const fetched = async (...request) => {
        const response = await fetch(...request);
        stop.abort(new Error('enough'));
        return response;
      };
      return images({ prompt: 'A lighthouse', abortSignal: stop.signal,
        model: createFramegate({ fetch: fetched }).image('image-b-2') });`;
    expect((await play(body)).error?.message).toContain('enough');
    expect(world.line.seen).toHaveLength(1);
  });
});
