import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { findFfprobe } from '../../../test/support/tools.ts';
import { digitalSourceType } from '../src/aiMark.ts';
import { InvalidOutputError } from '../src/mediaErrors.ts';
import { decodeFrames, encodeStripes, encodeTone, mux, type Packet } from './makeMedia.ts';
import { pictureWithMetadata, useOutputStore } from './outputStore.ts';

const tags = {
  title: 'Secretvendor job 42',
  comment: '{"ContentProducer":"Secretvendor","ProduceID":"cgt-42"}',
  artist: 'secretvendor.example',
};
const outputs = useOutputStore();
const finish = (bytes: Uint8Array) => outputs().finish(bytes, 'video/mp4');
const packets: Record<'avc' | 'hevc' | 'aac', Packet[]> = { avc: [], hevc: [], aac: [] };
beforeAll(async () => {
  packets.avc = await encodeStripes('avc', 2);
  packets.hevc = await encodeStripes('hevc', 1);
  packets.aac = await encodeTone('aac', 2);
});

const h264 = () => ({
  video: { codec: 'avc' as const, packets: packets.avc },
  audio: { codec: 'aac' as const, packets: packets.aac },
});
const box = (type: string, body: string | Uint8Array) => {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + Buffer.from(body).length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, Buffer.from(body)]);
};
/** The places of a text in a file. */
const placesOf = (file: Buffer, text: string) => {
  const places: number[] = [];
  for (let at = file.indexOf(text); at !== -1; at = file.indexOf(text, at + 1)) places.push(at);
  return places;
};
const probe = async (file: Buffer) => {
  const path = join(outputs().root, 'probed.mp4');
  await writeFile(path, file);
  const flags = ['-v', 'warning', '-count_frames', '-show_format', '-show_streams', '-of', 'json'];
  const { stdout, stderr } = await promisify(execFile)(await findFfprobe(), [...flags, path]);
  expect(stderr).toBe('');
  return JSON.parse(stdout) as {
    format: { tags: Record<string, string> };
    streams: { codec_type: string; nb_read_frames: string; tags?: Record<string, string> }[];
  };
};

describe('an MP4', () => {
  test.each(['mp4', 'mp4, moov last', 'mp4, fragmented'] as const)(
    '%s: only pictures and sound remain, unchanged',
    async (container) => {
      const source = await mux(container, h264(), tags);
      expect(source.includes('Secretvendor')).toBe(true);
      expect(source.includes('x264')).toBe(true);
      const made = await finish(source);
      for (const name of ['ecretvendor', 'cgt-42', 'x264', 'ediabunny']) {
        expect(placesOf(made, name)).toEqual([]);
      }
      const frames = await decodeFrames(made);
      expect(frames).toHaveLength(48);
      expect(frames).toEqual(await decodeFrames(source));
      expect(new Set(frames).size).toBeGreaterThan(20);
    },
  );

  test('has neither tags nor errors for players', async () => {
    const { format, streams } = await probe(await finish(await mux('mp4', h264(), tags)));
    expect(Object.keys(format.tags).toSorted()).toEqual([
      ...['compatible_brands', 'major_brand', 'minor_version'],
    ]);
    expect(streams.map(({ codec_type, nb_read_frames }) => [codec_type, nb_read_frames])).toEqual([
      ['video', '48'],
      ['audio', expect.stringMatching(/^8\d$/)],
    ]);
    for (const stream of streams) {
      expect({ ...stream.tags, language: 'und', handler_name: '' }).toEqual({
        language: 'und',
        handler_name: '',
        ...('vendor_id' in (stream.tags ?? {}) && { vendor_id: '[0][0][0][0]' }),
      });
    }
  });

  test('H.265', async () => {
    const source = await mux('mp4', { video: { codec: 'hevc', packets: packets.hevc } }, tags);
    const made = await finish(source);
    expect(placesOf(made, 'ecretvendor')).toEqual([]);
    expect(placesOf(made, 'x265')).toEqual([]);
    expect(await decodeFrames(made)).toEqual(await decodeFrames(source));
  });

  test('carries the mark at its end, in its uuid box', async () => {
    const made = await finish(await mux('mp4', h264(), tags));
    const at = made.lastIndexOf(Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex'));
    expect(made.toString('latin1', at - 4, at)).toBe('uuid');
    expect(made.readUInt32BE(at - 8)).toBe(made.length - (at - 8));
    const xmp = made.toString('utf8', at + 16);
    expect(xmp).toContain(`<Iptc4xmpExt:DigitalSourceType>${digitalSourceType}<`);
    expect(xmp).toContain('AI-generated');
    expect(placesOf(made, digitalSourceType)).toHaveLength(1);
  });

  test('boxes that a provider added become free space, wherever they are', async () => {
    const plain = await mux('mp4', h264());
    const moovAt = plain.indexOf('moov') - 4;
    const source = Buffer.concat([
      plain,
      box('uuid', `${'u'.repeat(16)}Secretvendor`),
      box('free', 'Secretvendor in free space'),
      box('SvBx', 'Secretvendor'),
      box('meta', 'Secretvendor'),
      Buffer.from('junk'),
    ]);
    source.write('isomSVND', source.indexOf('ftyp') + 12, 'latin1');
    const entry = source.indexOf('avc1', moovAt) - 4;
    source.write('\x0cSecretvendor', entry + 50, 'latin1');
    const made = await finish(source);
    for (const name of ['Secret', 'SvBx', 'SVND', 'junk']) expect(placesOf(made, name)).toEqual([]);
    expect(await decodeFrames(made)).toEqual(await decodeFrames(plain));
    await probe(made);
  });

  test('a last box of open size is closed before the mark is appended', async () => {
    const source = await mux('mp4', h264());
    const mdat = source.indexOf('mdat') - 4;
    expect(mdat + source.readUInt32BE(mdat)).toBe(source.length);
    source.writeUInt32BE(0, mdat);
    const made = await finish(source);
    expect(made.readUInt32BE(mdat)).toBe(source.length - mdat);
    expect(await decodeFrames(made)).toHaveLength(48);
  });

  test('other tracks are removed with their samples', async () => {
    const source = await mux('mp4', h264());
    expect(placesOf(source, 'Lavc').length).toBeGreaterThan(0);
    source.write('meta', source.indexOf('soun'), 'latin1');
    const made = await finish(source);
    expect(placesOf(made, 'Lavc')).toEqual([]);
    expect((await probe(made)).streams).toMatchObject([
      { codec_type: 'video', nb_read_frames: '48' },
    ]);
    expect(await decodeFrames(made)).toEqual(await decodeFrames(source));
  });

  test('creation times are removed', async () => {
    const source = await mux('mp4', h264());
    for (const name of ['mvhd', 'tkhd', 'mdhd']) {
      for (const at of placesOf(source, name)) source.writeUInt32BE(0xdeadbeef, at + 8);
    }
    const made = await finish(source);
    expect(made.indexOf(Buffer.from('deadbeef', 'hex'))).toBe(-1);
  });

  test('gets no second mark when it is marked again', async () => {
    const made = await finish(await mux('mp4', h264(), tags));
    const again = await finish(made);
    expect(placesOf(again, digitalSourceType)).toHaveLength(1);
    expect(await decodeFrames(again)).toEqual(await decodeFrames(made));
  });

  test.each<[string, () => Promise<Buffer>, RegExp]>([
    ['a web page', async () => Buffer.from('<!doctype html>'), /a text in place of a file/],
    ['nothing', async () => Buffer.alloc(0), /empty/],
    ['a picture', async () => pictureWithMetadata('png'), /image\/png/],
    ['sound alone', async () => mux('mp4', { audio: h264().audio }), /no video track/],
    ['only a head', async () => box('ftyp', 'isom\0\0\0\0isom'), /no moov/],
    ['data elsewhere', async () => withReferenceElsewhere(), /another file/],
  ])('%s is not one', async (_, bytes, reason) => {
    const failure: unknown = await finish(await bytes()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(InvalidOutputError);
    expect((failure as Error).message).toMatch(reason);
  });

  const withReferenceElsewhere = async () => {
    const source = await mux('mp4', h264());
    source[source.indexOf('url ') + 7] = 0;
    return source;
  };
});
