import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { image, imageInput, video } from '../support/bodies.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { probe } from '../support/probe.ts';

let gateway: TestGateway;
let account: TestAccount;
beforeAll(async () => {
  gateway = await startTestGateway();
  account = await gateway.addAccount({
    credits: 10_000,
    hosts: ['samples.framegate.example', 'nowhere.example.com'],
  });
});
afterAll(async () => {
  expect(gateway.errors).toEqual([]);
  await gateway.stop();
});

interface Ended {
  status: string;
  output: { urls: string[]; video_url: string; image_urls: string[]; expires_at: string };
  error: { code: string; param: string | null };
  billing: Record<string, unknown>;
}

async function make(path: string, body: object): Promise<Ended> {
  const { status, json, text } = await account.post(path, body);
  if (status !== 202) throw new Error(text);
  return (await account.untilEnded(String(json['id']))) as unknown as Ended;
}

async function download(url: string | undefined): Promise<Uint8Array> {
  const response = await fetch(url ?? '');
  expect(response.status).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}

const small = { duration_seconds: 4, resolution: '480p' };

describe('the preview renderer, from the request to the file', () => {
  test('a video of the requested length, size and sound', async () => {
    const parameters = { ...small, aspect_ratio: '9:16', generate_audio: true };
    const body = video({ model: 'alpha-2.0-fast', parameters });
    const { status, output } = await make('/v1/videos', body);
    expect(status).toBe('completed');
    expect(output.urls).toEqual([output.video_url]);
    const { streams, format } = await probe(await download(output.video_url));
    expect(Number(format['duration'])).toBeCloseTo(4, 2);
    expect(streams).toMatchObject([
      { codec_name: 'h264', width: 480, height: 854, pix_fmt: 'yuv420p' },
      { codec_name: 'aac' },
    ]);
  });

  test('pictures in the requested number and format', async () => {
    const { output } = await make(
      '/v1/images',
      image({ parameters: { n: 2, output_format: 'webp', resolution: '1k' } }),
    );
    expect(output.image_urls).toHaveLength(2);
    for (const url of output.image_urls) {
      const response = await fetch(url);
      expect(response.headers.get('content-type')).toBe('image/webp');
      expect(Buffer.from(await response.arrayBuffer()).toString('latin1', 8, 12)).toBe('WEBP');
    }
  });

  test('a sample picture becomes a video', async () => {
    const inputs = [imageInput('https://samples.framegate.example/harbour-at-dusk.jpg')];
    const body = video({ mode: 'image-to-video', inputs, parameters: small });
    expect(await make('/v1/videos', body)).toMatchObject({ status: 'completed' });
  });

  test('a generated picture becomes a video by its URL, but not for other accounts', async () => {
    const picture = await make('/v1/images', image());
    const inputs = [imageInput(picture.output.image_urls[0])];
    const body = video({ mode: 'image-to-video', inputs, parameters: small });
    expect(await make('/v1/videos', body)).toMatchObject({ status: 'completed' });
    const stranger = await gateway.addAccount();
    const response = await stranger.post('/v1/videos', body);
    expect([response.status, response.json['error']]).toMatchObject([
      400,
      { code: 'input_url_invalid', param: 'inputs[0].url' },
    ]);
  });

  test('output URLs are equal within an hour, and one changed character makes them invalid', async () => {
    const { json } = await account.post('/v1/images', image());
    const first = (await account.untilEnded(String(json['id']))) as unknown as Ended;
    const { json: again } = await account.get(`/v1/generations/${String(json['id'])}`);
    expect(again['output']).toEqual(first.output);
    const forged = String(first.output.urls[0]).replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
    expect((await fetch(forged)).status).toBe(403);
  });

  test('an input that cannot be fetched fails the generation and refunds the credits', async () => {
    const before = (await account.get('/v1/credits/balance')).json['available'];
    const inputs = [imageInput('https://nowhere.example.com/a.png')];
    const failed = await make('/v1/videos', video({ mode: 'image-to-video', inputs }));
    expect(failed).toMatchObject({
      status: 'failed',
      error: { code: 'input_unreachable', param: 'inputs[0].url' },
      billing: { status: 'refunded', cost_credits: 30, refunded_credits: 30 },
    });
    expect(failed).not.toHaveProperty('output');
    expect((await account.get('/v1/credits/balance')).json['available']).toBe(before);
  });

  test('an input whose type differs from its declaration fails as invalid', async () => {
    const { json } = await account.post('/v1/images', image());
    const record = (await account.untilEnded(String(json['id']))) as unknown as Ended;
    const inputs = [{ type: 'video', url: record.output.urls[0], role: 'reference' }];
    const body = video({ mode: 'multimodal-to-video', inputs });
    expect(await make('/v1/videos', body)).toMatchObject({
      status: 'failed',
      error: { code: 'input_invalid', param: 'inputs[0].url' },
    });
  });
});
