import { Readable } from 'node:stream';
import { makeZip, predictLength } from 'client-zip';
import type { MediaStore } from '../../../application/ports/media.ts';
import type { Generation } from '../../../domain/generation.ts';
import { Refusal } from '../../../domain/refusal.ts';
import type { Site, SiteContext } from './site.ts';

/** Archives that one process writes at a time, and how long one may take, in ms. */
const maxAtOnce = 10;
const maxMs = 15 * 60_000;

/** When to come again after too many at once, in seconds. */
const retryAfterSeconds = 10;

/**
 * Answers all files of a generation as one archive, written while it is read: one at a time for each
 * account. A reader who stops reading, or takes longer than a quarter of an hour, is cut off.
 * @throws Refusal when its files are gone, or another archive is on its way.
 */
export function createZipAnswer({ files, deps }: Pick<Site, 'files' | 'deps'>) {
  const busy = new Set<string>();
  return (ctx: SiteContext, generation: Generation): void => {
    const { id, accountId, outputs, outputsDeletedAt, outputsDeleteAt } = generation;
    const isGone = outputsDeletedAt !== null || (outputsDeleteAt ?? 0) <= deps.clock.now();
    if (outputs.length === 0 || isGone) throw new Refusal('generation_not_found');
    if (busy.has(accountId) || busy.size >= maxAtOnce) {
      throw new Refusal('rate_limited', {
        message: 'Another archive is being loaded. Try again when it is done.',
        retryAfterSeconds,
      });
    }
    const entries = outputs.map(({ bytes, extension }, index) => ({
      name: `framegate-${id}-${index + 1}.${extension}`,
      size: bytes,
    }));
    busy.add(accountId);
    const archive = Readable.fromWeb(makeZip(contentsOf(files, generation, entries)));
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
      'Content-Disposition': `attachment; filename="framegate-${id}.zip"`,
      'Cache-Control': 'private, no-store',
    });
    ctx.body = archive;
    ctx.length = Number(predictLength(entries));
  };
}

/** Each file is opened when its turn comes. */
async function* contentsOf(
  files: Pick<MediaStore, 'open'>,
  { outputs, endedAt }: Generation,
  entries: readonly { name: string; size: number }[],
) {
  for (const [index, { key }] of outputs.entries()) {
    const found = await files.open(key);
    const entry = entries[index];
    if (!found || !entry) throw new Error(`a file of the archive is gone: ${key}`);
    try {
      yield { ...entry, input: found.stream, lastModified: endedAt ?? 0 };
    } finally {
      found.stream.destroy();
    }
  }
}
