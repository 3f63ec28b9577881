import { Readable } from 'node:stream';
import { makeZip, predictLength } from 'client-zip';
import { deletionOf } from '../../../application/generations/presentGeneration.ts';
import type { GenerationView } from '../../../application/ports/generations.ts';
import type { MediaStore } from '../../../application/ports/media.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { text } from '../../../texts/text.ts';
import type { Site, SiteContext } from './site.ts';

/** Concurrent archives per process, and the time limit of one, in ms. */
const maxAtOnce = 10;
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
 * when the client stops reading or takes longer than 15 minutes.
 * @param name The archive's name, without its extension.
 * @throws Refusal if all files are deleted or another archive is running.
 */
export type ZipAnswer = (ctx: SiteContext, generations: readonly Zipped[], name: string) => void;

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
 * Streams an archive, one at a time per account. The connection is closed when the client stops reading or takes longer
 * than 15 minutes.
 * @throws Refusal if another archive is running.
 */
export type SendArchive = (ctx: SiteContext, archive: Archive) => void;

/** Creates the answer shared by all pages of a process. */
export function createZipAnswer(
  { files, deps }: Pick<Site, 'deps'> & { files: { store: Pick<MediaStore, 'open'> } },
  send: SendArchive = createSendArchive(),
): ZipAnswer {
  return (ctx, generations, name) => {
    const now = deps.clock.now();
    const entries = generations.flatMap((each) =>
      deletionOf(each, now).gone ? [] : entriesOf(deps.brand.slug, each),
    );
    const accountId = generations[0]?.accountId ?? '';
    if (entries.length === 0) throw new Refusal('generation_not_found');
    const bytes = Number(predictLength(entries));
    send(ctx, { accountId, name, contents: contentsOf(files.store, entries), bytes });
  };
}

/** Creates the sending of archives, whose places all pages of a process share. */
export function createSendArchive(): SendArchive {
  const busy = new Set<string>();
  return (ctx, { accountId, name, contents, bytes }) => {
    if (busy.has(accountId) || busy.size >= maxAtOnce) {
      throw new Refusal('rate_limited', {
        message: text('wall.otherDownload'),
        retryAfterSeconds,
      });
    }
    busy.add(accountId);
    const archive = Readable.fromWeb(makeZip(contents));
    const timer = setTimeout(() => ctx.res.destroy(), maxMs).unref();
    const end = () => {
      clearTimeout(timer);
      busy.delete(accountId);
      archive.destroy();
    };
    if (ctx.res.closed) end();
    else ctx.res.once('close', end);
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
