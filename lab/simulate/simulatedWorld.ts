import { minuteMs } from '@framegate/contract';
import { isDatabaseTrouble } from '../../gateway/src/adapters/mongo/errors.ts';
import { StaleWriteError } from '../../gateway/src/application/ports/database.ts';
import { type FeedPoint, feedStart } from '../../gateway/src/domain/feed/feedEpochs.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { addAccount } from '../../test/properties/modelWorld.ts';
import type { OutsideRecords } from './judge.ts';
import type { Tables } from './memoryDatabase.ts';
import { followers, processes } from './schedule.ts';
import {
  type SharedWorld,
  type SimulatedProcess,
  startSimulatedProcess,
} from './simulatedProcess.ts';

/** How long customers, the product and other callers wait for a response, in ms. */
const patienceMs = 2 * minuteMs;

/** Whether an error belongs to the troubles of a schedule; anything else is a mistake of ours. */
const isExpected = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.every(isExpected)
    : error instanceof Refusal ||
      error instanceof StaleWriteError ||
      isDatabaseTrouble(error) ||
      (error instanceof DOMException && error.name === 'TimeoutError');

/** Processes on one database, with witnesses outside. */
export async function openSimulatedWorld(shared: Omit<SharedWorld, 'collectError'>) {
  const wrong: string[] = [];
  const collectError = (error: unknown) => {
    if (isExpected(error)) return;
    wrong.push(`an error of ours: ${error instanceof Error ? error.stack : String(error)}`);
  };
  const around: SharedWorld = { ...shared, collectError };
  const { time, database, provider } = around;
  const submit = provider.route.submit.bind(provider.route);
  provider.route.submit = (order, ...more) => {
    const { generationId: id } = order;
    const isOpen = database.tables.get('generations')?.get(id)?.['open'] === true;
    if (!isOpen) wrong.push(`I6: ${id} was ordered after its end`);
    return submit(order, ...more);
  };
  let started = 0;
  /** The newest point of the feed, which is kept where a restore does not reach. */
  let keptPoint: FeedPoint = feedStart;
  let backup: Tables | null = null;
  const start = () => {
    const process = startSimulatedProcess(around, `p${(started += 1)}`);
    if (keptPoint.epoch !== null) process.feed.recallPoint(keptPoint);
    return process;
  };
  const alive = Array.from({ length: processes }, start);
  /** A process, or the replacement of a dead one. */
  const at = (index: number): SimulatedProcess => {
    const process = alive[index];
    if (process && !process.isDead()) return process;
    const next = start();
    alive[index] = next;
    return next;
  };

  const caller = await addAccount(at(0), at(0).random);
  const outside: OutsideRecords = {
    accountId: caller.accountId,
    responses: new Map(),
    payments: new Map(),
    followers: Array.from({ length: followers }, () => ({
      cursor: undefined,
      last: 0,
      books: new Map(),
    })),
    wrong,
  };

  return {
    around,
    outside,
    caller,
    at,
    /** A response, or null when none came: the process died, the database was in trouble, or another was quicker. */
    responseOf: async <T>(work: Promise<T>) => {
      const late = time.pause(patienceMs).then(() => null);
      const collectUnlessRefusal = (error: unknown) => {
        if (error instanceof Refusal) return error;
        collectError(error);
        return null;
      };
      return Promise.race([work.catch(collectUnlessRefusal), late]);
    },
    openIds: () =>
      [...(database.tables.get('generations')?.values() ?? [])]
        .filter(({ open }) => open === true)
        .map(({ _id }) => String(_id)),
    /** Keeps the newest point that a process has given out. */
    recordFeed(process: SimulatedProcess): void {
      if (!process.isDead()) keptPoint = process.feed.newest();
    },
    backUp: () => void (backup = database.snapshot()),
    /** Restores everything inside from the backup; the provider and the witnesses continue. */
    restore(): void {
      if (!backup) return;
      for (const process of alive) process.die();
      database.restore(backup);
      const stored = backup.get('generations');
      for (const [key, { id }] of outside.responses) {
        if (!stored?.has(id)) outside.responses.delete(key);
      }
      // The gateway cannot know of orders that it made after the backup.
      for (const id of provider.accepted.keys()) {
        const step = stored?.get(id)?.['step'];
        if (step === 'waiting' || step === 'ready' || step === 'parked') {
          provider.accepted.delete(id);
        }
      }
    },
    /** From here on nothing fails, and the clocks are correct. */
    heal(): void {
      for (const process of alive) process.heal();
      time.correct();
    },
  };
}

/** A simulated world with its processes and witnesses. */
export type SimulatedWorld = Awaited<ReturnType<typeof openSimulatedWorld>>;
