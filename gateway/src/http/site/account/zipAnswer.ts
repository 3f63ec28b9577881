import { Readable } from 'node:stream';
import { makeZip, predictLength } from 'client-zip';
import { deletionOf } from '../../../application/generations/presentGeneration.ts';
import type { GenerationView } from '../../../application/ports/generations.ts';
import type { MediaStore } from '../../../application/ports/media.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { text } from '../../../texts/text.ts';
import { createAnswerPlaces } from '../../answerPlaces.ts';
import type { Site, SiteContext } from './site.ts';

/**
 * Archives of one process: each holds an open file and a piece of it. The second of an account waits for the first, or
 * until the server has closed that for its slow reader, which takes 15 s.
 */
const limits = { places: 50, perAccount: 1, mayWait: 1, maxWaitMs: 20_000 };

/** Time limit of an archive, in ms. */
const maxMs = 15 * 60_000;

/** `Retry-After` when too many archives are running, in seconds. */
const retryAfterSeconds = 10;

type Zipped = Pick<
  GenerationView,
  'id' | 'accountId' | 'endedAt' | 'outputs' | 'outputsDeleteAt' | 'outputsDeletedAt'
>;

/** A file of an archive and its key in the media store. */
interface Entry {
  name: string;
  size: number;
  lastModified: number;
  key: string;
}

/**
 * Streams all files of an account's generations as one archive, one at a time per account. The connection is closed
 * when the client reads too slowly or takes longer than 15 minutes.
 * @param name The archive's name, without its extension.
 * @throws Refusal if all files are deleted, or other archives are running for too long.
 */
export type ZipAnswer = (
  ctx: SiteContext,
  generations: readonly Zipped[],
  name: string,
) => Promise<void>;

/** An archive to be sent. */
export interface Archive {
  accountId: string;
  /** Without its extension. */
  name: string;
  /** Read one after the other, while the client takes them. */
  contents: Parameters<typeof makeZip>[0];
  /** In bytes, if it is known. */
  bytes?: number;
}

/**
 * Streams an archive, one at a time per account. The connection is closed when the client reads too slowly or takes
 * longer than 15 minutes.
 * @throws Refusal if other archives are running for too long.
 */
export type SendArchive = (ctx: SiteContext, archive: Archive) => Promise<void>;

/** Creates the answer shared by all pages of a process. */
export function createZipAnswer(
  { files, deps }: Pick<Site, 'deps'> & { files: { store: Pick<MediaStore, 'open'> } },
  send: SendArchive = createSendArchive(),
): ZipAnswer {
  return async (ctx, generations, name) => {
    const now = deps.clock.now();
    const entries = generations.flatMap((each) =>
      deletionOf(each, now).gone ? [] : entriesOf(deps.brand.slug, each),
    );
    const accountId = generations[0]?.accountId ?? '';
    if (entries.length === 0) throw new Refusal('generation_not_found');
    const bytes = Number(predictLength(entries));
    await send(ctx, { accountId, name, contents: contentsOf(files.store, entries), bytes });
  };
}

/** Creates the sending of archives, whose places all pages of a process share. */
export function createSendArchive(): SendArchive {
  const enter = createAnswerPlaces({
    ...limits,
    refuse: () =>
      new Refusal('rate_limited', { message: text('wall.otherDownload'), retryAfterSeconds }),
  });
  return async (ctx, { accountId, name, contents, bytes }) => {
    await enter(ctx.res, accountId);
    const archive = Readable.fromWeb(makeZip(contents));
    const timer = setTimeout(() => ctx.res.destroy(), maxMs).unref();
    ctx.res.once('close', () => {
      clearTimeout(timer);
      archive.destroy();
    });
    ctx.set({
      'Content-Type': 'application/zip',
      'Content-Disposition': `attachment; filename="${name}.zip"`,
      'Cache-Control': 'private, no-store',
    });
    ctx.body = archive;
    if (bytes !== undefined) ctx.length = bytes;
  };
}

const entriesOf = (stem: string, { id, endedAt, outputs }: Zipped): Entry[] =>
  outputs.map(({ bytes, extension, key }, index) => ({
    name: `${stem}-${id}-${index + 1}.${extension}`,
    size: bytes,
    lastModified: endedAt ?? 0,
    key,
  }));

/** Opens the files one after the other. */
async function* contentsOf(files: Pick<MediaStore, 'open'>, entries: readonly Entry[]) {
  for (const { key, ...entry } of entries) {
    const found = await files.open(key);
    if (!found) throw new Error(`a file of the archive is missing: ${key}`);
    try {
      yield { ...entry, input: found.stream };
    } finally {
      found.stream.destroy();
    }
  }
}
