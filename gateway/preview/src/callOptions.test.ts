import { describe, expect, test } from '@jest/globals';
import { parseImageCall, parseVideoCall } from './callOptions.ts';

const video = {
  prompt: 'a fox',
  n: 1,
  aspectRatio: undefined,
  resolution: undefined,
  duration: undefined,
  fps: undefined,
  seed: undefined,
  image: undefined,
  frameImages: undefined,
  inputReferences: undefined,
  generateAudio: undefined,
  providerOptions: {},
} as const;
const image = {
  prompt: 'a fox',
  n: 1,
  size: undefined,
  aspectRatio: undefined,
  seed: undefined,
  files: undefined,
  mask: undefined,
  providerOptions: {},
} as const;
const png = { type: 'file', mediaType: 'image/png', data: Uint8Array.of(1) } as const;

describe('reading a video call', () => {
  test('takes the defaults', () => {
    expect(parseVideoCall(video, 42).spec).toEqual({
      kind: 'video',
      prompt: 'a fox',
      seed: 42,
      width: 1280,
      height: 720,
      frames: 120,
      audio: false,
      inputs: [],
    });
  });

  test('sorts inputs: pictures are sent as bytes, videos and sounds only by name', () => {
    const { spec, files } = parseVideoCall(
      {
        ...video,
        inputReferences: [
          { type: 'file', mediaType: 'image/webp', data: 'AQID' },
          { type: 'url', mediaType: 'video/mp4', url: 'https://media.example/a.mp4' },
          { type: 'file', mediaType: 'audio/mpeg', data: Uint8Array.of(9) },
        ],
        frameImages: [{ frameType: 'last_frame', image: png }],
        image: png,
      },
      1,
    );
    expect(spec.inputs).toEqual([
      { role: 'first_frame', media: 'image', file: 'input-0' },
      { role: 'last_frame', media: 'image', file: 'input-1' },
      { role: 'reference', media: 'image', file: 'input-2' },
      { role: 'reference', media: 'video', file: null },
      { role: 'reference', media: 'audio', file: null },
    ]);
    expect(files.map(({ name, data }) => [name, ...data])).toEqual([
      ['input-0', 1],
      ['input-1', 1],
      ['input-2', 1, 2, 3],
    ]);
  });

  test('warns about an unsupported frame rate', () => {
    expect(parseVideoCall({ ...video, fps: 24 }, 1).warnings).toEqual([]);
    expect(parseVideoCall({ ...video, fps: 60 }, 1).warnings).toHaveLength(1);
  });

  test.each([
    ['two videos', { n: 2 }],
    ['no time', { duration: 0 }],
    ['too long', { duration: 61 }],
    ['an odd size', { resolution: '853x480' }],
    ['a huge size', { resolution: '16384x16384' }],
    ['no size', { resolution: 'axb' as '1x1' }],
    ['a picture by URL', { image: { type: 'url', url: 'https://media.example/a.png' } }],
  ] as const)('refuses %s', (_, change) => {
    expect(() => parseVideoCall({ ...video, ...change }, 1)).toThrow(/^render_failed: /);
  });
});

describe('reading an image call', () => {
  test('takes the defaults, and the size by ratio', () => {
    expect(parseImageCall({ ...image, aspectRatio: '16:9' }, 42).spec).toEqual({
      kind: 'image',
      prompt: 'a fox',
      seed: 42,
      width: 1408,
      height: 792,
      count: 1,
      format: 'png',
      inputs: [],
    });
  });

  test.each([
    ['five images', { n: 5 }],
    ['another format', { providerOptions: { preview: { outputFormat: 'gif' } } }],
  ])('refuses %s', (_, change) => {
    expect(() => parseImageCall({ ...image, ...change }, 1)).toThrow(/^render_failed: /);
  });
});
