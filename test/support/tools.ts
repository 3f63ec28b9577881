import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installLocked } from './install.ts';
import { projectRoot } from './runNode.ts';

/*
 * Large third-party programs that few commands and tests need; the first use installs them from the lockfile of
 * scripts/tools.
 */
const folder = join(projectRoot, 'scripts/tools');
const { resolve } = createRequire(join(folder, 'package.json'));

/** Installs them unless that is done already. */
export const installTools = (): Promise<void> => installLocked(folder);

async function pathOf(file: string): Promise<string> {
  await installTools();
  return resolve(file);
}

/** The path of ffprobe, a decoder of media files besides our own. */
export async function findFfprobe(): Promise<string> {
  const platform = `${process.platform}-${process.arch}`;
  const path = await pathOf(`@ffprobe-installer/${platform}/ffprobe`);
  // Install scripts do not run here.
  chmodSync(path, 0o755);
  return path;
}

/** The path of pyright's script for Node. */
export const findPyright = (): Promise<string> => pathOf('pyright/index.js');
