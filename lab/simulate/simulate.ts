import { minuteMs } from '@framegate/contract';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { createModelProvider } from '../../test/properties/modelProvider.ts';
import { createActs } from './acts.ts';
import { judge } from './judge.ts';
import { MemoryDatabase } from './memoryDatabase.ts';
import { type Act, freezeMs, processes, type Schedule } from './schedule.ts';
import type { SharedWorld } from './simulatedProcess.ts';
import { openSimulatedWorld } from './simulatedWorld.ts';
import { takeOverTime } from './virtualTime.ts';
import { createWitnesses } from './witnesses.ts';

/** Before every schedule: enough credits for its slots, not for every key. */
const firstPayment: Act = {
  does: 'grant',
  payment: 'first',
  kind: 'purchased',
  amount: 60,
  livesMs: Infinity,
  on: 0,
};
/** Longer than a freeze, the latest statement, and the time that processes need to agree on the clocks, in ms. */
const settledMs = freezeMs + 2 * minuteMs;
/** Longer than a lease, and than a third of the longest deadline, in ms. */
const expiredMs = 61_000;
const longMs = 121 * minuteMs;
/** The share of schedules that end with the customer's erasure. */
const erasedPart = 1 / 8;

/** Random numbers from 0 to below 1 that a seed repeats (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Plays a schedule until all work has ended. @returns The broken promises, in words. */
export async function simulate({ steps, seed }: Schedule): Promise<string[]> {
  const fraction = seededRandom(seed);
  const time = takeOverTime(fraction);
  try {
    const around = {
      time,
      witnesses: createWitnesses(time),
      database: new MemoryDatabase(),
      provider: createModelProvider(),
      fraction,
    };
    return await time.run(play(around, steps));
  } finally {
    time.restore();
  }
}

async function play(
  around: Omit<SharedWorld, 'collectError'>,
  steps: Schedule['steps'],
): Promise<string[]> {
  const { time, fraction } = around;
  const world = await openSimulatedWorld(around);
  const { doAct, grant, follow, work } = createActs(world);
  const { outside, at, openIds, responseOf } = world;

  await doAct(firstPayment);
  world.backUp();
  const underWay: Promise<unknown>[] = [];
  for (const { waits, ...act } of steps) {
    const ended = doAct(act);
    underWay.push(ended);
    if (waits) await ended;
    else await time.pause(fraction() * 10);
  }
  await Promise.all(underWay);

  // From here on, all work must end.
  world.heal();
  await time.pause(settledMs);
  for (let round = 0; openIds().length > 0; round += 1) {
    if (round > 40) return [...outside.wrong, `I7: ${openIds().join(', ')} do not end`];
    await time.pause(round < 2 ? expiredMs : longMs);
    for (let index = 0; index < processes; index += 1) await work(index, ['upkeep', 'polling']);
  }
  for (const payment of outside.payments.values()) {
    for (let attempt = 0; !(await grant(payment, 0)); attempt += 1) {
      if (attempt > 10) return [...outside.wrong, `${payment.payment} cannot be booked`];
    }
  }
  for (const follower of outside.followers) await follow(follower, at(0));
  outside.wrong.push(
    ...(await judge.end({ around: world.around, outside, process: at(0), responseOf })),
  );
  if (fraction() < erasedPart) {
    const { accountId } = world.caller;
    const erase = () => responseOf(eraseAccount(at(0).deps, accountId));
    await Promise.all([erase(), erase()]);
    await responseOf(at(0).upkeep());
    outside.wrong.push(...(await judge.books(at(0), responseOf)));
  }
  return outside.wrong;
}
