import { Readable } from 'node:stream';
import { makeZip, predictLength } from 'client-zip';
import type { MediaStore } from '@framegate/media';
import { deletionOf } from '../../../../application/generations/presentGeneration.ts';
import type { GenerationView } from '../../../../application/ports/generations.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import type { Site, SiteContext } from '../site.ts';

/** Time limit of an archive, in ms. */
const maxMs = 15 * 60_000;

type Zipped = Pick<
  GenerationView,
  'id' | 'endedAt' | 'outputs' | 'outputsDeleteAt' | 'outputsDeletedAt'
>;

/** A file of an archive and its key in the media store. */
interface Entry {
  name: string;
  size: number;
  lastModified: number;
  key: string;
}

/**
 * Streams all files of generations as one archive.
 * @param name The archive's name, without its extension.
 * @throws Refusal if all files are deleted.
 */
export type ZipAnswer = (ctx: SiteContext, generations: readonly Zipped[], name: string) => void;

/** Creates the answer shared by all pages of a process. */
export function createZipAnswer({ deps }: Pick<Site, 'deps'>): ZipAnswer {
  return (ctx, generations, name) => {
    const now = deps.clock.now();
    const entries = generations.flatMap((each) =>
      deletionOf(each, now).gone ? [] : entriesOf(deps.brand.slug, each),
    );
    if (entries.length === 0) throw new Refusal('generation_not_found');
    const bytes = Number(predictLength(entries));
    sendArchive(ctx, { name, contents: contentsOf(deps.media, entries), bytes });
  };
}

/** An archive to be sent. */
export interface Archive {
  /** Without its extension. */
  name: string;
  /** Read one after the other, while the client takes them. */
  contents: Parameters<typeof makeZip>[0];
  /** In bytes, if it is known. */
  bytes?: number;
}

/**
 * Streams an archive. The connection is closed when the client reads too slowly or takes longer than 15 minutes. Its
 * route is an `export`.
 */
export function sendArchive(ctx: SiteContext, { name, contents, bytes }: Archive): void {
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
