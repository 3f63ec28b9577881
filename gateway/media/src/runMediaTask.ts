import { createKeyedLimiter, runInTime } from '@framegate/limits';
import { frameLimits, inputLimits, outputLimits, uploadLimits } from './childLimits.ts';
import { runMediaChild, type ChildEnd } from './mediaChild.ts';
import { mediaPlaces } from './mediaPlaces.ts';
import { createMediaPool } from './mediaPool.ts';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';

/** The account that uploaded a file or for which a provider made it. */
export interface FileOf {
  accountId: string;
  isOutput?: true;
}

// An account has at most one place, except for its outputs: there it may use all and yields to others.
const inputs = createKeyedLimiter({ places: mediaPlaces.inputs, perKey: 1 });
const outputs = createKeyedLimiter({ places: mediaPlaces.outputs, perKey: mediaPlaces.outputs });
// Results come from providers. Files of customers have a child each: one must not reach another's.
const outputPool = createMediaPool(outputLimits, mediaPlaces.outputs);
const frames = createKeyedLimiter({ places: mediaPlaces.frames, perKey: 1 });

/** Tries of a task whose child ends without an answer. */
const maxTries = 2;

/**
 * Performs a task on an untrusted file in a child process.
 * @param maxWaitMs Longest wait for a place; unlimited if absent.
 * @throws NoFreePlace; Error if the child could not be started or cannot work at all; the signal's reason.
 */
export function runMediaTask(
  task: MediaTask,
  fileOf: FileOf,
  signal: AbortSignal,
  maxWaitMs?: number,
): Promise<MediaVerdict> {
  const [limiter, key, limits] = placeFor(task, fileOf);
  const work = () =>
    inspectFile(() =>
      fileOf.isOutput ? outputPool.run(task, signal) : runMediaChild(task, limits, signal),
    );
  return maxWaitMs === undefined
    ? limiter.run(key, work, signal)
    : runInTime(limiter, key, maxWaitMs, work, signal);
}

function placeFor(task: MediaTask, { accountId, isOutput }: FileOf) {
  if (isOutput) return [outputs, accountId, outputLimits] as const;
  if (task.task === 'takeFrame') return [frames, accountId, frameLimits] as const;
  return [inputs, accountId, 'preview' in task ? uploadLimits : inputLimits] as const;
}

/**
 * Inspects a file. A file is also invalid if its child ends twice without an answer, for whatever reason (a
 * crash, the end of its memory, its own doing), or exceeds its processor time.
 * @throws Error if the child cannot work at all; errors of `runChild`.
 */
export async function inspectFile(runChild: () => Promise<ChildEnd>): Promise<MediaVerdict> {
  for (let tries = 1; ; tries += 1) {
    const end = await runChild();
    if (end.kind === 'answered') {
      if ('fault' in end.answer) throw new Error(`the media child: ${end.answer.fault}`);
      return end.answer;
    }
    if (end.kind === 'out of processor time') return tookTooLong;
    if (tries < maxTries) continue;
    if (end.kind === 'out of time') return tookTooLong;
    return { ok: false, reason: `ended its reader by ${end.how}` };
  }
}

const tookTooLong: MediaVerdict = { ok: false, reason: 'took too long', slow: true };
