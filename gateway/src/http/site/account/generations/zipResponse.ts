import { Readable } from 'node:stream';
import { makeZip, predictLength } from 'client-zip';
import { minuteMs } from '@framegate/contract';
import { listInStretches, yieldInStretches } from '@framegate/limits';
import type { MediaStore } from '@framegate/media';
import { removalOf } from '../../../../application/generations/presentGeneration.ts';
import type { GenerationView } from '../../../../application/ports/generations.ts';
import {
  archiveContents,
  type ArchivedFile,
  archivedFiles,
  type ArchivedGeneration,
  maxArchiveBytes,
  maxArchiveFiles,
} from '../../../../domain/generations/archive.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { formatBytes, formatNumber } from '../../../pages/html.ts';
import type { Site, SiteContext } from '../site.ts';

/** Time limit of an archive, in ms. */
const maxMs = 15 * minuteMs;

type ZippedGeneration = ArchivedGeneration &
  Pick<GenerationView, 'outputsRemoveAt' | 'outputsRemovedAt'>;

/**
 * Streams all files of generations as one archive, with a list of its contents.
 * @param name The archive's name, without its extension.
 * @throws Refusal if all files are deleted, or if they are too many or too large for an archive.
 */
export type ZipResponse = (
  ctx: SiteContext,
  generations: readonly ZippedGeneration[],
  name: string,
) => Promise<void>;

/** Creates the response shared by all pages of a process. */
export function createZipResponse({
  deps,
  modelName,
}: Pick<Site, 'deps' | 'modelName'>): ZipResponse {
  return async (ctx, generations, name) => {
    const nowMs = deps.clock.now();
    const available = generations.filter((each) => !removalOf(each, nowMs).isRemoved);
    const files = await listInStretches(archivedFiles(available, deps.brand.slug));
    if (files.length === 0) throw new Refusal('generation_not_found');
    requireBounds(files);
    const lines = await listInStretches(archiveContents(files, modelName));
    const list = Buffer.from(lines.join(''));
    const contents = { name: 'contents.csv', size: list.length, lastModified: nowMs };
    const bytes = Number(predictLength([contents, ...files]));
    sendArchive(ctx, {
      name,
      contents: readContents(deps.media, { ...contents, list }, files),
      bytes,
    });
  };
}

/** @throws Refusal if these are too many or too large for one archive. */
function requireBounds(files: readonly ArchivedFile[]): void {
  const bytes = files.reduce((total, { size }) => total + size, 0);
  if (bytes <= maxArchiveBytes && files.length <= maxArchiveFiles) return;
  throw new Refusal('archive_too_large', {
    values: {
      files: formatNumber(files.length),
      size: formatBytes(bytes),
      mostFiles: formatNumber(maxArchiveFiles),
      max: formatBytes(maxArchiveBytes),
    },
  });
}

/** An archive to be sent. */
export interface Archive {
  /** File name without its extension. */
  name: string;
  /** Files, read one after the other as the client takes them. */
  contents: Parameters<typeof makeZip>[0];
  /** Size in bytes, if it is known. */
  bytes?: number;
}

/**
 * Streams an archive. The connection is closed when the client reads too slowly or takes longer than 15 minutes. Its
 * route is an `export`.
 */
export function sendArchive(ctx: SiteContext, { name, contents, bytes }: Archive): void {
  const archive = Readable.from(yieldInStretches(makeZip(contents)), { objectMode: false });
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

/** The list, then the files, which are opened one after the other. */
async function* readContents(
  store: Pick<MediaStore, 'open'>,
  { list, ...entry }: { name: string; lastModified: number; list: Buffer },
  files: readonly ArchivedFile[],
) {
  yield { ...entry, input: list };
  for (const { name, size, lastModified, key } of files) {
    const file = await store.open(key);
    if (!file) throw new Error(`a file of the archive is missing: ${key}`);
    try {
      yield { name, size, lastModified, input: file.stream };
    } finally {
      file.stream.destroy();
    }
  }
}
