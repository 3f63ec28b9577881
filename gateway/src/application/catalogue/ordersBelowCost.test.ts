import { expect, test } from '@jest/globals';
import { catalogue, type Model, sum } from '@framegate/contract';
import type { Route } from '@framegate/provider-routes';
import { createOrdersBelowCost } from './ordersBelowCost.ts';

const model = catalogue.find(({ id }) => id === 'alpha-2.0-fast') as Model;
const creditValue = { currency: 'USD', micros: 10_000 };

/** Routes whose orders cost an amount for each second, twice with sound, and for each video reference. */
const routesOf = (perSecond: number, perVideo: number) => {
  const route = {
    provider: 'p',
    model: 'm',
    covers: ({ inputs }: { inputs: readonly { type: string }[] }) =>
      inputs.filter(({ type }) => type === 'video').length <= 2,
    async findCost({
      parameters,
      inputs,
    }: {
      parameters: object;
      inputs: readonly { type: string }[];
    }) {
      const { duration_seconds: s, generate_audio: sound } = parameters as Record<string, number>;
      const videos = inputs.filter(({ type }) => type === 'video').length;
      return {
        currency: 'USD',
        micros: perSecond * (s ?? 0) * (sound ? 2 : 1) + perVideo * videos,
      };
    },
  };
  return { of: [route] };
};

const below = async (perSecond: number, perVideo = 0) => {
  const { of } = routesOf(perSecond, perVideo);
  const find = createOrdersBelowCost({ forModel: () => of } as never);
  return find([{ group: null, models: [model] }], creditValue);
};

// With sound, a second of 480p is sold for 0.0625 USD, and one of 720p for 0.125 USD.
test.each([
  [31_250, []],
  [31_251, ['480p']],
  [62_501, ['480p', '720p']],
])('at %d micros a second, and twice that with sound, %j are sold below cost', async (...given) => {
  const [perSecond, resolutions] = given;
  const found = await below(perSecond);
  expect(found.map(({ parameters }) => parameters.resolution)).toEqual(resolutions);
});

test('an order with references is found, at the length where it loses most of its price', async () => {
  const found = await below(10_000, 200_000);
  expect(found).toMatchObject([
    { mode: 'multimodal-to-video', references: { video: 2 }, parameters: { resolution: '480p' } },
    {
      mode: 'multimodal-to-video',
      references: { video: 2 },
      parameters: { resolution: '720p', duration_seconds: 4, generate_audio: false },
      credits: 40,
      cost: { micros: 440_000 },
      margin: -40_000,
    },
  ]);
});

test('a price of a group is compared as well, once', async () => {
  const cheap = { ...model, creditsPerSecond: { '480p': 1, '720p': 10 } } as Model;
  const { of } = routesOf(15_000, 0);
  const find = createOrdersBelowCost({ forModel: () => of } as never);
  const offers = [
    { group: null, models: [model] },
    { group: 'same', models: [model] },
    { group: 'cheap', models: [cheap] },
  ];
  expect(await find(offers, creditValue)).toMatchObject([
    { group: 'cheap', parameters: { resolution: '480p' } },
  ]);
});

test('the costliest ratio that a route covers counts, with references as long as they may be', async () => {
  type Order = Parameters<Route['covers']>[0];
  const route = {
    provider: 'p',
    model: 'm',
    covers: ({ parameters }: Order) => parameters.aspect_ratio !== '21:9',
    findCost: async ({ parameters, inputs }: Order) => {
      const isDear = ['21:9', '9:16'].includes(parameters.aspect_ratio);
      const seconds = sum(inputs.map((each) => each.seconds ?? 0));
      return { currency: 'USD', micros: (isDear ? 10_000_000 : 1) + seconds * 1_000_000 };
    },
  };
  const find = createOrdersBelowCost({ forModel: () => [route] } as never);
  const { maxSeconds } = model.inputs.video;
  expect(await find([{ group: null, models: [model] }], creditValue)).toMatchObject(
    model.resolutions.map((resolution) => ({
      parameters: { resolution, aspect_ratio: '9:16' },
      cost: { micros: 10_000_000 + 2 * maxSeconds * 1_000_000 },
    })),
  );
});
