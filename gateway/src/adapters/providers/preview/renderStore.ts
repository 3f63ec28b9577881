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
import type { InputFile, RenderResult, RenderSpec } from './renderSpec.ts';

/** A claim whose file was not touched for this long belongs to a process that is gone, ms. */
const CLAIM_STALE_MS = 10_000;
/** How long a finished render is kept once its result was handed over, ms. */
const COLLECTED_KEPT_MS = 60 * 60 * 1000;
/** How long anything else is kept, ms: longer than every deadline of a generation (design section 4). */
const UNCOLLECTED_KEPT_MS = 24 * 60 * 60 * 1000;

/** The right to render a request, held by one process at a time. */
export type Claim = {
  readonly renderId: string;
  readonly file: string;
  /** Where this claim's holder writes its files; another holder never writes there. */
  readonly outputFolder: string;
};

export type RenderStore = ReturnType<typeof createRenderStore>;

/**
 * The requests and results of the renderer in a folder that several processes and restarts may share:
 * one folder per request, with `spec.json`, the input files, `claim-<n>`, and in the end
 * `result.json`. A claim is made by creating the next number exclusively and kept by touching it;
 * so of several processes exactly one takes over from a dead one.
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

  /** Whether the holder of this claim is alive. */
  async function isFresh(renderId: string, claim: number): Promise<boolean> {
    const touched = await modifiedAt(inside(renderId, `claim-${String(claim)}`));
    return touched !== null && now() - touched < CLAIM_STALE_MS;
  }

  return {
    folderOf,

    /** Keeps a request. It is there whole or not at all. */
    async add(renderId: string, spec: RenderSpec, files: readonly InputFile[]): Promise<void> {
      if (!isRenderId(renderId)) throw new Error('not an id for a render');
      // The dot keeps a half-written request from ever being taken for an id.
      const draft = path.join(workDir, `.new-${renderId}`);
      await mkdir(draft, { recursive: true, mode: 0o700 });
      for (const { name, data } of files) await writeFile(path.join(draft, name), data);
      await writeFile(path.join(draft, 'spec.json'), JSON.stringify(spec));
      await rename(draft, folderOf(renderId));
    },

    /** Whether there is such a request. Ids come back from storage, so anything odd is a no. */
    async has(renderId: string): Promise<boolean> {
      return isRenderId(renderId) && (await exists(inside(renderId, 'spec.json')));
    },

    /** What the render came to, or null while it is not over. */
    async result(renderId: string): Promise<RenderResult | null> {
      const text = await readText(inside(renderId, 'result.json'));
      return text === null ? null : (JSON.parse(text) as RenderResult);
    },

    /**
     * Ends a render with files in the claim's output folder, and returns the result with their names in
     * the request's folder. The last writer wins, which is harmless: equal specs give equal pictures.
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

    /** The bytes of a result's file. */
    async readResultFile(renderId: string, name: string): Promise<Uint8Array> {
      return readFile(inside(renderId, name));
    },

    /** Notes that the result was handed over, so that it need not be kept for long. */
    async markCollected(renderId: string): Promise<void> {
      await writeFile(inside(renderId, 'collected'), '', { flag: 'a' });
      await touch(inside(renderId, 'collected'), now());
    },

    /** Whether a live process holds the request. */
    async isClaimed(renderId: string): Promise<boolean> {
      return isFresh(renderId, await newestClaim(renderId));
    },

    /** Takes the request, or null when a live process holds it or was quicker. */
    async claim(renderId: string): Promise<Claim | null> {
      // One look at the numbers: with a second one, the next after a quicker one's would be free, too.
      const newest = await newestClaim(renderId);
      if (await isFresh(renderId, newest)) return null;
      const next = newest + 1;
      const file = inside(renderId, `claim-${String(next)}`);
      // Linked in place when its time is set: nobody ever sees a claim that looks stale already.
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

    /** Says that the holder of a claim is alive; to be called well within the stale time. */
    async keepClaim(claim: Claim): Promise<void> {
      await touch(claim.file, now());
    },

    /** Gives a claim back before its render is over, so that nobody has to wait for it to go stale. */
    async releaseClaim(claim: Claim): Promise<void> {
      await rm(claim.outputFolder, { recursive: true, force: true });
      await unlink(claim.file).catch(ignoreMissing);
    },

    /** Counts one more crash of the child on this request, and returns how many there were. */
    async countCrash(renderId: string): Promise<number> {
      await writeFile(inside(renderId, 'crashes'), '.', { flag: 'a' });
      return (await readText(inside(renderId, 'crashes')))?.length ?? 0;
    },

    async remove(renderId: string): Promise<void> {
      await rm(folderOf(renderId), { recursive: true, force: true });
    },

    /** Deletes what nobody can still want: collected results after an hour, the rest after a day. */
    async sweep(): Promise<number> {
      let removed = 0;
      for (const name of await readdir(workDir).catch(() => [])) {
        const folder = path.join(workDir, name);
        const collected = await modifiedAt(path.join(folder, 'collected'));
        const since = collected ?? (await modifiedAt(folder));
        const kept = collected === null ? UNCOLLECTED_KEPT_MS : COLLECTED_KEPT_MS;
        if (!isRenderId(name.replace(/^\.new-/, '')) || since === null || now() - since < kept)
          continue;
        await rm(folder, { recursive: true, force: true });
        removed += 1;
      }
      return removed;
    },
  };
}

/** Letters, digits, `_` and `-`: an id can name no other folder than its own. */
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
