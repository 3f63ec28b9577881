import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withFolderLock } from '../../gateway/embedded-mongod/src/folderLock.ts';
import { projectRoot } from './runNode.ts';

/** Maximum time that another test file may take for its work, in ms. */
const waitMs = 900_000;

/** Works on a folder while no other test file does: files of a suite run in parallel. */
export async function inTurn<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const locks = join(projectRoot, 'node_modules/.cache/framegate/locks');
  await mkdir(locks, { recursive: true });
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  return withFolderLock(join(locks, name), { waitMs }, work);
}
