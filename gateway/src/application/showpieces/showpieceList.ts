import {
  mostBytes,
  showpieceFiles,
  showpieceKey,
  showpieceLimits,
  type Showpiece,
} from '../../domain/showpiece.ts';
import type { MediaStore, StoredFile } from '../ports/media.ts';
import type { Clock, Log } from '../ports/system.ts';

/** The list is stored beside its files, so a copy of the media store is complete. */
const listKey = 'showpieces/list.json';
const maxListBytes = 100_000;

/** Whether an entry of the stored list has the form of a showpiece. */
function isShowpiece(value: unknown): value is Showpiece {
  if (typeof value !== 'object' || value === null) return false;
  const { model, generationId, type, aspectRatio } = value as Partial<Record<string, unknown>>;
  const areTexts = [model, generationId, aspectRatio].every((each) => typeof each === 'string');
  return areTexts && (type === 'video' || type === 'image');
}

/** The list, and the file it was read from. */
async function readList(
  media: Pick<MediaStore, 'open'>,
): Promise<{ list: Showpiece[]; file: StoredFile | null }> {
  const file = await media.open(listKey);
  if (!file) return { list: [], file };
  const parts: Buffer[] = [];
  for await (const part of file.stream) parts.push(part as Buffer);
  const read: unknown = JSON.parse(Buffer.concat(parts).toString());
  const list = Array.isArray(read) ? read.filter(isShowpiece) : [];
  return { list: list.slice(0, showpieceLimits.count), file };
}

/** Reads the list. @throws Errors of the media store. */
export const readShowpieces = async (media: Pick<MediaStore, 'open'>): Promise<Showpiece[]> =>
  (await readList(media)).list;

/** Maximum tries to change the list. A failed try means that another change succeeded, so few are needed. */
const maxTries = 50;

/**
 * Changes the list, even if others change it at the same moment.
 * @param change Returns the new list; null leaves it unchanged. Called again with others' changes.
 * @returns The list before the change.
 */
export async function changeShowpieces(
  media: Pick<MediaStore, 'open' | 'replace'>,
  change: (list: readonly Showpiece[]) => readonly Showpiece[] | null,
): Promise<readonly Showpiece[]> {
  const options = { contentType: 'application/json', maxBytes: maxListBytes };
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { list, file } = await readList(media);
    const after = change(list);
    if (after === null) return list;
    const data = Buffer.from(JSON.stringify(after));
    if (await media.replace(listKey, data, options, file)) return list;
  }
  throw new Error('the list of showpieces is changed by others all the time');
}

/** Copies a file of the store to another key, within the limit for showpieces. */
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
 * Removes the showpieces of generations, from the list first, so that no page names a deleted file.
 * @returns The removed showpieces.
 */
export async function removeShowpieces(
  media: Pick<MediaStore, 'open' | 'replace' | 'delete'>,
  generationIds: readonly string[],
): Promise<Showpiece[]> {
  const isGone = ({ generationId }: Showpiece) => generationIds.includes(generationId);
  const before = await changeShowpieces(media, (list) =>
    list.some(isGone) ? list.filter((each) => !isGone(each)) : null,
  );
  const gone = before.filter(isGone);
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

/** How long a process keeps the list, in ms, before a change is on every page. */
const keptMs = 3_000;

/**
 * The current list for pages: the same array until it changes. While the store is unreadable, pages get the last list
 * read.
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
