import { describe, expect, test } from '@jest/globals';
import type { ImageParameters, VideoParameters } from '@framegate/contract';
import { describedDialect, testedPackages } from './aiSdk/dialects.ts';
import { arkDialect } from './modelArk/modelArk.ts';
import { previewDialect } from './openProvider.ts';
import { planOf } from './routePlan.ts';
import { unroutedEntry } from './routesFile.ts';
import {
  type Abilities,
  covers,
  mergeSupport,
  noSupport,
  type RouteSupport,
} from './routeSupport.ts';

const dialects = {
  ark: arkDialect,
  preview: previewDialect,
  own: describedDialect('@acme/own', {}),
} as const;

/** Requests covered by a route to a model, by the package's name or one of ours. */
function supportOf(name: string, type: 'video' | 'image', model: string, does: Abilities = {}) {
  const dialect =
    testedPackages[`@ai-sdk/${name}`]?.dialect ?? dialects[name as keyof typeof dialects];
  return planOf(dialect.models, type, { ...unroutedEntry('p', model), does }).support;
}

type Request = Parameters<typeof covers>[1];
type Input = Request['inputs'][number];

const usual: VideoParameters = {
  duration_seconds: 5,
  resolution: '720p',
  aspect_ratio: '16:9',
  generate_audio: false,
  seed: 1,
  real_person_mode: false,
};

const video = (
  parameters: Partial<VideoParameters> = {},
  mode = 'text-to-video',
  inputs: Input[] = [],
): Request => ({ type: 'video', mode, inputs, parameters: { ...usual, ...parameters } });

const image = (parameters: Partial<ImageParameters> = {}, inputs: Input[] = []): Request => ({
  type: 'image',
  mode: null,
  inputs,
  parameters: {
    n: 1,
    resolution: '1k',
    aspect_ratio: '1:1',
    output_format: 'png',
    seed: 1,
    ...parameters,
  },
});

const first: Input = { type: 'image', role: 'first_frame' };
const last: Input = { type: 'image', role: 'last_frame' };
const references = (type: Input['type'], count: number): Input[] =>
  Array.from({ length: count }, () => ({ type, role: 'reference' }));

const requests = {
  text: video(),
  sound: video({ generate_audio: true }),
  uhd: video({ resolution: '2160p' }),
  wide: video({ aspect_ratio: '21:9' }),
  eight: video({ duration_seconds: 8 }),
  eightLoud: video({ duration_seconds: 8, generate_audio: true }),
  frame: video({}, 'image-to-video', [first]),
  frames: video({}, 'image-to-video', [first, last]),
  pictures: video({}, 'multimodal-to-video', references('image', 9)),
  mixed: video({}, 'multimodal-to-video', [
    ...references('image', 1),
    ...references('video', 3),
    ...references('audio', 3),
  ]),
  still: image(),
  large: image({ resolution: '4k' }),
  wideStill: image({ aspect_ratio: '21:9' }),
  edit: image({}, references('image', 1)),
  edits: image({}, references('image', 9)),
} as const;

type Name = keyof typeof requests;

const everything = Object.keys(requests) as Name[];
const ofVideo = everything.slice(0, 10);
const ofImages = everything.slice(10);
const silent = ofVideo.filter((name) => !['sound', 'eightLoud'].includes(name));

/** The exact requests that each provider covers by default. */
const table: [string, RouteSupport, Name[]][] = [
  ['preview', supportOf('preview', 'video', 'x'), ofVideo],
  ['a package that states nothing', supportOf('own', 'video', 'x'), []],
  [
    'a package that states what its model makes',
    supportOf('own', 'video', 'x', {
      modes: ['text-to-video', 'image-to-video'],
      seconds: [5],
      resolutions: ['720p'],
      aspectRatios: ['16:9'],
    }),
    ['text', 'frame'],
  ],
  [
    'ModelArk, 2.0 fast',
    supportOf('ark', 'video', 'dreamina-seedance-2-0-fast-260128'),
    ['text', 'sound', 'wide', 'eight', 'eightLoud', 'frame', 'frames', 'pictures', 'mixed'],
  ],
  ['ModelArk, an endpoint', supportOf('ark', 'video', 'ep-1'), []],
  [
    'ModelArk, an endpoint that is described',
    supportOf('ark', 'video', 'ep-1', {
      modes: ['text-to-video'],
      seconds: [5],
      resolutions: ['720p'],
      aspectRatios: ['21:9'],
    }),
    ['wide'],
  ],
  [
    'ModelArk, 1.5',
    supportOf('ark', 'video', 'seedance-1-5-pro-251215'),
    ['text', 'sound', 'wide', 'eight', 'eightLoud', 'frame', 'frames'],
  ],
  [
    'ModelArk, 1.0 fast',
    supportOf('ark', 'video', 'seedance-1-0-pro-fast-251015'),
    ['text', 'wide', 'eight', 'frame'],
  ],
  ['fal, a model without a row', supportOf('fal', 'video', 'fal-ai/x/text-to-video'), []],
  [
    'fal, Kling 3 from text',
    supportOf('fal', 'video', 'fal-ai/kling-video/v3/standard/text-to-video'),
    ['text', 'sound', 'eight', 'eightLoud'],
  ],
  [
    'fal, Kling 3 from images',
    supportOf('fal', 'video', 'fal-ai/kling-video/v3/standard/image-to-video'),
    ['frame', 'frames'],
  ],
  [
    'fal, frames that need a last one',
    supportOf('fal', 'video', 'fal-ai/veo3.1/first-last-frame-to-video', { seconds: [5] }),
    ['frames'],
  ],
  [
    'fal, Seedance from images',
    supportOf('fal', 'video', 'fal-ai/bytedance/seedance/v1.5/pro/image-to-video'),
    ['frame', 'frames'],
  ],
  [
    'fal, Seedance from references',
    supportOf('fal', 'video', 'fal-ai/seedance-2/reference-to-video'),
    ['pictures', 'mixed'],
  ],
  ['google, Veo', supportOf('google', 'video', 'veo-3.1'), ['eightLoud']],
  ['replicate, a model without a row', supportOf('replicate', 'video', 'minimax/video-01'), []],
  [
    'replicate, Kling 3',
    supportOf('replicate', 'video', 'kwaivgi/kling-v3-video'),
    ['text', 'sound', 'eight', 'eightLoud', 'frame', 'frames'],
  ],
  [
    'replicate, Seedance',
    supportOf('replicate', 'video', 'bytedance/seedance-2.0'),
    ofVideo.filter((name) => name !== 'uhd'),
  ],
  ['alibaba, text', supportOf('alibaba', 'video', 'wan2.6-t2v'), ['sound', 'eightLoud']],
  ['alibaba, image', supportOf('alibaba', 'video', 'wan2.6-i2v-flash'), ['frame']],
  [
    'alibaba, Wan 3',
    supportOf('alibaba', 'video', 'wan3'),
    ['text', 'sound', 'eight', 'eightLoud', 'frame', 'frames', 'pictures'],
  ],
  [
    'xai',
    supportOf('xai', 'video', 'grok-imagine-video'),
    ['text', 'sound', 'eight', 'eightLoud', 'frame'],
  ],
  [
    'xai, 1.5',
    supportOf('xai', 'video', 'grok-imagine-video-1.5'),
    ['text', 'sound', 'eight', 'eightLoud', 'frame', 'frames'],
  ],
];

const imageTable: typeof table = [
  [
    'fal images',
    supportOf('fal', 'image', 'fal-ai/nano-banana-pro'),
    ['still', 'large', 'wideStill'],
  ],
  ['fal edits', supportOf('fal', 'image', 'fal-ai/flux-2/edit'), ['edit']],
  [
    'gemini',
    supportOf('google', 'image', 'gemini-3-pro-image'),
    ['still', 'large', 'wideStill', 'edit', 'edits'],
  ],
  [
    'gemini 2.5',
    supportOf('google', 'image', 'gemini-2.5-flash-image'),
    ['still', 'wideStill', 'edit'],
  ],
  [
    'replicate images',
    supportOf('replicate', 'image', 'black-forest-labs/flux-schnell'),
    ['still', 'wideStill'],
  ],
  ['xai images', supportOf('xai', 'image', 'grok-imagine-image'), ['still', 'edit']],
  ['openai', supportOf('openai', 'image', 'gpt-image-1'), ['still', 'edit', 'edits']],
];

describe('by default', () => {
  test.each(table)('%s covers the expected requests', (_, support, expected) => {
    expect(ofVideo.filter((name) => covers(support, requests[name]))).toEqual(expected);
  });

  test.each(imageTable)('%s cover the expected requests', (_, support, expected) => {
    expect(ofImages.filter((name) => covers(support, requests[name]))).toEqual(expected);
  });
});

/** A support without limits other than those set by a test. */
const open: RouteSupport = {
  ...noSupport,
  modes: null,
  seconds: null,
  resolutions: null,
  aspectRatios: null,
};

test('a silent route covers no sound, and a route that cannot be silent covers only sound', () => {
  const withSound = (audio: RouteSupport['audio']) =>
    [requests.text, requests.sound].map((request) => covers({ ...open, audio }, request));
  expect(withSound(false)).toEqual([true, false]);
  expect(withSound(true)).toEqual([true, true]);
  expect(withSound('always')).toEqual([false, true]);
});

test('the operator declares differences', () => {
  const declared = {
    audio: true,
    references: { image: 1 },
    seconds: [5],
    modes: ['text-to-video'],
  };
  const support = mergeSupport(supportOf('google', 'video', 'veo-3.1'), declared);
  expect(support).toMatchObject({ audio: true, references: { image: 1, video: 0, audio: 0 } });
  expect(silent.filter((name) => covers(support, requests[name]))).toEqual(['text']);
  const unlimited = mergeSupport(support, { combinations: [] });
  expect(silent.filter((name) => covers(unlimited, requests[name]))).toEqual(['text', 'uhd']);
});

test('a limit applies to the requests that it names, in addition to limits on all', () => {
  const support: RouteSupport = {
    ...open,
    seconds: [4, 8],
    references: { image: 3, video: 0, audio: 0 },
    combinations: [
      {
        when: { modes: ['multimodal-to-video'] },
        only: { seconds: [8, 10], aspectRatios: ['16:9'] },
      },
      { when: { resolutions: ['1080p'], modes: ['text-to-video'] }, only: { seconds: [4] } },
    ],
  };
  const referred = (parameters: Partial<VideoParameters>) =>
    covers(support, video(parameters, 'multimodal-to-video', references('image', 1)));
  expect(referred({ duration_seconds: 8 })).toBe(true);
  expect(referred({ duration_seconds: 4 })).toBe(false);
  expect(referred({ duration_seconds: 10 })).toBe(false);
  expect(referred({ duration_seconds: 8, aspect_ratio: '9:16' })).toBe(false);
  expect(referred({ duration_seconds: 8, resolution: '1080p' })).toBe(true);
  expect(covers(support, video({ duration_seconds: 4, aspect_ratio: '9:16' }))).toBe(true);
  expect(covers(support, video({ duration_seconds: 8, resolution: '1080p' }))).toBe(false);
  expect(covers(support, video({ duration_seconds: 4, resolution: '1080p' }))).toBe(true);
});

test('a route without real people covers no request in real-person mode', () => {
  const real = video({ real_person_mode: true });
  expect(covers(open, real)).toBe(true);
  expect(covers({ ...open, realPerson: false }, real)).toBe(false);
  expect(covers({ ...open, realPerson: false }, video())).toBe(true);
});

test('a route covers a text up to the length that it states, counted in characters', () => {
  const ordered = (length: number) => video({ negative_prompt: '🌧'.repeat(length) } as object);
  const taken = (negativePrompt: RouteSupport['negativePrompt']) =>
    [3, 4].map((length) => covers({ ...open, negativePrompt }, ordered(length)));
  expect(taken(3)).toEqual([true, false]);
  expect(taken(true)).toEqual([true, true]);
  expect(taken(false)).toEqual([false, false]);
  expect(covers({ ...open, negativePrompt: 3 }, video())).toBe(true);
});
