import type { InputType } from '@framegate/contract';
import { uploadKey, uploadLimits, uploadsToDrop, type Upload } from '../../domain/upload.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { giveUpAfter } from '../ports/concurrency.ts';
import type { Database } from '../ports/database.ts';
import type { MediaStore } from '../ports/media.ts';
import { countAttempt } from './attempts.ts';
import type { SiteDeps } from './siteDeps.ts';

/** Timeout for the removal of one file, in ms. */
const removalMs = 15_000;

/**
 * Takes a file that a customer chose in the studio. It is noted before it is stored; older ones that no
 * generation needs make room for it.
 * @returns its id.
 * @throws PlainRefusal when it is no such input, or there are too many; the signal's reason.
 */
export async function takeUpload(
  deps: Pick<SiteDeps, 'database' | 'clock' | 'random' | 'attempts' | 'media' | 'takeUpload'>,
  { accountId, type }: { accountId: string; type: InputType },
  data: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  await countAttempt(deps, 'upload', accountId);
  const id = deps.random.newId('upl');
  const note: Parameters<SiteDeps['takeUpload']>[2] = async (file) => {
    const { extension, hasPreview, bytes, size, seconds } = file;
    const key = uploadKey(id, `0.${extension}`);
    const previewKey = hasPreview ? uploadKey(id, 'preview.webp') : null;
    const now = deps.clock.now();
    const times = { createdAt: now, expiresAt: now + uploadLimits.keptMs, neededUntil: 0 };
    const upload = { id, accountId, type, key, previewKey, bytes, size, seconds, ...times };
    await makeRoom(deps, upload);
    return upload;
  };
  const taken = await deps.takeUpload({ accountId, type }, data, note, signal);
  if (taken.ok) return id;
  throw new PlainRefusal(
    taken.problem === 'too_large'
      ? `This file is larger than ${taken.maxBytes / 1_000_000} MB, the most for ${nouns[type]}.`
      : `This file cannot be used as ${nouns[type]}: it has a wrong type, size or length, or is damaged.`,
    taken.problem === 'too_large' ? 413 : 400,
  );
}

const nouns = { image: 'a picture', video: 'a video', audio: 'sound' } as const;

/** Notes an upload, and removes what it leaves no room for. @throws PlainRefusal when it has none itself. */
async function makeRoom(
  deps: { database: Pick<Database, 'uploads'>; media: Pick<MediaStore, 'delete'> },
  upload: Upload,
): Promise<void> {
  const { uploads } = deps.database;
  // Noted first, then counted: two at one time see each other, and no limit is passed.
  await uploads.insert(upload);
  const dropped = uploadsToDrop(await uploads.ofAccount(upload.accountId), upload);
  if (!dropped) {
    await uploads.remove(upload.id);
    throw new PlainRefusal(
      'Too many of your files wait for generations that have not begun. Choose it again once they have.',
      429,
    );
  }
  for (const { id } of dropped) await removeUpload(deps, id);
}

/** Removes an upload: its files first, so that none is forgotten. */
export async function removeUpload(
  {
    database: { uploads },
    media,
  }: {
    database: Pick<Database, 'uploads'>;
    media: Pick<MediaStore, 'delete'>;
  },
  id: string,
): Promise<void> {
  const upload = await uploads.findAny(id);
  if (!upload) return;
  for (const key of [upload.key, upload.previewKey]) {
    if (key !== null) await giveUpAfter(removalMs, media.delete(key));
  }
  await uploads.remove(id);
}

/** Keeps the uploads of an accepted generation for as long as it may wait for its turn to read them. */
export async function keepUploadsFor(
  { database, log }: Pick<SiteDeps, 'database' | 'log'>,
  generationId: string,
): Promise<void> {
  try {
    const {
      accountId = '',
      inputs = [],
      deadlineAt = 0,
    } = (await database.generations.find(generationId)) ?? {};
    const ids = inputs.flatMap(({ ownUpload }) => ownUpload ?? []);
    if (ids.length > 0) await database.uploads.keepUntil(accountId, ids, deadlineAt);
  } catch (error) {
    // It was accepted and charged, and the files are kept for hours anyway.
    log.warn({ error, generationId }, 'the uploads of a generation could not be kept for longer');
  }
}
