import { beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { InvalidMedia } from '../../gateway/media/src/mediaTask.ts';
import { picture, useInspection } from '../../gateway/media/test/inspecting.ts';
import { encodeStripes, encodeTone, mux, type Packet } from '../../gateway/media/test/makeMedia.ts';

const { inspect } = useInspection();
let stripes: Packet[] = [];
let tone: Packet[] = [];
beforeAll(async () => {
  [stripes, tone] = [await encodeStripes('avc', 2), await encodeTone('aac', 2)];
});

describe('pictures', () => {
  test.each([
    ['jpeg', 'image/jpeg', 'jpg'],
    ['png', 'image/png', 'png'],
    ['webp', 'image/webp', 'webp'],
  ] as const)('%s is recognised by its bytes', async (format, mediaType, extension) => {
    const bytes = await picture(30, 20).toFormat(format).toBuffer();
    expect(await inspect(bytes, 'image')).toEqual({
      ok: true,
      mediaType,
      extension,
      width: 30,
      height: 20,
    });
  });

  test('reports the size as displayed', async () => {
    const bytes = await picture(30, 20).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await inspect(bytes, 'image')).toMatchObject({ ok: true, width: 20, height: 30 });
  });

  test('refuses one pixel above the cap', async () => {
    const bytes = await picture(30, 20).png().toBuffer();
    expect(await inspect(bytes, 'image', 600)).toMatchObject({ ok: true });
    expect(await inspect(bytes, 'image', 599)).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/pixel/),
    });
  });

  test('a small file that unpacks to very many pixels is refused from its header', async () => {
    const bytes = await picture(8_000, 5_100).png({ compressionLevel: 9 }).toBuffer();
    expect(bytes.length).toBeLessThan(300_000);
    expect(await inspect(bytes, 'image')).toMatchObject({
      ok: false,
      reason: expect.stringMatching(/pixel/),
    });
  });

  test.each(['jpeg', 'png', 'webp'] as const)('a truncated %s is invalid', async (format) => {
    const noise = sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: '#000',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
    });
    const bytes = await noise.toFormat(format).toBuffer();
    expect(await inspect(bytes, 'image')).toMatchObject({ ok: true });
    const half = bytes.subarray(0, bytes.length / 2);
    expect(await inspect(half, 'image')).toMatchObject({ ok: false });
  });

  test('refuses animated pictures and unsupported kinds', async () => {
    const frames = Buffer.concat([Buffer.alloc(300, 10), Buffer.alloc(300, 200)]);
    const two = sharp(frames, { raw: { width: 10, height: 20, channels: 3, pageHeight: 10 } });
    const moving = await two.webp({ delay: [100, 100], loop: 0 }).toBuffer();
    expect(await inspect(moving, 'image')).toEqual({
      ok: false,
      reason: 'an animated image',
      actualKind: 'animated',
    });
    for (const format of ['gif', 'tiff', 'avif'] as const) {
      const bytes = await picture(10, 10).toFormat(format).toBuffer();
      expect(await inspect(bytes, 'image')).toEqual({
        ok: false,
        reason: 'unknown type, not image',
        actualKind: format,
      });
    }
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    expect(await inspect(svg, 'image')).toMatchObject({ ok: false });
  });
});

describe('video and audio', () => {
  const both = () => ({
    video: { codec: 'avc' as const, packets: stripes },
    audio: { codec: 'aac' as const, packets: tone },
  });

  test.each([
    ['mp4', 'video/mp4', 'mp4'],
    ['mp4, moov last', 'video/mp4', 'mp4'],
    ['mp4, fragmented', 'video/mp4', 'mp4'],
    ['mov', 'video/quicktime', 'mov'],
  ] as const)('%s is a video of its duration', async (container, mediaType, extension) => {
    const verdict = await inspect(await mux(container, both()), 'video');
    expect(verdict).toMatchObject({ ok: true, mediaType, extension, width: 160, height: 90 });
    const { seconds } = verdict as { seconds: number };
    expect(seconds).toBeGreaterThanOrEqual(2);
    expect(seconds).toBeLessThan(2.1);
  });

  test('accepts WebM as a video, but not Matroska', async () => {
    const tracks = { video: { codec: 'vp8' as const, packets: await encodeStripes('vp8', 1) } };
    expect(await inspect(await mux('webm', tracks), 'video')).toMatchObject({
      ok: true,
      mediaType: 'video/webm',
      extension: 'webm',
      seconds: 1,
    });
    expect(await inspect(await mux('mkv', tracks), 'video')).toEqual({
      ok: false,
      reason: 'Matroska, not WebM',
      actualKind: 'mkv',
    });
  });

  test('a box that playback does not need never makes a file invalid', async () => {
    const bytes = await mux('mp4, moov last', both());
    const entry = bytes.lastIndexOf('avc1') - 4;
    const size = bytes.readUInt32BE(entry);
    for (const type of ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1']) {
      const at = bytes.lastIndexOf(type, entry + 4) - 4;
      bytes.writeUInt32BE(bytes.readUInt32BE(at) + 18, at);
    }
    // Colours without their last byte, beyond which the library would read.
    const short = Buffer.from('00000012636f6c726e636c78000100010001', 'hex');
    const wide = [bytes.subarray(0, entry + size), short, bytes.subarray(entry + size)];
    expect(await inspect(Buffer.concat(wide), 'video')).toMatchObject({
      ok: true,
      width: 160,
      height: 90,
      sound: true,
    });
  });

  test('H.265 in MP4', async () => {
    const tracks = { video: { codec: 'hevc' as const, packets: await encodeStripes('hevc', 1) } };
    expect(await inspect(await mux('mp4', tracks), 'video')).toMatchObject({
      ok: true,
      seconds: 1,
    });
  });

  test.each([
    ['mp3', 'mp3', 'audio/mpeg', 'mp3'],
    ['wav', 'pcm-s16', 'audio/wav', 'wav'],
    ['aac', 'aac', 'audio/aac', 'aac'],
    ['mp4', 'aac', 'audio/mp4', 'm4a'],
  ] as const)('%s with %s is audio', async (container, codec, mediaType, extension) => {
    const packets = await encodeTone(codec, 3);
    const verdict = await inspect(await mux(container, { audio: { codec, packets } }), 'audio');
    expect(verdict).toMatchObject({ ok: true, mediaType, extension });
    const { seconds } = verdict as { seconds: number };
    expect(Math.abs(seconds - 3)).toBeLessThan(0.1);
  });

  test('a header that claims less than the file holds changes nothing', async () => {
    const bytes = await mux('mp4', both());
    for (const name of ['mvhd', 'mdhd']) {
      for (let at = bytes.indexOf(name); at !== -1; at = bytes.indexOf(name, at + 1)) {
        // Version 0 or 1: the duration is the last field of the times.
        if (bytes[at + 4] === 1) bytes.writeBigUInt64BE(1n, at + 28);
        else bytes.writeUInt32BE(1, at + 20);
      }
    }
    const { seconds } = (await inspect(bytes, 'video')) as { seconds: number };
    expect(seconds).toBeGreaterThanOrEqual(2);
  });

  test.each(['mp4', 'mp4, fragmented', 'mov', 'mp4, moov last'] as const)(
    '%s is invalid when truncated',
    async (container) => {
      const bytes = await mux(container, both());
      expect(await inspect(bytes.subarray(0, bytes.length - 200), 'video')).toMatchObject({
        ok: false,
      });
    },
  );

  test('the requested kind decides', async () => {
    const video = await mux('mp4', both());
    const audio = await mux('mp4', { audio: both().audio });
    const image = await picture(10, 10).png().toBuffer();
    const refused = async (bytes: Uint8Array, type: 'image' | 'video' | 'audio') => {
      const { ok, reason, actualKind } = (await inspect(bytes, type)) as InvalidMedia;
      expect(ok).toBe(false);
      return [reason, actualKind];
    };
    expect(await refused(video, 'audio')).toEqual(['a video where audio is asked for', 'mp4']);
    expect(await refused(audio, 'video')).toEqual(['no video track', undefined]);
    expect(await refused(video, 'image')).toEqual(['video/mp4, not image', 'mp4']);
    expect(await refused(image, 'video')).toEqual(['image/png, not video', 'png']);
    const [page, nothing] = [Buffer.from('<html>'), Buffer.alloc(0)];
    expect(await refused(page, 'image')).toEqual(['unknown type, not image', 'html']);
    expect(await refused(nothing, 'audio')).toEqual(['unknown type, not audio', 'empty']);
  });
});
