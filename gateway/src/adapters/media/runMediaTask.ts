import { createKeyedLimiter, runInTime } from '../../application/ports/concurrency.ts';
import {
  frameLimits,
  inputLimits,
  outputLimits,
  runMediaChild,
  uploadLimits,
  type ChildEnd,
} from './mediaChild.ts';
import { mediaPlaces } from './mediaPlaces.ts';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';

/** The account that a file belongs to, which gave it or which a provider made it for. */
export interface FileOf {
  accountId: string;
  isOutput?: true;
}

// No account has more than one place, except for its outputs: there it may have all, and gives way to others.
const inputs = createKeyedLimiter({ places: mediaPlaces.inputs, perKey: 1 });
const outputs = createKeyedLimiter({ places: mediaPlaces.outputs, perKey: mediaPlaces.outputs });
const frames = createKeyedLimiter({ places: mediaPlaces.frames, perKey: 1 });

/** How often a task is tried when its child ends without an answer. */
const maxTries = 2;

/**
 * Does a task on an untrusted file in a child process.
 * @param maxWaitMs The longest wait for a place; without it as long as it takes.
 * @throws NoFreePlace; Error when the child could not be started, or says that it cannot work at all; the signal's
 * reason.
 */
export function runMediaTask(
  task: MediaTask,
  fileOf: FileOf,
  signal: AbortSignal,
  maxWaitMs?: number,
): Promise<MediaVerdict> {
  const [limiter, key, limits] = placeFor(task, fileOf);
  const work = () => inspectFile(() => runMediaChild(task, limits, signal));
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
 * Inspects a file. One whose child ends without an answer twice, however it ends (a crash, the end
 * of its memory, its own doing), or that takes more processor time than it may, is as invalid as one that
 * the child says is.
 * @throws Error when the child says that it cannot work at all; what `runChild` throws.
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
