import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import sharp from 'sharp';
import { runMediaTask } from '../src/runMediaTask.ts';

/** The owner of inspected files. */
export const owner = { accountId: 'acct_1' };

/** Creates a folder for a file's tests; inspects files in it, or prepares them for a provider as well. */
export function useInspection() {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'framegate-inspect-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const { signal } = new AbortController();
  const path = () => join(folder, 'file');
  return {
    prepare: async (bytes: Uint8Array, type: 'image' | 'video' | 'audio') => {
      await writeFile(path(), bytes);
      const bounds = { maxPixels: 40_000_000, maxTransparentWebpPixels: 6_000_000 };
      const task = { task: 'inspect', path: path(), type, ...bounds } as const;
      return runMediaTask({ ...task, target: join(folder, 'target') }, owner, signal);
    },
    pathOf: (name: string) => join(folder, name),
    inspect: async (
      bytes: Uint8Array,
      type: 'image' | 'video' | 'audio',
      maxPixels = 40_000_000,
    ) => {
      await writeFile(path(), bytes);
      return runMediaTask({ task: 'inspect', path: path(), type, maxPixels }, owner, signal);
    },
  };
}

/** A picture of one colour. */
export const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#357' } });
