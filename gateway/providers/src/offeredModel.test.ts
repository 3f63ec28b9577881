import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { catalogue, findModel, type Model, presentModel } from '@framegate/contract';
import { testedPackages } from './aiSdk/dialects.ts';
import type { Dialect } from './dialect.ts';
import { offeredModel } from './offeredModel.ts';
import { previewDialect } from './openProvider.ts';
import { planOf } from './routePlan.ts';
import { unroutedEntry } from './routesFile.ts';
import { covers, noSupport, type RouteSupport } from './routeSupport.ts';

const of = (id: string) => findModel(id) as Model;
const dialectOf = (name: string) => testedPackages[`@ai-sdk/${name}`]?.dialect as Dialect;
const supportOf = ({ models }: Dialect, type: 'video' | 'image', model: string) =>
  planOf(models, type, unroutedEntry('p', model)).support;
const veo = supportOf(dialectOf('google'), 'video', 'veo-3.1');
const minSupport: RouteSupport = {
  ...noSupport,
  modes: null,
  seconds: null,
  resolutions: null,
  aspectRatios: null,
};

describe('a model is offered', () => {
  test('whole where a route makes everything', () => {
    for (const model of catalogue) {
      expect(offeredModel(model, [minSupport, supportOf(previewDialect, 'video', 'x')])).toEqual(
        model,
      );
    }
  });

  test('with defaults that a route supports', () => {
    expect(offeredModel(of('beta-3.0'), [veo])).toMatchObject({
      duration: { min: 4, max: 8, default: 4 },
      aspectRatios: ['16:9', '9:16'],
      defaults: { resolution: '720p', aspectRatio: '16:9', generateAudio: true },
    });
    expect(
      offeredModel(of('image-a-2'), [supportOf(dialectOf('openai'), 'image', 'gpt-image-1')]),
    ).toMatchObject({
      resolutions: ['1k'],
      aspectRatios: ['1:1', '3:2', '2:3'],
      inputs: { image: { maxCount: 4 } },
    });
  });

  test('with everything that any of its routes makes', () => {
    const silent = { ...minSupport, modes: ['text-to-video'], resolutions: ['480p'] };
    const referring = {
      ...silent,
      modes: ['multimodal-to-video'],
      references: { image: 2, video: 9, audio: 0 },
    };
    expect(offeredModel(of('alpha-2.0-pro'), [silent, referring])).toMatchObject({
      modes: ['text-to-video', 'multimodal-to-video'],
      resolutions: ['480p'],
      realPersonModes: ['multimodal-to-video'],
      generateAudio: false,
      inputs: { image: { maxCount: 2 }, video: { maxCount: 3 }, audio: { maxCount: 0 } },
    });
  });

  test('without values that no combination can use', () => {
    const limited: RouteSupport = {
      ...minSupport,
      resolutions: ['1080p'],
      combinations: [
        { when: { resolutions: ['1080p'] }, only: { seconds: [8], aspectRatios: ['16:9'] } },
      ],
    };
    expect(offeredModel(of('beta-3.0'), [limited])).toMatchObject({
      resolutions: ['1080p'],
      aspectRatios: ['16:9'],
      duration: { min: 8, max: 8, default: 8 },
    });
  });

  test('with a text as long as one of its routes takes, and a fraction within their bounds', () => {
    const asked = { negative_prompt: { max_length: 1000 }, guidance: { min: 0, max: 20 } };
    const sold = { ...of('alpha-2.0-pro'), extras: asked } as Model;
    const short = { ...minSupport, negativePrompt: 500, guidance: { min: 1.5, max: 10 } };
    const offers = (...routes: RouteSupport[]) => offeredModel(sold, routes)?.extras;
    expect(offers(minSupport)).toEqual({});
    expect(offers(minSupport, short)).toEqual({
      negative_prompt: { max_length: 500 },
      guidance: { min: 1.5, max: 10 },
    });
    expect(offers(short, { ...minSupport, negativePrompt: true, guidance: [0] })).toEqual({
      negative_prompt: { max_length: 1000 },
      guidance: { min: 0, max: 10 },
    });
  });

  test('with real-person mode only where a route takes real people in that mode', () => {
    const text = { ...minSupport, modes: ['text-to-video'] };
    const image = { ...minSupport, modes: ['image-to-video'], realPerson: false };
    const offered = (routes: RouteSupport[]) => offeredModel(of('alpha-2.0-pro'), routes);
    expect(offered([text, image])).toMatchObject({ realPersonModes: [] });
    expect(offered([image, { ...image, realPerson: true }])).toMatchObject({
      realPersonModes: ['image-to-video'],
    });
  });

  test('not at all where its routes can make none of it', () => {
    expect(offeredModel(of('alpha-2.0-mini'), [veo])).toBeNull();
    expect(offeredModel(of('beta-3.0'), [{ ...minSupport, resolutions: ['480p'] }])).toBeNull();
    expect(offeredModel(of('image-a-2'), [{ ...minSupport, resolutions: ['4k'] }])).toBeNull();
  });
});

const part = (values: readonly string[]) => fc.option(fc.subarray([...values], { minLength: 1 }));
const supports: fc.Arbitrary<RouteSupport> = fc
  .record({
    modes: part(['text-to-video', 'image-to-video', 'multimodal-to-video']),
    lastFrame: fc.boolean(),
    audio: fc.constantFrom(true, false, 'always' as const),
    references: fc.record({ image: fc.nat(9), video: fc.nat(3), audio: fc.nat(3) }),
    resolutions: part(['480p', '720p', '1080p', '2160p']),
    aspectRatios: part(['16:9', '9:16', '1:1']),
    seconds: fc.option(fc.subarray([4, 6, 8, 10], { minLength: 1 })),
    realPerson: fc.boolean(),
    combinations: fc.array(
      fc.record({
        when: fc.record({
          modes: fc.subarray(['text-to-video', 'multimodal-to-video'], { minLength: 1 }),
          resolutions: fc.subarray(['720p', '1080p'], { minLength: 1 }),
        }),
        only: fc.record({
          seconds: fc.subarray([4, 8], { minLength: 1 }),
          aspectRatios: fc.subarray(['16:9', '9:16'], { minLength: 1 }),
          audio: fc.constantFrom(true, false, 'always' as const),
        }),
      }),
      { maxLength: 2 },
    ),
  })
  .map((some) => ({ ...minSupport, ...some }));

type Input = Parameters<typeof covers>[1]['inputs'][number];
const reference = (type: 'image' | 'video'): Input[] => [{ type, role: 'reference' }];
const inputsOf: Record<string, Input[][]> = {
  'text-to-video': [[]],
  'image-to-video': [[{ type: 'image', role: 'first_frame' }]],
  'multimodal-to-video': [reference('image'), reference('video')],
};

test('for any routes, one of them makes the default request, and it has a price', () => {
  const models = catalogue.filter(({ type }) => type === 'video');
  fc.assert(
    fc.property(
      fc.array(supports, { maxLength: 4 }),
      fc.constantFrom(...models),
      (routes, model) => {
        const made = offeredModel(model, routes);
        if (made?.type !== 'video') {
          expect(made).toBeNull();
          return;
        }
        const { defaults, duration } = made;
        const parameters = {
          duration_seconds: duration.default,
          resolution: defaults.resolution,
          aspect_ratio: defaults.aspectRatio,
          generate_audio: defaults.generateAudio,
          seed: 1,
          real_person_mode: false,
        };
        const isMade = made.modes.some((mode) =>
          (inputsOf[mode] ?? []).some((inputs) =>
            routes.some((route) => covers(route, { type: 'video', mode, inputs, parameters })),
          ),
        );
        expect(isMade).toBe(true);
        expect(() => presentModel(made)).not.toThrow();
      },
    ),
    { numRuns: 300 },
  );
});
