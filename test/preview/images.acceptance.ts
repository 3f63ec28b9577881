import { describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { makePicture } from './makePicture.ts';
import { useRenderer } from './useRenderer.ts';

const renderer = useRenderer();

const asBytes = (images: readonly (string | Uint8Array)[]) =>
  images.map((image) => Buffer.from(image as Uint8Array));

describe('preview images', () => {
  test.each(['png', 'jpeg', 'webp'])(
    'come in the requested number, each a %s of the size',
    async (format) => {
      const { images, warnings } = await renderer().images({
        n: 3,
        size: '624x416',
        providerOptions: { preview: { outputFormat: format } },
      });
      const files = asBytes(images);
      expect(files).toHaveLength(3);
      expect(warnings).toEqual([]);
      for (const file of files) {
        expect(await sharp(file).metadata()).toMatchObject({ format, width: 624, height: 416 });
      }
      expect(new Set(files.map((file) => file.toString('base64'))).size).toBe(3);
    },
  );

  test('count their seeds up: the second image is the first one of the next seed', async () => {
    const [, second] = asBytes((await renderer().images({ n: 2, seed: 7 })).images);
    const [next] = asBytes((await renderer().images({ n: 1, seed: 8 })).images);
    expect(second?.equals(next ?? Buffer.alloc(0))).toBe(true);
  });

  test('take the size from the ratio if none is given', async () => {
    const { images } = await renderer().images({ size: undefined, aspectRatio: '3:2' });
    expect(await sharp(asBytes(images)[0]).metadata()).toMatchObject({ width: 1248, height: 832 });
  });

  test('show their references', async () => {
    const data = await makePicture('#ff0000', 'png');
    const { images } = await renderer().images({
      files: [{ type: 'file', mediaType: 'image/png', data }],
    });
    const { data: pixels } = await sharp(asBytes(images)[0])
      .extract({ left: 300, top: 60, width: 1, height: 1 })
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(pixels[0]).toBeGreaterThan(240);
    expect(pixels[1]).toBeLessThan(15);
    expect(pixels[2]).toBeLessThan(15);
  });

  test('fail as input_invalid for a picture of more than 40 megapixels', async () => {
    const data = await makePicture('#404040', 'png', { width: 8000, height: 5008 });
    await expect(
      renderer().images({ files: [{ type: 'file', mediaType: 'image/png', data }] }),
    ).rejects.toThrow(/^input_invalid: .*pixel limit/);
  });

  test('end when the caller gives up, and leave nothing behind', async () => {
    const giveUp = new AbortController();
    renderer().onStart = () => {
      giveUp.abort(new Error('given up'));
    };
    await expect(
      renderer().images({ size: '4096x4096', abortSignal: giveUp.signal }),
    ).rejects.toThrow('given up');
    renderer().onStart = () => undefined;
    expect((await renderer().images({})).images).toHaveLength(1);
  });
});
