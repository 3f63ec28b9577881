import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  input,
  never,
  openRoute,
  readOutput,
  videoRequest,
} from '../../gateway/providers/test/routeFixtures.ts';
import { startTinyServer } from '../../gateway/providers/test/tinyServer.ts';
import { scriptFakeArk } from '../support/fakeArk/scriptFakeArk.ts';
import { type ArkRoute, useArkRoute } from './arkRoute.ts';

const world = useArkRoute();
let { ark, route, observed, provider, accept, poll } = {} as ArkRoute;
beforeAll(() => {
  ({ ark, route, observed, provider, accept, poll } = world());
});

describe('a video by ModelArk', () => {
  test('is submitted, polled and fetched', async () => {
    const operation = await accept();
    expect(await poll(operation)).toEqual({ kind: 'pending' });
    const done = await poll(operation);
    expect(done.kind).toBe('completed');
    const [output] = done.kind === 'completed' ? done.outputs : [];
    const bytes = await readOutput(output);
    expect(bytes.subarray(4, 8).toString()).toBe('ftyp');
    expect(await readOutput(output)).toEqual(bytes);
    expect(ark.accepted('a quiet lake')).toBe(1);
  });

  test('is ordered with every parameter, and without a watermark', async () => {
    const parameters = { duration_seconds: 9, resolution: '1080p', aspect_ratio: '9:16' } as const;
    await route.submit(videoRequest({ ...parameters, generate_audio: true }), never);
    expect(ark.submitted()).toMatchObject([
      {
        model: 'seedance',
        prompt: 'a quiet lake',
        fields: {
          ratio: '9:16',
          resolution: '1080p',
          duration: 9,
          seed: 7,
          generate_audio: true,
          watermark: false,
        },
      },
    ]);
    expect(observed.errors).toEqual([]);
  });

  test.each(['16:9', '9:16', '1:1', '4:3', '21:9'] as const)('is 4k at %s', async (ratio) => {
    const { route: own } = await openRoute(provider, 'dreamina-seedance-2-0-260128', {
      key: ark.apiKey,
    });
    const request = videoRequest({ resolution: '2160p', aspect_ratio: ratio });
    expect(own.covers(request)).toBe(true);
    expect((await own.submit(request, never)).kind).toBe('accepted');
    expect(ark.submitted()).toMatchObject([{ fields: { ratio, resolution: '4k' } }]);
  });

  test('has the roles of its inputs', async () => {
    const served = await startTinyServer((_, response) => response.end('a picture'));
    const url = () => `${served.origin}/in.png`;
    const given = (...inputs: Parameters<typeof input>[]) =>
      inputs.map((each) => ({ ...input(...each), url }));
    const roles = async (mode: string, inputs: ReturnType<typeof given>) => {
      ark.reset();
      const submission = await route.submit(videoRequest({}, { mode, inputs }), never);
      expect(submission.kind).toBe('accepted');
      return ark.submitted()[0]?.inputs.map(({ kind, role, bytes }) => [kind, role, bytes]);
    };
    expect(await roles('image-to-video', given(['first_frame']))).toEqual([['image', null, 9]]);
    expect(await roles('image-to-video', given(['first_frame'], ['last_frame']))).toEqual([
      ['image', 'first_frame', 9],
      ['image', 'last_frame', 9],
    ]);
    expect(
      await roles(
        'multimodal-to-video',
        given(['reference'], ['reference', 'video'], ['reference', 'audio']),
      ),
    ).toEqual([
      ['image', 'reference_image', 9],
      ['video', 'reference_video', 9],
      ['audio', 'reference_audio', 9],
    ]);
    await served.close();
  });

  test("takes the operator's options, and those for real persons only in that mode", async () => {
    const { route: own } = await openRoute(provider, 'seedance', {
      key: ark.apiKey,
      route: {
        options: { camera_fixed: true, seed: null },
        realPersonOptions: { service_tier: 'flex' },
      },
    });
    await own.submit(videoRequest(), never);
    await own.submit(videoRequest({ real_person_mode: true }), never);
    const [usual, realPerson] = ark.submitted().map(({ fields }) => fields);
    expect(usual).toMatchObject({ camera_fixed: true });
    expect(usual).not.toHaveProperty('service_tier');
    expect(usual).not.toHaveProperty('seed');
    expect(realPerson).toMatchObject({ camera_fixed: true, service_tier: 'flex' });
  });
});

test.each([
  [false, {}],
  [false, { realPersonOptions: {} }],
  [true, { realPersonOptions: { face_check: false } }],
  [true, { does: { realPerson: true } }],
  [false, { realPersonOptions: { face_check: false }, does: { realPerson: false } }],
])('real people are covered: %j with %j', async (isCovered, more) => {
  const { route: own } = await openRoute(provider, 'seedance-1-5-pro-251215', { route: more });
  expect(own.covers(videoRequest({ real_person_mode: true }))).toBe(isCovered);
  expect(own.covers(videoRequest())).toBe(true);
});

test('another process can script the fake and read its requests', async () => {
  const other = scriptFakeArk(ark.origin);
  await other.script({ on: 'submit', fault: { kind: 'empty', status: 500 }, times: 1 });
  expect((await route.submit(videoRequest(), never)).kind).toBe('unknown');
  expect((await route.submit(videoRequest(), never)).kind).toBe('accepted');
  expect((await other.submitted()).map(({ taskId }) => taskId === null)).toEqual([true, false]);
  expect(await other.reset()).toEqual([]);
});
