import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { runMediaTask } from '../../gateway/media/src/runMediaTask.ts';
import { box, ftyp, ints } from '../../gateway/media/test/hostileFiles.ts';
import { owner, picture, useInspection } from '../../gateway/media/test/inspecting.ts';
import { encodeStripes, encodeTone, mux } from '../../gateway/media/test/makeMedia.ts';

const { prepare, pathOf } = useInspection();

describe('hostile files are invalid, with no other outcome', () => {
  test('endlessly nested boxes', async () => {
    const inner = box('trak');
    const depth = 20_000;
    const heads = Array.from({ length: depth }, (_, level) => {
      const head = box('moov');
      head.writeUInt32BE(inner.length + (depth - level) * head.length);
      return head;
    });
    const file = Buffer.concat([ftyp, ...heads, inner]);
    expect(await prepare(file, 'video')).toMatchObject({ ok: false });
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
    expect(await prepare(file, 'video')).toMatchObject({ ok: false });
  });

  test.each<[string, 'image' | 'video' | 'audio', RegExp, () => Promise<Buffer>]>([
    [
      'a WebM of parts that no one knows',
      'video',
      /more than 300000 elements/,
      async () => {
        const made = await mux('webm', {
          video: { codec: 'vp8', packets: await encodeStripes('vp8', 0.25) },
        });
        return Buffer.concat([made, Buffer.alloc(2_000_000, Buffer.from('8180', 'hex'))]);
      },
    ],
    [
      'an MP4 whose chunks all begin at one place',
      'video',
      /^pictures are cut short$/,
      async () => {
        const made = await mux('mp4', {
          video: { codec: 'avc', packets: await encodeStripes('avc', 0.25) },
        });
        const sizes = made.indexOf('stsz') + 4;
        made.writeUInt32BE(5, sizes + 4);
        made.writeUInt32BE(1_000_000, sizes + 8);
        return made;
      },
    ],
    [
      'a JPEG of a million empty tables',
      'image',
      /more than 10000 parts/,
      async () => {
        const made = await picture(10, 10).jpeg().toBuffer();
        const empty = Buffer.from('ffdb0002fffe0002', 'hex');
        return Buffer.concat([
          made.subarray(0, 2),
          Buffer.alloc(8_000_000, empty),
          made.subarray(2),
        ]);
      },
    ],
    [
      'a PNG of very many pixels in few bytes',
      'image',
      /is more than 40000000 pixels/,
      () => picture(9_000, 9_000).png().toBuffer(),
    ],
    [
      'a WAV of a million chunks',
      'audio',
      /./,
      async () => {
        const made = await mux('wav', {
          audio: { codec: 'pcm-s16', packets: await encodeTone('pcm-s16', 0.2) },
        });
        const chunks = Buffer.alloc(16_000_000, Buffer.from('fact\0\0\0\0none\0\0\0\0', 'latin1'));
        return Buffer.concat([made, chunks]);
      },
    ],
  ])('%s', async (_, type, reason, make) => {
    const verdict = await prepare(await make(), type);
    expect(verdict).toMatchObject({ ok: false });
    expect('reason' in verdict && verdict.reason).toMatch(reason);
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
        const verdict = await prepare(broken, file === files[2] ? 'audio' : 'video');
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
