import { describe, expect, test } from '@jest/globals';
import type { ImageParameters, VideoParameters } from '@framegate/contract';
import { alibabaDialect } from './aiSdk/alibabaDialect.ts';
import { falDialect } from './aiSdk/falDialect.ts';
import { googleDialect } from './aiSdk/googleDialect.ts';
import { openaiDialect } from './aiSdk/openaiDialect.ts';
import { replicateDialect } from './aiSdk/replicateDialect.ts';
import { xaiDialect } from './aiSdk/xaiDialect.ts';
import { arkDialect } from './modelArk/arkDialect.ts';
import { previewDialect } from './previewDialect.ts';
import { covers, leastSupport, mergeSupport, type RouteSupport } from './routeSupport.ts';
import { standardDialect } from './dialect.ts';

type Request = Parameters<typeof covers>[1];
type Input = Request['inputs'][number];

const usual: VideoParameters = {
  ...{ duration_seconds: 5, resolution: '720p', aspect_ratio: '16:9' },
  ...{ generate_audio: false, seed: 1, real_person_mode: false },
};

const video = (
  parameters: Partial<VideoParameters> = {},
  mode = 'text-to-video',
  inputs: Input[] = [],
): Request => ({
  ...{ type: 'video', mode, inputs },
  parameters: { ...usual, ...parameters },
});

const image = (parameters: Partial<ImageParameters> = {}, inputs: Input[] = []): Request => ({
  ...{ type: 'image', mode: null, inputs },
  parameters: {
    ...{ n: 1, resolution: '1k', aspect_ratio: '1:1', output_format: 'png', seed: 1 },
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
const textOnly: Name[] = ['text', 'uhd', 'wide', 'eight'];

/** What each provider covers by default: exactly these requests. */
const table: [string, RouteSupport, Name[]][] = [
  ['preview', previewDialect.videoSupport('x'), ofVideo],
  ['an unknown package', standardDialect.videoSupport('x'), [...textOnly, 'frame']],
  [
    'ModelArk, an endpoint',
    arkDialect.videoSupport('ep-1'),
    ['text', 'sound', 'wide', 'eight', 'eightLoud', 'frame', 'frames', 'pictures', 'mixed'],
  ],
  [
    'ModelArk, 1.5',
    arkDialect.videoSupport('seedance-1-5-pro-251215'),
    ['text', 'sound', 'wide', 'eight', 'eightLoud', 'frame', 'frames'],
  ],
  [
    'ModelArk, 1.0 fast',
    arkDialect.videoSupport('seedance-1-0-pro-fast-251015'),
    ['text', 'wide', 'eight', 'frame'],
  ],
  ['fal, text only', falDialect.videoSupport('fal-ai/x/text-to-video'), textOnly],
  ['fal, an image only', falDialect.videoSupport('fal-ai/x/image-to-video'), ['frame']],
  [
    'fal, Seedance from images',
    falDialect.videoSupport('fal-ai/bytedance/seedance/v1.5/pro/image-to-video'),
    ['frame', 'frames'],
  ],
  [
    'fal, Seedance from references',
    falDialect.videoSupport('fal-ai/seedance-2/reference-to-video'),
    ['pictures', 'mixed'],
  ],
  ['google, Veo', googleDialect.videoSupport('veo-3.1'), ['eightLoud']],
  ['replicate', replicateDialect.videoSupport('minimax/video-01'), [...textOnly, 'frame']],
  ['replicate, Seedance', replicateDialect.videoSupport('bytedance/seedance-2.0'), ofVideo],
  ['alibaba, text', alibabaDialect.videoSupport('wan2.6-t2v'), ['sound', 'eightLoud']],
  ['alibaba, image', alibabaDialect.videoSupport('wan2.6-i2v'), []],
  ['alibaba, older text', alibabaDialect.videoSupport('wan2.2-t2v-plus'), ['text', 'eight']],
  [
    'alibaba, Wan 3',
    alibabaDialect.videoSupport('wan3'),
    ['text', 'sound', 'eight', 'eightLoud', 'frame', 'frames'],
  ],
  [
    'xai',
    xaiDialect.videoSupport('grok-imagine-video'),
    ['text', 'sound', 'eight', 'eightLoud', 'frame'],
  ],
  [
    'xai, 1.5',
    xaiDialect.videoSupport('grok-imagine-video-1.5'),
    ['text', 'sound', 'eight', 'eightLoud', 'frame', 'frames'],
  ],
];

const imageTable: typeof table = [
  ['fal images', falDialect.imageSupport('fal-ai/flux/dev'), ['still', 'large', 'wideStill']],
  [
    'fal edits',
    falDialect.imageSupport('fal-ai/flux-2/edit'),
    ['still', 'large', 'wideStill', 'edit'],
  ],
  [
    'gemini',
    googleDialect.imageSupport('gemini-3-pro-image'),
    ['still', 'large', 'wideStill', 'edit', 'edits'],
  ],
  [
    'gemini 2.5',
    googleDialect.imageSupport('gemini-2.5-flash-image'),
    ['still', 'wideStill', 'edit'],
  ],
  [
    'replicate images',
    replicateDialect.imageSupport('black-forest-labs/flux-schnell'),
    ['still', 'wideStill'],
  ],
  ['xai images', xaiDialect.imageSupport('grok-imagine-image'), ['still', 'edit']],
  ['openai', openaiDialect.imageSupport('gpt-image-1'), ['still', 'edit', 'edits']],
];

describe('by default', () => {
  test.each(table)('%s covers what it should', (_, support, expected) => {
    expect(ofVideo.filter((name) => covers(support, requests[name]))).toEqual(expected);
  });

  test.each(imageTable)('%s cover what they should', (_, support, expected) => {
    expect(ofImages.filter((name) => covers(support, requests[name]))).toEqual(expected);
  });
});

test('a silent route covers no sound, and one that cannot be silent covers nothing else', () => {
  const withSound = (audio: RouteSupport['audio']) =>
    [requests.text, requests.sound].map((request) => covers({ ...leastSupport, audio }, request));
  expect(withSound(false)).toEqual([true, false]);
  expect(withSound(true)).toEqual([true, true]);
  expect(withSound('always')).toEqual([false, true]);
});

test('the operator declares what differs', () => {
  const declared = {
    audio: true,
    references: { image: 1 },
    seconds: [5],
    modes: ['text-to-video'],
  };
  const support = mergeSupport(googleDialect.videoSupport('veo-3.1'), declared);
  expect(support).toMatchObject({ audio: true, references: { image: 1, video: 0, audio: 0 } });
  expect(silent.filter((name) => covers(support, requests[name]))).toEqual(['text', 'uhd']);
});
