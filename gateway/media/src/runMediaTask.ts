import { createKeyedLimiter, type KeyedLimiter } from '@framegate/limits';
import {
  type ChildLimits,
  frameLimits,
  inputLimitsOf,
  outputLimits,
  uploadChildLimits,
} from './childLimits.ts';
import type { ManifestSigner } from './manifestSigner.ts';
import { type ChildEnd, runMediaChild } from './mediaChild.ts';
import { ReaderError } from './mediaErrors.ts';
import { createMediaPool, type MediaPool } from './mediaPool.ts';
import { mediaSlots } from './mediaSlots.ts';
import type { MediaTask, MediaVerdict } from './mediaTask.ts';

/** The account that uploaded a file or for which a provider made it. */
export interface FileOwner {
  accountId: string;
  isOutput?: boolean;
  /** Signs the manifest of an output. */
  signer?: ManifestSigner;
}

// An account has at most one slot, except for its outputs: there it may use all and yields to others.
const inputs = createKeyedLimiter({ maxInAll: mediaSlots.inputs, maxPerKey: 1 });
const outputs = createKeyedLimiter({ maxInAll: mediaSlots.outputs, maxPerKey: mediaSlots.outputs });
/** Results come from providers, so they may share children. */
const outputPool = createMediaPool(() => outputLimits, mediaSlots.outputs);
const inputPool = createMediaPool(inputLimitsOf, mediaSlots.inputs);
const frames = createKeyedLimiter({ maxInAll: mediaSlots.frames, maxPerKey: 1 });

/** Maximum results waiting while others get their posters; beyond that upkeep makes them. */
const maxWaiting = 6;

/** Maximum attempts at a task whose child ends without a response. */
const maxAttempts = 2;

/**
 * Performs a task on an untrusted file in a child process.
 * @param maxWaitMs Longest wait for a slot; unlimited if absent.
 * @throws NoFreeSlotError; ReaderError for an output; Error if the child could not be started or cannot work at all;
 * the signal's reason.
 */
export function runMediaTask(
  task: MediaTask,
  owner: FileOwner,
  signal: AbortSignal,
  maxWaitMs?: number,
): Promise<MediaVerdict> {
  const [limiter, runChild] = placeFor(task, owner);
  const work = () => {
    const opening = outputs.waiting > maxWaiting ? withoutPosters(task) : task;
    return inspectFile(() => runChild(opening, signal), owner.isOutput);
  };
  return limiter.run(owner.accountId, work, signal, maxWaitMs);
}

function withoutPosters(task: MediaTask): MediaTask {
  if (task.task !== 'encodeImage') return task;
  const alone = { ...task };
  delete alone.posters;
  return alone;
}

type RunChild = (task: MediaTask, signal: AbortSignal) => Promise<ChildEnd>;

/** The slots of a task, and its children. An upload or a frame, for which a page waits, has a child of its own. */
function placeFor(
  task: MediaTask,
  { accountId, isOutput, signer }: FileOwner,
): [KeyedLimiter, RunChild] {
  const own =
    (limits: ChildLimits): RunChild =>
    (each, signal) =>
      runMediaChild(each, limits, signal);
  const poolRunner =
    (pool: MediaPool, owner: string): RunChild =>
    (each, signal) =>
      pool.run(each, owner, signal, signer);
  if (isOutput) return [outputs, poolRunner(outputPool, 'providers')];
  if (task.task === 'drawFrame') return [frames, own(frameLimits)];
  return [inputs, 'preview' in task ? own(uploadChildLimits) : poolRunner(inputPool, accountId)];
}

/**
 * Inspects a file. A customer's file is also invalid if its child ends twice without a response, for whatever reason (a
 * crash, out of memory, the file's own doing), or exceeds its processor time: it could cost that again and again.
 * @param isOutput Whether it is a provider's file.
 * @throws ReaderError if the same happens with a provider's file; Error if the child cannot work at all; errors
 * of `runChild`.
 */
export async function inspectFile(
  runChild: () => Promise<ChildEnd>,
  isOutput = false,
): Promise<MediaVerdict> {
  for (let attempts = 1; ; attempts += 1) {
    const end = await runChild();
    if (end.kind === 'answered') {
      if ('fault' in end.response) throw new Error(`the media child: ${end.response.fault}`);
      return end.response;
    }
    if (end.kind !== 'outOfProcessorTime' && attempts < maxAttempts) continue;
    const isSlow = end.kind !== 'noResponse';
    const reason = isSlow ? 'took too long' : `ended its reader by ${end.how}`;
    if (isOutput) throw new ReaderError(reason);
    return { ok: false, reason, ...(isSlow && { isSlow }) };
  }
}
