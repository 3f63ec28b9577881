import { randomUUID } from 'node:crypto';
import { link, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ChildLimits } from './childLimits.ts';
import type { ManifestSigner } from './manifestSigner.ts';
import {
  type ChildEnd,
  flagsFor,
  type MediaChild,
  runMediaChild,
  startMediaChild,
} from './mediaChild.ts';
import type { MediaTask } from './mediaTask.ts';
import { ifMissing } from './tempFiles.ts';

/** Runs tasks in reusable children. */
export interface MediaPool {
  /**
   * Performs a task. The caller limits concurrent tasks to the slots of the pool.
   * @param owner Files of different owners never share a child.
   * @throws Error if a child could not be started; the signal's reason if aborted.
   */
  run(
    task: MediaTask,
    owner: string,
    signal: AbortSignal,
    signer?: ManifestSigner,
  ): Promise<ChildEnd>;
}

/** When children are replaced, and how they are started. */
export interface PoolOptions {
  /** Number of files after which a child is replaced. */
  maxFiles: number;
  /** Idle time after which a child ends, in ms. */
  idleMs: number;
  start: typeof startMediaChild;
}

const usual: PoolOptions = { maxFiles: 50, idleMs: 30_000, start: startMediaChild };

type Child = MediaChild & {
  /** Folder of its current file, the only one that it may read and write. It exists only during a task. */
  room: string;
  /** Children with the same key have the same owner and permissions. */
  key: string;
};

/**
 * Creates a pool of children for files with the same limits: starting a child takes most of the processor time of a
 * file. A child is replaced after some files and after any failure. A failure counts only if the child was new:
 * otherwise an earlier file may have caused it, and a new child performs the task again. That child has the limits of a
 * single task; in a used child they cover all its files.
 * @param limitsOf The limits of a task, equal for tasks that need the same permissions.
 * @param slots Maximum children, busy or idle.
 */
export function createMediaPool(
  limitsOf: (task: MediaTask) => ChildLimits,
  slots: number,
  { maxFiles, idleMs, start }: PoolOptions = usual,
): MediaPool {
  const idle: { child: Child; timer: NodeJS.Timeout }[] = [];
  let busy = 0;

  function take(task: MediaTask, owner: string): Child {
    const parent = dirname(dirname(task.path));
    const key = [owner, ...flagsFor(task, parent)].join(' ');
    const index = idle.findLastIndex(({ child }) => child.key === key && !child.isOver);
    const [entry] = index === -1 ? [] : idle.splice(index, 1);
    if (entry) {
      clearTimeout(entry.timer);
      return entry.child;
    }
    while (idle.length > 0 && idle.length > slots - busy) retire(0);
    const room = join(parent, `room-${randomUUID()}`);
    return Object.assign(start(flagsFor(task, room), limitsOf(task)), { room, key });
  }

  function retire(index: number): void {
    const [entry] = idle.splice(index, 1);
    clearTimeout(entry?.timer);
    entry?.child.end();
  }

  function release(child: Child): void {
    const timer = setTimeout(() => {
      retire(idle.findIndex((each) => each.child === child));
    }, idleMs).unref();
    idle.push({ child, timer });
  }

  return {
    async run(task, owner, signal, signer) {
      busy += 1;
      try {
        const child = take(task, owner);
        const wasUsed = child.files > 0;
        const isLast = child.files + 1 >= maxFiles;
        const end = await runInRoom(child, task, { signal, isLast, signer });
        const response = end?.kind === 'answered' ? end.response : null;
        const isDone = response !== null && 'ok' in response && response.ok;
        const isSound = isDone && response.isSpent !== true && response.noPosters === undefined;
        if (isSound && child.files < maxFiles) release(child);
        else child.end();
        if (end && (isDone || !wasUsed)) return end;
        return await runMediaChild(task, limitsOf(task), signal, signer);
      } finally {
        busy -= 1;
      }
    },
  };
}

/**
 * Links the task's file into the child's room, and collects the files made there.
 * @returns Null if it cannot be linked.
 */
async function runInRoom(
  child: Child,
  task: MediaTask,
  {
    signal,
    isLast,
    signer,
  }: { signal: AbortSignal; isLast: boolean; signer: ManifestSigner | undefined },
): Promise<ChildEnd | null> {
  const { room } = child;
  type Moves = [from: string, to: string][];
  const [outputMoves, posterMoves]: [Moves, Moves] = [[], []];
  const inRoom = (path: string, list = outputMoves) => {
    const from = join(room, `made-${outputMoves.length + posterMoves.length}`);
    list.push([from, path]);
    return from;
  };
  const path = join(room, 'file');
  const own = { ...task, path };
  if ('target' in own) own.target = inRoom(own.target);
  if ('preview' in own) own.preview = inRoom(own.preview);
  if ('targets' in own) {
    own.targets = own.targets.map((target) => ({ ...target, path: inRoom(target.path) }));
  }
  if ('posters' in own) {
    own.posters = own.posters.map((target) => ({
      ...target,
      path: inRoom(target.path, posterMoves),
    }));
  }
  try {
    await mkdir(room, { mode: 0o700 });
    // Not every file system has links.
    const isLent = await link(task.path, path).then(
      () => true,
      () => false,
    );
    if (!isLent) return null;
    const end = await child.run(own, signal, isLast ? 'last' : undefined, signer);
    if (end.kind === 'answered' && 'ok' in end.response && end.response.ok) {
      const finished =
        end.response.posters === true ? [...outputMoves, ...posterMoves] : outputMoves;
      // A customer's file may already be as it should be, and is then not made.
      for (const [from, to] of finished) await rename(from, to).catch(ifMissing(undefined));
    }
    return end;
  } catch (error) {
    child.end();
    throw error;
  } finally {
    await rm(room, { recursive: true, force: true });
  }
}
