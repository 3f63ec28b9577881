import { listLedger } from '../../gateway/src/application/operator/credits.ts';
import { grantCredits } from '../../gateway/src/application/accounts/grantCredits.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { takeBack } from '../../gateway/src/application/generations/takeBack.ts';
import { feedStart, type FeedPlace } from '../../gateway/src/domain/feedEpochs.ts';
import { PlainRefusal, Refusal } from '../../gateway/src/domain/refusal.ts';
import { StaleWrite } from '../../gateway/src/application/ports/database.ts';
import { video } from '../../test/support/bodies.ts';
import { createModelProvider } from '../../test/properties/modelProvider.ts';
import { addAccount } from '../../test/properties/modelWorld.ts';
import { judge, type Follower, type Outside } from './judge.ts';
import { MemoryDatabase, type Tables } from './memoryDatabase.ts';
import { followers, processes, type Act, type Schedule } from './schedule.ts';
import {
  startSimulatedProcess,
  type SimulatedProcess,
  type Surroundings,
} from './simulatedProcess.ts';
import { takeOverTime } from './virtualTime.ts';

/** Before every schedule: enough credits for its places, not for every key. */
const firstPayment: Act = {
  does: 'grant',
  payment: 'first',
  kind: 'purchased',
  amount: 60,
  livesMs: Infinity,
  on: 0,
};
/** How long customers, the product and other callers wait for an answer, in ms. */
const patienceMs = 120_000;
/** How long the sessions of a dead process hold its documents, in ms. */
const sessionsEndMs = 10_000;
const tries = 3;
/** Longer than a lease, and than a third of the longest deadline, in ms. */
const lapsedMs = 61_000;
const longMs = 121 * 60_000;
/** The part of the schedules after which the customer is erased. */
const erasedPart = 1 / 8;

/** Random numbers from 0 to below 1 that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const never = new AbortController().signal;

/** Plays a schedule from its begin to the end of everything. @returns The broken promises, in words. */
export async function simulate({ steps, seed }: Schedule): Promise<string[]> {
  const fraction = seeded(seed);
  const time = takeOverTime(fraction);
  try {
    const around = {
      time,
      database: new MemoryDatabase(),
      provider: createModelProvider(),
      fraction,
    };
    return await time.run(play(around, steps));
  } finally {
    time.restore();
  }
}

async function play(around: Surroundings, steps: Schedule['steps']): Promise<string[]> {
  const { time, database, provider, fraction } = around;
  let started = 0;
  /** The newest place of the feed, which is kept where a restore does not reach. */
  let beside: FeedPlace = feedStart;
  let backup: Tables | null = null;
  const start = () => {
    const process = startSimulatedProcess(around, `p${(started += 1)}`);
    if (beside.epoch !== null) process.feed.recall(beside);
    return process;
  };
  const alive = Array.from({ length: processes }, start);
  const at = (index: number): SimulatedProcess => {
    const process = alive[index];
    if (process && !process.isDead()) return process;
    void time.sleep(sessionsEndMs).then(() => process?.endSessions());
    const next = start();
    alive[index] = next;
    return next;
  };

  const outside: Outside = {
    ...(await addAccount(at(0), at(0).random)),
    answers: new Map(),
    payments: new Map(),
    followers: Array.from({ length: followers }, () => ({
      cursor: undefined,
      last: 0,
      books: new Map(),
    })),
    wrong: [],
  };
  const caller = outside as Outside & { keyId: string };
  const { accountId } = outside;

  /** An answer, or null when none came: the process died, the database was in trouble, or another was quicker. */
  async function answerOf<T>(work: Promise<T>, { database: { isTrouble } }: SimulatedProcess) {
    const late = time.sleep(patienceMs).then(() => null);
    const isExpected = (error: unknown): boolean =>
      error instanceof AggregateError
        ? error.errors.every(isExpected)
        : error instanceof PlainRefusal || error instanceof StaleWrite || isTrouble(error);
    const refused = (error: unknown) => {
      if (!(error instanceof Refusal) && !isExpected(error)) {
        outside.wrong.push(`an error of ours: ${error instanceof Error ? error.stack : 'unknown'}`);
      }
      return error instanceof Refusal ? error : null;
    };
    return Promise.race([work.catch(refused), late]);
  }

  const openIds = () =>
    [...(database.tables.get('generations')?.values() ?? [])]
      .filter(({ open }) => open === true)
      .map(({ _id }) => String(_id));

  async function grant(payment: Extract<Act, { does: 'grant' }>, index: number): Promise<boolean> {
    const process = at(index);
    const { kind, amount, livesMs } = payment;
    const told = await answerOf(
      grantCredits(process, {
        accountId,
        kind,
        amountCredits: amount,
        expiresAt: livesMs === Infinity ? null : { afterMs: livesMs },
        reason: null,
        reference: `payment-${payment.payment}`,
      }),
      process,
    );
    return told !== null;
  }

  async function follow(follower: Follower, process: SimulatedProcess): Promise<boolean> {
    for (;;) {
      const after = follower.cursor;
      const asked = listLedger(process, { ...(after !== undefined && { after }), limit: 3 });
      const page = await answerOf(asked, process);
      beside = process.isDead() ? beside : process.feed.newest();
      if (page === null || follower.cursor !== after) return false;
      if (page instanceof Refusal) {
        const { restored } = page;
        if (!restored) throw page;
        for (const [id, { position }] of follower.books) {
          if (position > restored.position) follower.books.delete(id);
        }
        follower.cursor = restored.after;
        follower.last = restored.position;
        continue;
      }
      for (const { id, amount, position } of page.data) {
        if (position === null) throw new Error(`${id} of the feed has no position`);
        if (position <= follower.last) outside.wrong.push(`feed: ${id} comes after its place`);
        if (follower.books.has(id)) outside.wrong.push(`feed: ${id} comes twice`);
        follower.books.set(id, { amount, position });
        follower.last = position;
      }
      follower.cursor = page.next ?? after;
      if (!page.has_more) return true;
    }
  }

  const work = (process: SimulatedProcess) =>
    Promise.all([
      process.upkeep(),
      process.poller.pollDue(never).then(() => process.poller.drain()),
    ]);

  async function doAct(act: Act): Promise<unknown> {
    switch (act.does) {
      case 'create': {
        const { key, fate, long } = act;
        const parameters = { duration_seconds: long ? 8 : 4, resolution: '480p' };
        const body = video({ prompt: `${fate} ${key}`, parameters });
        for (let attempt = 0; attempt < tries; attempt += 1) {
          const process = at((act.on + attempt) % processes);
          const told = await answerOf(process.create(caller, key, body), process);
          if (told instanceof Refusal) return undefined;
          if (told === null) continue;
          const { id } = JSON.parse(told) as { id: string };
          const first = outside.answers.get(key);
          if (first && first.text !== told) outside.wrong.push(`I3: ${key} has another answer`);
          outside.answers.set(key, { id, text: told });
          return undefined;
        }
        return undefined;
      }
      case 'work':
        return answerOf(work(at(act.on)), at(act.on));
      case 'upkeep':
        return answerOf(at(act.on).upkeep(), at(act.on));
      case 'verdict': {
        const orders = [...provider.accepted.keys()];
        const id = orders[act.which % Math.max(1, orders.length)];
        if (id !== undefined && !provider.verdicts.has(id)) provider.verdicts.set(id, act.verdict);
        return undefined;
      }
      case 'grant': {
        const known = outside.payments.get(act.payment) ?? act;
        outside.payments.set(act.payment, known);
        for (let attempt = 0; attempt < tries; attempt += 1) {
          if (await grant(known, (act.on + attempt) % processes)) return undefined;
        }
        return undefined;
      }
      case 'take back': {
        const ids = openIds();
        const id = ids[act.which % Math.max(1, ids.length)];
        return id && answerOf(takeBack(at(act.on).deps, id), at(act.on));
      }
      case 'follow': {
        const follower = outside.followers[act.follower];
        return follower && follow(follower, at(act.on));
      }
      case 'verify':
        outside.wrong.push(...(await judge.books(at(act.on), answerOf)));
        return undefined;
      case 'kill':
        if (act.at === null) at(act.on).die();
        else at(act.on).dieAt(act.at);
        return undefined;
      case 'trouble':
        at(act.on).meet(act.next);
        return undefined;
      case 'step the clock':
        time.step(act.ms);
        return undefined;
      case 'pass':
        return time.sleep(act.ms);
      case 'back up':
        backup = database.snapshot();
        return undefined;
      case 'restore':
        if (backup) restore(backup);
        return undefined;
    }
  }

  /** Everything but the provider and what is outside goes back to the backup. */
  function restore(tables: Tables): void {
    for (const process of alive) process.die();
    database.restore(tables);
    const stored = tables.get('generations');
    for (const [key, { id }] of outside.answers) if (!stored?.has(id)) outside.answers.delete(key);
    // The gateway cannot know of orders that it made after the backup.
    for (const id of provider.accepted.keys()) {
      const step = stored?.get(id)?.['step'];
      if (step === 'waiting' || step === 'ready' || step === 'parked') provider.accepted.delete(id);
    }
  }

  await doAct(firstPayment);
  backup = database.snapshot();
  const underWay: Promise<unknown>[] = [];
  for (const { waits, ...act } of steps) {
    const done = doAct(act);
    underWay.push(done);
    if (waits) await done;
    else await time.sleep(fraction() * 10);
  }
  await Promise.all(underWay);

  // From here on nothing fails: all has to come to its end.
  for (const process of alive) process.heal();
  for (let round = 0; openIds().length > 0; round += 1) {
    if (round > 40) return [...outside.wrong, `I7: ${openIds().join(', ')} do not end`];
    await time.sleep(round < 2 ? lapsedMs : longMs);
    for (let index = 0; index < processes; index += 1) await answerOf(work(at(index)), at(index));
  }
  for (const payment of outside.payments.values()) {
    for (let attempt = 0; !(await grant(payment, 0)); attempt += 1) {
      if (attempt > 10) return [...outside.wrong, `${payment.payment} cannot be booked`];
    }
  }
  for (const follower of outside.followers) await follow(follower, at(0));
  outside.wrong.push(...(await judge.end({ around, outside, process: at(0), answerOf })));
  if (fraction() < erasedPart) {
    const erase = () => answerOf(eraseAccount({ work: at(0).deps }, accountId), at(0));
    await Promise.all([erase(), erase()]);
    await answerOf(at(0).upkeep(), at(0));
    outside.wrong.push(...(await judge.books(at(0), answerOf)));
  }
  return outside.wrong;
}
