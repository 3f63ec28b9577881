import { randomUUID } from 'node:crypto';
import {
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { dayMs, hourMs } from '@framegate/contract/durations';
import { errorCodeOf } from '@framegate/contract/text';
import type { PictureFile, RenderResult, RenderSpec } from './spec.ts';

/** Age at which a lease is stale because its process has ended, in ms. */
const leaseMs = 10_000;
/** Retention of a render after its result was collected, in ms. */
const collectedKeptMs = hourMs;
/** Retention of all other renders, in ms: longer than a caller waits for a video. */
const uncollectedKeptMs = dayMs;

/** The right to render a request, held by one process at a time. */
export interface Lease {
  renderId: string;
  file: string;
  /** Output folder of this lease only. */
  outputFolder: string;
}

/** The stored requests and results of renders. */
export type RenderStore = ReturnType<typeof createRenderStore>;

/**
 * Stores requests and results in a folder that several processes may share and that survives restarts. Each
 * request is a folder with `spec.json`, the input files, `lease-<n>` and finally `result.json`. A process takes the
 * lease by exclusively creating the file with the next number and renews it by touching the file, so exactly one
 * process takes over from a dead one.
 */
export function createRenderStore(options: { workDir: string; now: () => number }) {
  const { workDir, now } = options;
  const folderOf = (renderId: string) => join(workDir, renderId);
  const inside = (renderId: string, name: string) => join(workDir, renderId, name);

  /** Number of the newest lease, or 0. */
  async function findNewestLease(renderId: string): Promise<number> {
    const names = await readdir(folderOf(renderId)).catch(() => []);
    return Math.max(0, ...names.map((name) => Number(/^lease-(\d+)$/.exec(name)?.[1] ?? 0)));
  }

  /** Whether this lease was renewed recently. */
  async function isFresh(renderId: string, lease: number): Promise<boolean> {
    const touched = await readModifiedAt(inside(renderId, `lease-${lease}`));
    return touched !== null && now() - touched < leaseMs;
  }

  return {
    folderOf,

    /** Stores a request atomically. */
    async add(renderId: string, spec: RenderSpec, files: readonly PictureFile[]): Promise<void> {
      if (!isRenderId(renderId)) throw new Error('not an id for a render');
      // Ids contain no dot, so a partly written request is never found.
      const draft = join(workDir, `.new-${renderId}`);
      await mkdir(draft, { recursive: true, mode: 0o700 });
      for (const { name, data } of files) await writeFile(join(draft, name), data);
      await writeFile(join(draft, 'spec.json'), JSON.stringify(spec));
      await rename(draft, folderOf(renderId));
    },

    /** Whether the request exists; false for invalid ids. */
    async has(renderId: string): Promise<boolean> {
      return isRenderId(renderId) && (await doesExist(inside(renderId, 'spec.json')));
    },

    /** Outcome of the render, or null if unfinished. */
    async findResult(renderId: string): Promise<RenderResult | null> {
      const text = await readText(inside(renderId, 'result.json'));
      return text === null ? null : (JSON.parse(text) as RenderResult);
    },

    /**
     * Stores a result whose files are in the lease's output folder, and returns it with their names in the
     * request's folder. The last writer wins, which is harmless because equal specs produce equal pictures.
     */
    async finish(lease: Lease, result: RenderResult): Promise<RenderResult> {
      const folder = basename(lease.outputFolder);
      const stored: RenderResult = result.ok
        ? { ok: true, files: result.files.map((name) => join(folder, basename(name))) }
        : result;
      const draft = join(lease.outputFolder, 'result.tmp');
      await writeFile(draft, JSON.stringify(stored));
      await rename(draft, inside(lease.renderId, 'result.json'));
      return stored;
    },

    async readResultFile(renderId: string, name: string): Promise<Uint8Array> {
      return readFile(inside(renderId, name));
    },

    /** Marks the result as collected; it is deleted an hour later. */
    async markCollected(renderId: string): Promise<void> {
      await writeFile(inside(renderId, 'collected'), '', { flag: 'a' });
      await touch(inside(renderId, 'collected'), now());
    },

    /** Whether a live process is rendering the request. */
    async isLeased(renderId: string): Promise<boolean> {
      return isFresh(renderId, await findNewestLease(renderId));
    },

    /** Leases the request; null if a live process has it. */
    async acquireLease(renderId: string): Promise<Lease | null> {
      // Reads the numbers once: after a second read, the number after a faster process's lease would be free.
      const newest = await findNewestLease(renderId);
      if (await isFresh(renderId, newest)) return null;
      const next = newest + 1;
      const file = inside(renderId, `lease-${next}`);
      // Linked after its time is set, so that a new lease never looks stale.
      const draft = inside(renderId, `draft-${randomUUID()}`);
      await writeFile(draft, '');
      await touch(draft, now());
      const isTaken = await linkExclusively(draft, file);
      await unlink(draft);
      if (!isTaken) return null;
      const outputFolder = inside(renderId, `out-${next}`);
      await mkdir(outputFolder, { recursive: true });
      return { renderId, file, outputFolder };
    },

    /** Renews a lease; must be called well within the stale time. */
    async renewLease(lease: Lease): Promise<void> {
      await touch(lease.file, now());
    },

    /** Releases a lease without a result, so that the next process can take it immediately. */
    async releaseLease(lease: Lease): Promise<void> {
      await rm(lease.outputFolder, { recursive: true, force: true });
      await unlink(lease.file).catch(ignoreMissing);
    },

    /** Counts a crash of the child and returns the total for this request. */
    async countCrash(renderId: string): Promise<number> {
      await writeFile(inside(renderId, 'crashes'), '.', { flag: 'a' });
      return (await readText(inside(renderId, 'crashes')))?.length ?? 0;
    },

    async remove(renderId: string): Promise<void> {
      await rm(folderOf(renderId), { recursive: true, force: true });
    },

    /** Deletes collected results after an hour and others after a day. @returns Number of deleted renders. */
    async sweep(): Promise<number> {
      let removed = 0;
      for (const name of await readdir(workDir).catch(() => [])) {
        const folder = join(workDir, name);
        const collected = await readModifiedAt(join(folder, 'collected'));
        const since = collected ?? (await readModifiedAt(folder));
        const keptMs = collected === null ? uncollectedKeptMs : collectedKeptMs;
        if (!isRenderId(name.replace(/^\.new-/, '')) || since === null || now() - since < keptMs) {
          continue;
        }
        await rm(folder, { recursive: true, force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

/** True for a valid id: letters, digits, `_` and `-`, which cannot escape the folder. */
export function isRenderId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value);
}

async function linkExclusively(existing: string, file: string): Promise<boolean> {
  try {
    await link(existing, file);
    return true;
  } catch (error) {
    if (errorCodeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function touch(file: string, at: number): Promise<void> {
  await utimes(file, at / 1000, at / 1000);
}

async function readModifiedAt(file: string): Promise<number | null> {
  return stat(file).then(({ mtimeMs }) => mtimeMs, ignoreMissing);
}

async function doesExist(file: string): Promise<boolean> {
  return (await readModifiedAt(file)) !== null;
}

async function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(ignoreMissing);
}

function ignoreMissing(error: unknown): null {
  if (errorCodeOf(error) === 'ENOENT') return null;
  throw error;
}
