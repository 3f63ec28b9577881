import {
  mostBytes,
  showpieceFiles,
  showpieceKey,
  showpieceLimits,
  type Showpiece,
} from '../../domain/showpiece.ts';
import type { MediaStore } from '../ports/media.ts';
import type { Clock, Log } from '../ports/system.ts';

/** The list lies beside its files, so that the media store is all that a copy of them needs. */
const listKey = 'showpieces/list.json';
const maxListBytes = 100_000;

/** Whether an entry of the stored list has the form of a showpiece. */
function isShowpiece(value: unknown): value is Showpiece {
  if (typeof value !== 'object' || value === null) return false;
  const { model, generationId, type, aspectRatio } = value as Partial<Record<string, unknown>>;
  const areTexts = [model, generationId, aspectRatio].every((each) => typeof each === 'string');
  return areTexts && (type === 'video' || type === 'image');
}

/** Reads the list. @throws Errors of the media store. */
export async function readShowpieces(media: Pick<MediaStore, 'open'>): Promise<Showpiece[]> {
  const found = await media.open(listKey);
  if (!found) return [];
  const parts: Buffer[] = [];
  for await (const part of found.stream) parts.push(part as Buffer);
  const list: unknown = JSON.parse(Buffer.concat(parts).toString());
  return Array.isArray(list) ? list.filter(isShowpiece).slice(0, showpieceLimits.count) : [];
}

/** Replaces the list. */
export async function writeShowpieces(
  media: Pick<MediaStore, 'put'>,
  list: readonly Showpiece[],
): Promise<void> {
  const options = { contentType: 'application/json', maxBytes: maxListBytes };
  await media.put(listKey, Buffer.from(JSON.stringify(list)), options);
}

/** Copies one file of the store to another key, within the limit of showpieces. */
export async function copyFile(
  media: Pick<MediaStore, 'open' | 'put'>,
  from: string,
  to: { generationId: string; file: (typeof showpieceFiles)[number] },
): Promise<boolean> {
  const found = await media.open(from);
  if (!found) return false;
  const { contentType, stream } = found;
  const options = { contentType, maxBytes: mostBytes(to.file) };
  await media.put(showpieceKey(to.generationId, to.file), stream, options);
  return true;
}

/**
 * Removes the showpieces of generations: from the list first, so that no page names a file that is gone.
 * @returns Those that were there.
 */
export async function removeShowpieces(
  media: Pick<MediaStore, 'open' | 'put' | 'delete'>,
  generationIds: readonly string[],
): Promise<Showpiece[]> {
  const list = await readShowpieces(media);
  const gone = list.filter(({ generationId }) => generationIds.includes(generationId));
  if (gone.length === 0) return [];
  await writeShowpieces(
    media,
    list.filter((each) => !gone.includes(each)),
  );
  for (const { generationId } of gone) await deleteFilesOf(media, generationId);
  return gone;
}

/** Deletes the files of a showpiece. */
export async function deleteFilesOf(
  media: Pick<MediaStore, 'delete'>,
  generationId: string,
): Promise<void> {
  for (const file of showpieceFiles) await media.delete(showpieceKey(generationId, file));
}

/** How long the list is kept by a process, in ms: after that a change is on every page. */
const keptMs = 3_000;

/**
 * The current list for pages: the same array until it changes. While the store cannot be read, pages have what was
 * read last.
 */
export function createShowpieceReads(deps: {
  media: Pick<MediaStore, 'open'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
}): () => Promise<readonly Showpiece[]> {
  let known: readonly Showpiece[] = [];
  let until = -Infinity;
  let reading: Promise<void> | null = null;
  const read = async () => {
    try {
      const list = await readShowpieces(deps.media);
      if (JSON.stringify(list) !== JSON.stringify(known)) known = list;
    } catch (err) {
      deps.log.warn({ err }, 'the list of showpieces could not be read');
    }
    until = deps.clock.now() + keptMs;
    reading = null;
  };
  return async () => {
    if (deps.clock.now() >= until) await (reading ??= read());
    return known;
  };
}
