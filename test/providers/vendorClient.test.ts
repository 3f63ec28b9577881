import { createByteDance } from '@ai-sdk/bytedance';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type FakeArk, startFakeArk } from '../support/fakeArk/fakeArk.ts';

let ark: FakeArk;

beforeAll(async () => {
  ark = await startFakeArk();
});

afterAll(() => ark.close());

type VideoModel = ReturnType<ReturnType<typeof createByteDance>['videoModel']>;

/** Result of the vendor's client for a request; it polls by itself. */
function generate(options: Partial<Parameters<VideoModel['doGenerate']>[0]> = {}) {
  const model = createByteDance({ baseURL: ark.baseURL, apiKey: ark.apiKey }).videoModel(
    'seedance',
  );
  return model.doGenerate({
    prompt: 'a lake',
    n: 1,
    aspectRatio: '16:9',
    resolution: '1280x720',
    duration: 5,
    fps: undefined,
    seed: 7,
    image: undefined,
    providerOptions: { bytedance: { pollIntervalMs: 1, watermark: false, generateAudio: true } },
    ...options,
  } as Parameters<VideoModel['doGenerate']>[0]);
}

describe("the vendor's own client with the fake", () => {
  test('makes a video', async () => {
    const { videos, warnings } = await generate();
    expect(warnings).toEqual([]);
    const [video] = videos;
    const url = video?.type === 'url' ? video.url : '';
    const file = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(file.subarray(4, 8).toString()).toBe('ftyp');
    expect(ark.submitted()).toMatchObject([
      {
        model: 'seedance',
        fields: {
          ratio: '16:9',
          resolution: '720p',
          duration: 5,
          seed: 7,
          generate_audio: true,
          watermark: false,
        },
        polls: 2,
        downloads: 1,
      },
    ]);
  });

  test('reads its refusals and its failures', async () => {
    const error = { status: 400, code: 'InputTextSensitiveContentDetected', message: 'Not that.' };
    ark.script({ on: 'submit', fault: { kind: 'error', ...error }, times: 1 });
    await expect(generate()).rejects.toThrow('Not that.');
    ark.script({ on: 'task', plan: { polls: 0, end: 'failed' }, times: 1 });
    await expect(generate()).rejects.toThrow('Video generation failed');
    ark.script({ on: 'task', plan: { polls: 0, end: 'succeeded without a video' }, times: 1 });
    await expect(generate()).rejects.toThrow('No video URL in response');
  });

  test('sends a request that the fake should refuse, and is refused', async () => {
    await expect(generate({ duration: 99 })).rejects.toThrow('duration');
    await expect(generate({ aspectRatio: '5:4' })).rejects.toThrow('ratio');
  });
});
