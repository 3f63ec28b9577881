import { randomUUID } from 'node:crypto';
import {
  link,
  mkdir,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import type { InputFile, RenderResult, RenderSpec } from './spec.ts';

/** A claim that was not renewed for this long belongs to a process that has ended, ms. */
const claimStaleMs = 10_000;
/** How long a finished render is kept after its result was collected, ms. */
const collectedKeptMs = 60 * 60 * 1000;
/** How long anything else is kept, ms: longer than a caller waits for a video. */
const uncollectedKeptMs = 24 * 60 * 60 * 1000;

/** The right to render a request, held by one process at a time. */
export type Claim = {
  readonly renderId: string;
  readonly file: string;
  /** Folder that only this claim's holder writes to. */
  readonly outputFolder: string;
};

export type RenderStore = ReturnType<typeof createRenderStore>;

/**
 * The requests and results of the renderer in a folder that several processes and restarts may share:
 * one folder per request, with `spec.json`, the input files, `claim-<n>`, and in the end
 * `result.json`. A claim is a lease: a process takes it by creating the file of the next number
 * exclusively, and renews it by touching that file. So exactly one process takes over from a dead one.
 */
export function createRenderStore(options: {
  readonly workDir: string;
  readonly now: () => number;
}) {
  const { workDir, now } = options;
  const folderOf = (renderId: string) => path.join(workDir, renderId);
  const inside = (renderId: string, name: string) => path.join(workDir, renderId, name);

  /** The number of the newest claim; 0 when there is none. */
  async function newestClaim(renderId: string): Promise<number> {
    const names = await readdir(folderOf(renderId)).catch(() => []);
    return Math.max(0, ...names.map((name) => Number(/^claim-(\d+)$/.exec(name)?.[1] ?? 0)));
  }

  /** Whether this claim was renewed lately. */
  async function isFresh(renderId: string, claim: number): Promise<boolean> {
    const touched = await modifiedAt(inside(renderId, `claim-${String(claim)}`));
    return touched !== null && now() - touched < claimStaleMs;
  }

  return {
    folderOf,

    /** Stores a request, all of it or nothing. */
    async add(renderId: string, spec: RenderSpec, files: readonly InputFile[]): Promise<void> {
      if (!isRenderId(renderId)) throw new Error('not an id for a render');
      // No id has a dot: a half-written request is never found.
      const draft = path.join(workDir, `.new-${renderId}`);
      await mkdir(draft, { recursive: true, mode: 0o700 });
      for (const { name, data } of files) await writeFile(path.join(draft, name), data);
      await writeFile(path.join(draft, 'spec.json'), JSON.stringify(spec));
      await rename(draft, folderOf(renderId));
    },

    /** Whether there is such a request; false for anything that is no id. */
    async has(renderId: string): Promise<boolean> {
      return isRenderId(renderId) && (await exists(inside(renderId, 'spec.json')));
    },

    /** The outcome of the render, or null while it has none. */
    async result(renderId: string): Promise<RenderResult | null> {
      const text = await readText(inside(renderId, 'result.json'));
      return text === null ? null : (JSON.parse(text) as RenderResult);
    },

    /**
     * Stores the result of a render, whose files are in the claim's output folder, and returns it with
     * their names in the request's folder. The last writer wins: equal specs give equal pictures.
     */
    async finish(claim: Claim, result: RenderResult): Promise<RenderResult> {
      const folder = path.basename(claim.outputFolder);
      const kept: RenderResult = result.ok
        ? { ok: true, files: result.files.map((name) => path.join(folder, path.basename(name))) }
        : result;
      const draft = path.join(claim.outputFolder, 'result.tmp');
      await writeFile(draft, JSON.stringify(kept));
      await rename(draft, inside(claim.renderId, 'result.json'));
      return kept;
    },

    async readResultFile(renderId: string, name: string): Promise<Uint8Array> {
      return readFile(inside(renderId, name));
    },

    /** Notes that the result was collected: from now on it is kept for an hour. */
    async markCollected(renderId: string): Promise<void> {
      await writeFile(inside(renderId, 'collected'), '', { flag: 'a' });
      await touch(inside(renderId, 'collected'), now());
    },

    /** Whether a live process renders the request. */
    async isClaimed(renderId: string): Promise<boolean> {
      return isFresh(renderId, await newestClaim(renderId));
    },

    /** Takes the request; null when a live process has it. */
    async claim(renderId: string): Promise<Claim | null> {
      // The numbers are read once: read again, the one after a faster process's claim would be free, too.
      const newest = await newestClaim(renderId);
      if (await isFresh(renderId, newest)) return null;
      const next = newest + 1;
      const file = inside(renderId, `claim-${String(next)}`);
      // Linked in place after its time is set: no process sees a claim that looks stale from the start.
      const draft = inside(renderId, `draft-${randomUUID()}`);
      await writeFile(draft, '');
      await touch(draft, now());
      const taken = await linkExclusively(draft, file);
      await unlink(draft);
      if (!taken) return null;
      const outputFolder = inside(renderId, `out-${String(next)}`);
      await mkdir(outputFolder, { recursive: true });
      return { renderId, file, outputFolder };
    },

    /** Renews a claim; to be called well within the stale time. */
    async renewClaim(claim: Claim): Promise<void> {
      await touch(claim.file, now());
    },

    /** Gives a claim back without a result, so that the next process need not wait until it is stale. */
    async releaseClaim(claim: Claim): Promise<void> {
      await rm(claim.outputFolder, { recursive: true, force: true });
      await unlink(claim.file).catch(ignoreMissing);
    },

    /** Counts one more crash of the child on this request, and returns their number. */
    async countCrash(renderId: string): Promise<number> {
      await writeFile(inside(renderId, 'crashes'), '.', { flag: 'a' });
      return (await readText(inside(renderId, 'crashes')))?.length ?? 0;
    },

    async remove(renderId: string): Promise<void> {
      await rm(folderOf(renderId), { recursive: true, force: true });
    },

    /** Deletes collected results after an hour and the rest after a day; returns the number deleted. */
    async sweep(): Promise<number> {
      let removed = 0;
      for (const name of await readdir(workDir).catch(() => [])) {
        const folder = path.join(workDir, name);
        const collected = await modifiedAt(path.join(folder, 'collected'));
        const since = collected ?? (await modifiedAt(folder));
        const kept = collected === null ? uncollectedKeptMs : collectedKeptMs;
        if (!isRenderId(name.replace(/^\.new-/, '')) || since === null || now() - since < kept)
          continue;
        await rm(folder, { recursive: true, force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

/** Whether this is an id: letters, digits, `_` and `-` can name no other folder than its own. */
export function isRenderId(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9_-]{1,64}$/.test(value);
}

async function linkExclusively(existing: string, file: string): Promise<boolean> {
  try {
    await link(existing, file);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

async function touch(file: string, at: number): Promise<void> {
  await utimes(file, at / 1000, at / 1000);
}

async function modifiedAt(file: string): Promise<number | null> {
  return stat(file).then(({ mtimeMs }) => mtimeMs, ignoreMissing);
}

async function exists(file: string): Promise<boolean> {
  return (await modifiedAt(file)) !== null;
}

async function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').catch(ignoreMissing);
}

function ignoreMissing(error: unknown): null {
  if (isCode(error, 'ENOENT')) return null;
  throw error;
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
