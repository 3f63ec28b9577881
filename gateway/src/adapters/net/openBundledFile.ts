import { open } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { TransferFailure } from '../../application/ports/transfer.ts';

const plainName = /^\/([a-z0-9][a-z0-9-]{0,80}\.[a-z0-9]{2,4})$/;

/**
 * Answers a URL on a bundled host, such as the demo's samples, from a folder: one plain file name,
 * nothing below and nothing outside.
 * @throws TransferFailure when there is no such file or it is too large.
 */
export async function openBundledFile(
  folder: string,
  pathname: string,
  maxBytes: number,
): Promise<Readable> {
  const name = plainName.exec(pathname)?.[1];
  const handle = name === undefined ? null : await open(join(folder, name)).catch(() => null);
  const found = await handle?.stat();
  if (handle && found?.isFile() && found.size <= maxBytes) return handle.createReadStream();
  await handle?.close();
  if (found?.isFile()) throw new TransferFailure('too_large', `${found.size} bytes`);
  throw new TransferFailure('unreachable', 'no such bundled file');
}
