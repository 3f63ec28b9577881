import { createHash } from 'node:crypto';
import { hourMs, type InputType, sum } from '@framegate/contract';
import { isId } from '../ids.ts';
import type { GenerationInput } from './order.ts';

/**
 * A checked and stored file for inputs in an account's studio: uploaded from a browser, or a frame of one of its
 * videos. Without a `key` it is only the preview of a typed URL. Its id cannot be guessed, and only its own account may
 * use it.
 */
export interface Upload {
  id: string;
  accountId: string;
  type: InputType;
  /** Key in the media store; null if only a preview is kept. */
  key: string | null;
  /** Key of its preview; null without one. */
  previewKey: string | null;
  bytes: number;
  /** Origin of the upload, from `uploadSource`; null for an uploaded file. */
  source: string | null;
  /** Size in pixels of a picture or a video. */
  size: { width: number; height: number } | null;
  /** Duration of a video or audio file; null for a picture. */
  seconds: number | null;
  /** Times in ms since the epoch. */
  createdAt: number;
  expiresAt: number;
  /** How long an accepted generation may have to read it; 0 before the first one. */
  neededUntil: number;
  /** Ids of generations that have not read it yet; absent if none was noted. */
  neededBy?: string[];
}

/** The ids of uploads named by inputs. */
export function uploadsOfInputs(inputs: readonly GenerationInput[]): string[] {
  return inputs.flatMap(({ ownUpload }) => ownUpload ?? []);
}

/** Limits for an account's uploads: their number, their total bytes, and how long each is kept. */
export const uploadLimits = { count: 20, bytes: 300_000_000, keptMs: 6 * hourMs } as const;

/** The URL that names an upload in a request. It is below the media URL, where nothing serves it. */
export function uploadUrl(mediaUrl: string, id: string): string {
  return `${mediaUrl}/uploads/${id}`;
}

/** The id of the upload named by a URL, or null. */
export function parseUploadUrl(url: string, mediaUrl: string): string | null {
  const id = url.startsWith(uploadUrl(mediaUrl, ''))
    ? url.slice(uploadUrl(mediaUrl, '').length)
    : '';
  return isId('upl', id) ? id : null;
}

/**
 * Identifies the origin of an upload, so that each is made only once. A hash, because URLs may contain secrets.
 * @param parts For example the kind of input and its URL.
 */
export function uploadSource(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** The media store key of an upload's file or preview. */
export function uploadKey(id: string, file: string): string {
  return `uploads/${id}/${file}`;
}

/**
 * The uploads to drop for the newest one, oldest first, so that all stay within the limits; null if accepted
 * generations need too many of them.
 */
export function uploadsToDrop(uploads: readonly Upload[], newest: Upload): Upload[] | null {
  const others = uploads.filter(({ id }) => id !== newest.id);
  const droppable = others
    .filter(
      ({ neededUntil, neededBy }) => neededUntil <= newest.createdAt || neededBy?.length === 0,
    )
    .toSorted((a, b) => a.createdAt - b.createdAt);
  let count = others.length + 1;
  let bytes = newest.bytes + sum(others.map((each) => each.bytes));
  const dropped: Upload[] = [];
  while (count > uploadLimits.count || bytes > uploadLimits.bytes) {
    const next = droppable.shift();
    if (!next) return null;
    dropped.push(next);
    count -= 1;
    bytes -= next.bytes;
  }
  return dropped;
}
