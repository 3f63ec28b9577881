import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Paths of removed folders, for the next gateways of this process. */
const removed: string[] = [];

/**
 * Creates an empty DATA_DIR. It may reuse an earlier gateway's path: media children are permitted to use only the
 * folder of their gateway, and starting one takes 0.2 s of processor time, so the next gateway takes over idle ones.
 */
export async function takeDataDir(): Promise<{ path: string; remove(): Promise<void> }> {
  const known = removed.pop();
  const path = known ?? (await mkdtemp(join(tmpdir(), 'framegate-gateway-')));
  if (known !== undefined) await mkdir(path, { mode: 0o700 });
  return {
    path,
    async remove() {
      // A media child may still be writing.
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
      removed.push(path);
    },
  };
}
