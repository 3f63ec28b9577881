import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from '@jest/globals';
import sharp, { type Sharp } from 'sharp';
import {
  frameLimits,
  inputLimits,
  outputLimits,
  posterLimits,
  uploadChildLimits,
} from '../../gateway/media/src/childLimits.ts';
import { createDiskStore } from '../../gateway/media/src/diskStore.ts';
import { flagsFor, limitedNode } from '../../gateway/media/src/mediaChild.ts';
import { createStoreUpload } from '../../gateway/media/src/storeUpload.ts';
import { describeIf, testIf } from '../support/testIf.ts';

const folder = await mkdtemp(join(tmpdir(), 'framegate-memory-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const [isLinux, reason] = [process.platform === 'linux', 'the limit is one of Linux'];

/** A program that fills memory up to its limit, and prints its size at each step. */
const glutton = `
const kept = [];
const { readFileSync, writeSync } = require('node:fs');
for (;;) {
  kept.push(Buffer.alloc(4 * 1024 * 1024, 1));
  writeSync(1, /VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1] + '\\n');
}`;

describeIf(isLinux, reason)('memory', () => {
  test.each([
    ['an input', inputLimits],
    ['an upload', uploadChildLimits],
    ['a frame', frameLimits],
    ['a poster', posterLimits],
    ['an output', outputLimits],
  ])(
    'a child that takes all the memory it can stays below its limit: %s',
    async (_name, limits) => {
      const [command, ...args] = limitedNode(['--max-old-space-size=192', '-e', glutton], limits);
      const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'ignore'] });
      const said = (await text(child.stdout)).trim().split('\n');
      const peakMb = Number(said.at(-1)) / 1024;
      expect(peakMb).toBeLessThan(limits.memoryMb);
      // The limit is usable.
      expect(peakMb).toBeGreaterThan(limits.memoryMb * 0.8);
    },
  );
});

describe('a picture', () => {
  const fileLimits = {
    image: { maxBytes: 20_000_000, maxPixels: 40_000_000 },
    video: { maxBytes: 1, maxSeconds: 1 },
    audio: { maxBytes: 1, maxSeconds: 1 },
  };
  const store = createDiskStore(join(folder, 'store'));
  const tempFolder = join(folder, 'work');
  const take = createStoreUpload({ store, fileLimits, tempFolder, decodesVideo: false });
  const give = async (picture: Sharp) => {
    const bytes = await picture.toBuffer();
    return take(
      { accountId: 'acct_1', type: 'image', keep: 'file' },
      (async function* () {
        yield bytes;
      })(),
      async () => ({ key: 'uploads/upl_1/0.png', previewKey: null }),
      new AbortController().signal,
    );
  };
  const create = (side: number, channels: 3 | 4) =>
    sharp({ create: { width: side, height: side, channels, background: '#35798080' } });

  test('that is a large WebP with transparency is refused if it must be rotated', async () => {
    const turned = create(4_000, 4).webp({ lossless: true }).withMetadata({ orientation: 6 });
    expect(await give(turned)).toEqual({
      ok: false,
      problem: 'too_many_pixels',
      pixels: 4_000 ** 2,
      max: 6_000_000,
      isTransparentWebp: true,
      maxBehindUrl: 40_000_000,
    });
  });

  testIf(isLinux, reason)(
    'with few bytes and very many pixels needs hardly any memory',
    async () => {
      const path = join(folder, 'small.webp');
      await create(6_300, 4).webp({ lossless: true }).toFile(path);
      expect((await readFile(path)).length).toBeLessThan(2_000);
      const bounds = { maxPixels: 4_096 ** 2, maxTransparentWebpPixels: 6_000_000 };
      const made = { target: join(folder, 'made.webp'), preview: join(folder, 'preview.webp') };
      const task = { task: 'inspect', type: 'image', path, ...made, ...bounds } as const;
      // Its own report of its peak, in KB, after its end.
      const tell =
        "process.on('exit',()=>process.stderr.write(String(process.resourceUsage().maxRSS)))";
      const entry = join(import.meta.dirname, '../../gateway/media/src/mediaProcess.ts');
      const args = [...flagsFor(task), `--import=data:text/javascript,${tell}`, entry];
      const [command, ...all] = limitedNode(args, uploadChildLimits);
      // A process inherits the peak of its parent, here a small shell.
      const shell = ['-c', '"$0" "$@"; exit $?', command, ...all];
      const child = spawn('sh', shell, { stdio: 'pipe' });
      child.stdin.end(JSON.stringify(task));
      const [response, peakKb] = await Promise.all([text(child.stdout), text(child.stderr)]);
      expect(JSON.parse(response)).toMatchObject({ ok: false, tooManyPixels: { max: 4_096 ** 2 } });
      expect(Number(peakKb) / 1024).toBeLessThan(150);
    },
  );

  test('with one row of pixels too many is refused', async () => {
    const picture = sharp({
      create: { width: 4_096, height: 4_097, channels: 3, background: '#357' },
    });
    expect(await give(picture.jpeg())).toMatchObject({ problem: 'too_many_pixels' });
  });

  test.each([
    [
      'a turned progressive JPEG',
      () => create(4_096, 3).jpeg({ progressive: true }).withMetadata({ orientation: 6 }),
    ],
    [
      'an interlaced PNG of 16 bits',
      () => create(4_096, 4).toColourspace('rgb16').png({ progressive: true }),
    ],
    ['a WebP', () => create(4_096, 3).webp()],
    ['a WebP with transparency', () => create(2_440, 4).webp()],
  ])('with the maximum number of pixels is accepted: %s', async (_name, make) => {
    expect(await give(make())).toEqual({ ok: true });
  });
});
