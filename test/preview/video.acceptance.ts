import { describe, expect, test } from '@jest/globals';
import { frameRate } from '../../gateway/preview/src/spec.ts';
import { videoSize } from '../../gateway/providers/src/pixelSize.ts';
import { boxTypes, probe } from '../support/probe.ts';
import { makePicture } from './makePicture.ts';
import { useRenderer } from './useRenderer.ts';

const renderer = useRenderer();

describe('a preview video', () => {
  test.each([
    ['480p', '16:9', 2, true],
    ['480p', '9:16', 1, false],
    ['480p', '1:1', 1, true],
    ['480p', '21:9', 1, false],
    ['1080p', '4:3', 1, false],
  ] as const)(
    '%s at %s, %i s, with sound: %s',
    async (resolution, aspectRatio, duration, audio) => {
      const { width, height } = videoSize(resolution, aspectRatio);
      const bytes = await renderer().video(
        await renderer().start({
          resolution: `${width}x${height}`,
          aspectRatio,
          duration,
          generateAudio: audio,
        }),
      );
      const { streams, format } = await probe(bytes);

      expect(streams.map(({ codec_type }) => codec_type)).toEqual(
        audio ? ['video', 'audio'] : ['video'],
      );
      expect(streams[0]).toMatchObject({
        codec_name: 'h264',
        profile: 'High',
        width,
        height,
        pix_fmt: 'yuv420p',
        color_range: 'tv',
        color_space: 'bt709',
        color_transfer: 'bt709',
        color_primaries: 'bt709',
        avg_frame_rate: `${String(frameRate)}/1`,
        start_time: '0.000000',
        duration: `${String(duration)}.000000`,
        nb_read_frames: String(duration * frameRate),
      });
      if (audio) {
        expect(streams[1]).toMatchObject({
          codec_name: 'aac',
          profile: 'LC',
          channels: 2,
          // One packet of priming comes before the first sample and is skipped.
          nb_frames: String(1 + Math.ceil((duration * 48_000) / 1024)),
          duration: `${String(duration)}.000000`,
        });
      }
      expect(format['duration']).toBe(`${String(duration)}.000000`);
      expect(boxTypes(bytes)).toEqual(['ftyp', 'moov', 'mdat']);
    },
  );

  test('is the same file for the same request, and differs for another seed or prompt', async () => {
    const make = async (change: object) =>
      renderer().video(
        await renderer().start({ resolution: '320x180', generateAudio: true, ...change }),
      );
    const first = await make({});
    expect(Buffer.from(await make({})).equals(first)).toBe(true);
    expect(Buffer.from(await make({ seed: 8 })).equals(first)).toBe(false);
    expect(Buffer.from(await make({ prompt: 'A kite' })).equals(first)).toBe(false);
  });

  test('takes a first frame, a last frame and references of every kind', async () => {
    const picture = {
      type: 'file',
      mediaType: 'image/png',
      data: await makePicture('#d04020', 'png'),
    } as const;
    const other = { ...picture, data: await makePicture('#2060d0', 'webp') };
    const operations = await Promise.all([
      renderer().start({ image: picture }),
      renderer().start({
        frameImages: [
          { image: picture, frameType: 'first_frame' },
          { image: other, frameType: 'last_frame' },
        ],
      }),
      renderer().start({
        inputReferences: [
          picture,
          other,
          { type: 'file', mediaType: 'video/mp4', data: Uint8Array.of(0) },
          { type: 'file', mediaType: 'audio/mpeg', data: Uint8Array.of(0) },
        ],
      }),
    ]);
    for (const operation of operations) {
      const { streams } = await probe(await renderer().video(operation));
      expect(streams[0]).toMatchObject({ width: 854, height: 480, nb_read_frames: '24' });
    }
  });

  test('responds immediately and stays pending until the video exists', async () => {
    const operation = await renderer().start({});
    expect(await renderer().status(operation)).toMatchObject({ status: 'pending' });
    expect(JSON.parse(JSON.stringify(operation))).toEqual(operation);
    expect((await renderer().video(operation)).byteLength).toBeGreaterThan(1000);
  });

  test.each([
    ['no picture', Buffer.from('hello'), 'image/png'],
    [
      'an SVG',
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'),
      'image/png',
    ],
    ['nothing', Buffer.alloc(0), 'image/jpeg'],
  ])('fails as input_invalid for %s', async (_, data, mediaType) => {
    const operation = await renderer().start({ image: { type: 'file', mediaType, data } });
    await expect(renderer().video(operation)).rejects.toThrow(/^input_invalid: /);
  });

  test('fails as input_invalid for a damaged picture', async () => {
    const whole = await makePicture('#d04020', 'jpeg');
    const data = whole.subarray(0, whole.length / 2);
    const operation = await renderer().start({
      image: { type: 'file', mediaType: 'image/jpeg', data },
    });
    await expect(renderer().video(operation)).rejects.toThrow(/^input_invalid: /);
  });

  test.each([[null], ['../..'], [{ renderId: '../../etc' }], [{ renderId: 'gone' }], [[1]]])(
    'has no render for the operation %j',
    async (operation) => {
      expect(await renderer().status(operation)).toMatchObject({
        status: 'error',
        error: expect.stringMatching(/^render_failed: /),
      });
    },
  );
});
