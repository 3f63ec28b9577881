import { createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isNetworkError } from './client.ts';
import { markAsUserFacing, naming } from './errors.ts';
import { mediaFormatOf, mediaHeadBytes } from './generated/contract.ts';
import { downloadMs, type Step, timeoutMs } from './step.ts';

/** A complete file of the requested type on this machine's disk. */
export interface FetchedFile {
  path: string;
  bytes: number;
  mediaType: string;
  /** File extension without a dot. */
  extension: string;
}

/** Maximum size of a file accepted by Zapier. */
const maxBytes = 150_000_000;

/** A download without a byte for this many ms is aborted: node-fetch itself never ends one. */
const silenceMs = 4_000;

/**
 * Downloads a file, without the key, and passes it to `use` while it is on the disk.
 * @param type Required type of the file, by its media type and by its first bytes.
 * @returns The result of `use`; null if no such file arrived completely.
 * @throws z.errors.HaltedError for a file that is too large for Zapier.
 */
export async function fetchFile<T>(
  step: Step,
  url: string,
  type: 'video' | 'image',
  use: (file: FetchedFile) => Promise<T>,
): Promise<T | null> {
  const folder = await mkdtemp(join(tmpdir(), 'file-'));
  const path = join(folder, 'file');
  try {
    const isSaved = await download(step, url, type, path);
    const file = isSaved ? await inspect(path) : null;
    return file?.mediaType.startsWith(`${type}/`) ? await use(file) : null;
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The part of a raw response that is read here. */
interface RawResponse {
  status: number;
  headers: { get(name: string): string | null };
  body: Readable;
}

/** Writes a file to the disk. @returns Whether a complete file of this type arrived. */
async function download(step: Step, url: string, type: string, path: string): Promise<boolean> {
  const response = await ask(step, url);
  if (response === null) return false;
  const { status, headers, body } = response;
  const isType = headers.get('content-type')?.toLowerCase().startsWith(`${type}/`) === true;
  const length = Number(headers.get('content-length') ?? NaN);
  const isTooLarge = length > maxBytes;
  if (status !== 200 || !isType || isTooLarge) {
    body.destroy();
    if (status === 200 && isTooLarge) throw tooLarge(step, length);
    return false;
  }
  const bytes = await save(body, path, downloadMs(step));
  return bytes !== null && (Number.isNaN(length) || bytes === length);
}

/** The response of a URL; null without one. */
async function ask(step: Step, url: string): Promise<RawResponse | null> {
  const options = { url, raw: true, skipThrowForStatus: true, timeout: timeoutMs(step) } as const;
  try {
    return (await step.z.request(options)) as unknown as RawResponse;
  } catch (error) {
    if (isNetworkError(error)) return null;
    throw error;
  }
}

/** Writes a body to the disk. @returns Its bytes; null if it was truncated or took longer than `maxMs`. */
async function save(body: Readable, path: string, maxMs: number): Promise<number | null> {
  const cut = () => body.destroy(new Error('no more bytes'));
  const silence = setTimeout(cut, silenceMs);
  const end = setTimeout(cut, maxMs);
  let bytes = 0;
  body.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    silence.refresh();
  });
  try {
    await pipeline(body, createWriteStream(path));
    return bytes;
  } catch {
    return null;
  } finally {
    clearTimeout(silence);
    clearTimeout(end);
  }
}

/** The media type of a file by its first bytes; null for anything else. */
async function inspect(path: string): Promise<FetchedFile | null> {
  const file = await open(path);
  try {
    const { size: bytes } = await file.stat();
    const { buffer } = await file.read(Buffer.alloc(mediaHeadBytes), 0, mediaHeadBytes, 0);
    const format = mediaFormatOf(buffer.toString('latin1'));
    return format === null ? null : { path, bytes, ...format };
  } finally {
    await file.close();
  }
}

function tooLarge(step: Step, bytes: number): Error {
  const size = `${Math.ceil(bytes / 1_000_000)} MB`;
  const max = `${maxBytes / 1_000_000} MB`;
  return markAsUserFacing(
    new step.z.errors.HaltedError(
      `The file has ${size}, but Zapier accepts up to ${max}. Map its URL instead.${naming(step)}`,
    ),
  );
}
