import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { runMediaTask } from '../src/runMediaTask.ts';
import { owner, picture, useInspection } from './inspecting.ts';
import { encodeStripes, encodeTone, mux } from './makeMedia.ts';

const { inspect, pathOf } = useInspection();

describe('hostile files are invalid, with no other outcome', () => {
  const box = (type: string, ...parts: Uint8Array[]) => {
    const body = Buffer.concat(parts);
    const head = Buffer.alloc(8);
    head.writeUInt32BE(8 + body.length);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, body]);
  };
  const ints = (...values: number[]) => {
    const bytes = Buffer.alloc(values.length * 4);
    values.forEach((value, place) => bytes.writeUInt32BE(value >>> 0, place * 4));
    return bytes;
  };
  const ftyp = box('ftyp', Buffer.from('isom\0\0\0\0isommp42'));

  test('endlessly nested boxes', async () => {
    let nested = box('trak');
    for (let depth = 0; depth < 20_000; depth += 1) nested = box('moov', nested);
    expect(await inspect(Buffer.concat([ftyp, nested]), 'video')).toMatchObject({ ok: false });
  });

  test('a table that claims four thousand million entries', async () => {
    const handler = box('hdlr', ints(0, 0), Buffer.from('vide'), Buffer.alloc(13));
    const entry = box(
      'avc1',
      Buffer.alloc(78),
      box('avcC', Buffer.from('0142001effe10000', 'hex')),
    );
    const table = box(
      'stbl',
      box('stsd', ints(0, 1), entry),
      box('stts', ints(0, 1, 0xffffffff, 1)),
      box('stsc', ints(0, 1, 1, 0xffffffff, 1)),
      box('stsz', ints(0, 1, 0xffffffff)),
      box('stco', ints(0, 1, 48)),
    );
    const media = box(
      'mdia',
      box('mdhd', ints(0, 0, 0, 1000, 1000, 0)),
      handler,
      box('minf', table),
    );
    const track = box('trak', box('tkhd', ints(3, 0, 0, 1, 0, 1000), Buffer.alloc(60)), media);
    const file = Buffer.concat([
      ...[ftyp, box('moov', box('mvhd', ints(0, 0, 0, 1000, 1000), Buffer.alloc(80)), track)],
      ...[box('mdat', Buffer.alloc(64))],
    ]);
    expect(await inspect(file, 'video')).toMatchObject({ ok: false });
  });

  test('every real file, truncated or with changed bytes, gets a verdict', async () => {
    const files = [
      await mux('mp4', { video: { codec: 'avc', packets: await encodeStripes('avc', 0.25) } }),
      await mux('webm', { video: { codec: 'vp8', packets: await encodeStripes('vp8', 0.25) } }),
      await mux('mp3', { audio: { codec: 'mp3', packets: await encodeTone('mp3', 0.2) } }),
    ];
    let state = 7;
    const random = (below: number) => {
      state = (state * 48_271) % 2_147_483_647;
      return state % below;
    };
    for (const file of files) {
      for (let round = 0; round < 4; round += 1) {
        const broken = Buffer.from(file.subarray(0, file.length - random(file.length / 2)));
        for (let change = 0; change < 12; change += 1) {
          broken[12 + random(broken.length - 12)] = random(256);
        }
        const verdict = await inspect(broken, file === files[2] ? 'audio' : 'video');
        expect(typeof verdict.ok).toBe('boolean');
      }
    }
  });

  test('an abort ends the inspection', async () => {
    const path = pathOf('any');
    await writeFile(path, await picture(10, 10).png().toBuffer());
    const stop = new AbortController();
    const task = { task: 'inspect', path, type: 'image', maxPixels: 100 } as const;
    const running = runMediaTask(task, owner, stop.signal);
    stop.abort();
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
  });

  test('a missing file is our fault, not an invalid file', async () => {
    const path = pathOf('missing');
    const task = { task: 'inspect', path, type: 'image', maxPixels: 100 } as const;
    const { signal } = new AbortController();
    await expect(runMediaTask(task, owner, signal)).rejects.toThrow('ENOENT');
  });
});
