import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findFfprobe } from './tools.ts';

/** ffprobe's record of one stream; numbers are text. */
export type Stream = Readonly<Record<string, string | number | undefined>>;
/** ffprobe's record of a file, with every frame counted. */
export type Probe = { streams: Stream[]; format: Readonly<Record<string, string | undefined>> };

/** Reads a media file with ffprobe, which decodes all of it. */
export async function probe(bytes: Uint8Array): Promise<Probe> {
  const file = path.join(tmpdir(), `probe-${randomUUID()}`);
  await writeFile(file, bytes);
  try {
    const { stdout } = await promisify(execFile)(await findFfprobe(), [
      ...['-v', 'error', '-count_frames', '-show_streams', '-show_format', '-of', 'json'],
      file,
    ]);
    return JSON.parse(stdout) as Probe;
  } finally {
    await rm(file);
  }
}

/** The types of an MP4's outermost boxes, in order (ISO/IEC 14496-12). */
export function boxTypes(mp4: Uint8Array): string[] {
  const view = new DataView(mp4.buffer, mp4.byteOffset, mp4.byteLength);
  const types: string[] = [];
  for (let at = 0; at < mp4.byteLength;) {
    types.push(Buffer.from(mp4.subarray(at + 4, at + 8)).toString('latin1'));
    const size = view.getUint32(at);
    at += size === 1 ? Number(view.getBigUint64(at + 8)) : size;
  }
  return types;
}
