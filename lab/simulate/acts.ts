import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { cancelGeneration } from '../../gateway/src/application/generations/end/cancelGeneration.ts';
import { creditUseCases } from '../../gateway/src/application/operator/credits.ts';
import { requireRightClock } from '../../gateway/src/application/requireRightClock.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import { video } from '../../test/support/bodies.ts';
import { type Follower, judge } from './judge.ts';
import { type Act, processes } from './schedule.ts';
import type { SimulatedProcess } from './simulatedProcess.ts';
import type { SimulatedWorld } from './simulatedWorld.ts';

/** Maximum attempts of a caller, at each process in turn. */
const maxAttempts = 3;
const never = new AbortController().signal;

type CreateAct = Extract<Act, { does: 'create' }>;
type GrantAct = Extract<Act, { does: 'grant' }>;

/** Performs the acts of schedules on a world. */
export function createActs(world: SimulatedWorld) {
  const { outside, caller, at, responseOf, openIds } = world;
  const { time, provider } = world.around;
  const { accountId } = caller;

  /** The check that HTTP makes before each write except a create request, which makes its own. */
  async function runInTime<T>({ clock }: SimulatedProcess, work: () => Promise<T>): Promise<T> {
    requireRightClock(clock);
    return work();
  }

  /** @returns Whether it is booked; if not, another caller tries again. */
  async function grant(payment: GrantAct, index: number): Promise<boolean> {
    const process = at(index);
    const { kind, amount, livesMs } = payment;
    const bookGrant = () =>
      grantCredits(process, {
        accountId,
        kind,
        amountCredits: amount,
        expiresAt: livesMs === Infinity ? null : { afterMs: livesMs },
        reason: null,
        reference: `payment-${payment.payment}`,
      });
    const response = await responseOf(runInTime(process, bookGrant));
    return response !== null && !(response instanceof Refusal);
  }

  async function follow(follower: Follower, process: SimulatedProcess): Promise<boolean> {
    for (;;) {
      const after = follower.cursor;
      const lines = creditUseCases.listLedger(process, {
        query: { ...(after !== undefined && { after }), limit: 3 },
      });
      const page = await responseOf(lines);
      world.recordFeed(process);
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

  /** A worker's round: it rests while a clock is wrong. */
  async function work(index: number, parts: ('upkeep' | 'polling')[]): Promise<unknown> {
    const process = at(index);
    if (!process.mayWork()) return undefined;
    const { poller } = process;
    const all = {
      upkeep: () => process.upkeep(),
      polling: () => poller.pollDue(never).then(() => poller.drain()),
    };
    return responseOf(Promise.all(parts.map((part) => all[part]())));
  }

  async function create({ key, fate, long, on }: CreateAct): Promise<void> {
    const parameters = { duration_seconds: long ? 8 : 4, resolution: '480p' };
    const body = video({ prompt: `${fate} ${key}`, parameters });
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const process = at((on + attempt) % processes);
      const response = await responseOf(process.create(caller, key, body));
      if (response instanceof Refusal) return;
      if (response === null) continue;
      const { id } = JSON.parse(response) as { id: string };
      const first = outside.responses.get(key);
      if (first && first.text !== response) outside.wrong.push(`I3: ${key} has another answer`);
      outside.responses.set(key, { id, text: response });
      return;
    }
  }

  async function pay(payment: GrantAct): Promise<void> {
    const firstPayment = outside.payments.get(payment.payment) ?? payment;
    outside.payments.set(payment.payment, firstPayment);
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      if (await grant(firstPayment, (payment.on + attempt) % processes)) return;
    }
  }

  async function doAct(act: Act): Promise<unknown> {
    switch (act.does) {
      case 'create':
        return create(act);
      case 'work':
        return work(act.on, ['upkeep', 'polling']);
      case 'upkeep':
        return work(act.on, ['upkeep']);
      case 'verdict': {
        const orders = [...provider.accepted.keys()];
        const id = orders[act.which % Math.max(1, orders.length)];
        if (id !== undefined && !provider.verdicts.has(id)) provider.verdicts.set(id, act.verdict);
        return undefined;
      }
      case 'grant':
        return pay(act);
      case 'cancel': {
        const ids = openIds();
        const id = ids[act.which % Math.max(1, ids.length)];
        const process = at(act.on);
        return id && responseOf(runInTime(process, () => cancelGeneration(process.deps, id)));
      }
      case 'follow': {
        const follower = outside.followers[act.follower];
        return follower && follow(follower, at(act.on));
      }
      case 'verify':
        outside.wrong.push(...(await judge.books(at(act.on), responseOf)));
        return undefined;
      case 'kill':
        if (act.at === null) at(act.on).die();
        else at(act.on).dieAt(act.at);
        return undefined;
      case 'freeze':
        at(act.on).freeze(act.at, act.ms);
        return undefined;
      case 'trouble':
        at(act.on).meet(act.next);
        return undefined;
      case 'step a clock':
        time.advance(act.whose, act.ms);
        return undefined;
      case 'correct the clock':
        time.correct();
        return undefined;
      case 'pass':
        return time.pause(act.ms);
      case 'back up':
        world.backUp();
        return undefined;
      case 'restore':
        world.restore();
        return undefined;
    }
  }

  return { doAct, grant, follow, work };
}
