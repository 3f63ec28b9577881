import { join } from 'node:path';
import { type Log, minuteMs } from '@framegate/contract';
import { createKeyedLimiter } from '@framegate/limits';
import { posterLimits } from './childLimits.ts';
import type { MakePosters, OutputFileLimits, PosterOptions } from './media.ts';
import { createMediaPool } from './mediaPool.ts';
import { mediaSlots } from './mediaSlots.ts';
import type { MediaStore } from './mediaStore.ts';
import type { PostersResult, PosterTarget } from './mediaTask.ts';
import { readFileLazily, receiveFile, withTempFolder } from './tempFiles.ts';

/** Maximum size of a poster. */
const maxBytes = 1_000_000;

const tooMany = 'too many results at once';

/** A separate limiter: posters wait only for a few other posters. */
const limiter = createKeyedLimiter({
  maxInAll: mediaSlots.posters,
  maxPerKey: mediaSlots.posters,
  queue: { max: 6, refuse: () => new Error(tooMany) },
});

/** Missed posters are made one after the other, in parallel to those of new results. */
const later = createKeyedLimiter({ maxInAll: 1, maxPerKey: 1 });
/** Time limit for the posters of a stored result, including reading it, in ms. */
const laterMs = minuteMs;

/** No posters can be drawn of the file. */
class UndrawableError extends Error {
  override readonly name = 'UndrawableError';
}

/** A finished local file from which posters are drawn. */
export interface PosterSource {
  path: string;
  type: 'image' | 'video';
  maxPixels: number;
  /** Folder for the posters; the caller removes it. */
  folder: string;
}

/** Paths of a file's drawn posters, not yet stored, in the order of `sizes`. */
export type DrawnPosters = readonly string[];

/** Draws and stores posters of results. Best effort: no call throws or is retried. */
export interface PosterMaker {
  /** The posters of such a result, drawn into this folder; null if there are none. */
  targets(type: PosterSource['type'], folder: string): PosterTarget[] | null;
  /** The posters requested from the child that finished the result; null if it did not draw them, which is logged. */
  drawnWith(result: PostersResult, targets: readonly PosterTarget[]): DrawnPosters | null;
  /** Draws them in a child process; null on failure or timeout. */
  draw(source: PosterSource, signal: AbortSignal): Promise<DrawnPosters | null>;
  /** Stores them next to the output with this key. @returns Whether all were stored. */
  store(outputKey: string, drawn: DrawnPosters, signal: AbortSignal): Promise<boolean>;
  /** Makes the posters of an output stored without them. */
  make: MakePosters;
}

/**
 * Creates the poster maker of one store.
 * @param maxMs Longest delay of a generation's end for drawing its posters, and again for storing them.
 */
export function createPosterMaker(
  deps: {
    store: MediaStore;
    log: Pick<Log, 'warn'>;
    tempFolder: string;
    maxPixels: number;
    maxBytes: OutputFileLimits;
  },
  { types, sizes }: PosterOptions,
  maxMs = posterLimits.wallMs,
): PosterMaker {
  const pool = createMediaPool(() => ({ ...posterLimits, wallMs: maxMs }), mediaSlots.posters);
  const tryBestEffort = async <T>(
    signal: AbortSignal,
    none: T,
    work: (limited: AbortSignal) => Promise<T>,
  ): Promise<T> => {
    try {
      return await work(AbortSignal.any([signal, AbortSignal.timeout(maxMs)]));
    } catch (error) {
      deps.log.warn({ error }, 'result has no poster');
      return none;
    }
  };
  const targetsIn = (folder: string) =>
    sizes.map(({ width }) => ({ width, path: join(folder, `${width}`) }));
  const pathsOf = (targets: readonly PosterTarget[]) => targets.map(({ path }) => path);
  async function drawAll(source: PosterSource, limited: AbortSignal): Promise<DrawnPosters> {
    const { path, type, maxPixels, folder } = source;
    const targets = targetsIn(folder);
    const task = { task: 'drawPosters', path, type, targets, maxPixels } as const;
    const end = await limiter.run(type, () => pool.run(task, 'providers', limited), limited);
    if (end.kind !== 'answered') throw new Error(end.kind);
    if ('fault' in end.response) throw new Error(end.response.fault);
    if (!end.response.ok) throw new UndrawableError(end.response.reason);
    return pathsOf(targets);
  }
  async function storeAll(outputKey: string, drawn: DrawnPosters, limited: AbortSignal) {
    const options = { contentType: 'image/webp', maxBytes, signal: limited };
    for (const [index, { posterKey }] of sizes.entries()) {
      const path = drawn[index] ?? '';
      await deps.store.put(posterKey(outputKey), readFileLazily(path), options);
    }
  }
  return {
    targets: (type, folder) => (types.includes(type) ? targetsIn(folder) : null),
    drawnWith({ posters, noPosters = tooMany }, targets) {
      if (posters === true) return pathsOf(targets);
      deps.log.warn({ error: new Error(noPosters) }, 'result has no poster');
      return null;
    },
    async draw({ path, type, maxPixels, folder }, signal) {
      if (!types.includes(type)) return null;
      return tryBestEffort(signal, null, (limited) =>
        drawAll({ path, type, maxPixels, folder }, limited),
      );
    },
    store: (outputKey, drawn, signal) =>
      tryBestEffort(signal, false, async (limited) => {
        await storeAll(outputKey, drawn, limited);
        return true;
      }),
    async make(outputKey, type, signal) {
      if (!types.includes(type)) return 'impossible';
      const limited = AbortSignal.any([signal, AbortSignal.timeout(laterMs)]);
      const work = async (folder: string) => {
        const file = await deps.store.open(outputKey);
        if (!file) throw new UndrawableError('its file is gone');
        const path = join(folder, 'finished');
        await receiveFile(path, file.stream, { maxBytes: deps.maxBytes[type], signal: limited });
        const source = { path, type, maxPixels: deps.maxPixels, folder };
        await storeAll(outputKey, await drawAll(source, limited), limited);
      };
      try {
        await later.run('', () => withTempFolder(deps.tempFolder, work), limited);
        return 'made';
      } catch (error) {
        deps.log.warn({ error, key: outputKey }, 'failed to create the poster of a result again');
        return error instanceof UndrawableError ? 'impossible' : 'missed';
      }
    },
  };
}
