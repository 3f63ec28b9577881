import { setTimeout as pause } from 'node:timers/promises';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import type { FaultAccount, FaultWorld } from './faultWorld.ts';
import type { Fleet } from './fleet.ts';
import { makeOrder, type Order, type OrderKind, type OrderParts } from './orders.ts';
import { createPatiently, type History, repeatCreate } from './patientClient.ts';

/** The step at which a round kills, and the orders of its clients. */
export interface RoundPlan {
  point: FaultPoint | 'anywhere';
  kinds: readonly OrderKind[];
}

/** Result of a round. */
export interface Played {
  killedAt: string;
  /** Number of processes that died. */
  killed: number;
  histories: History[];
}

/** The provider's reaction to prompts with this mark. */
const marks = ['', '', '', '', '[slow]', '[fails]', '[lost]', '[dropped]', '[busy]', '[never]'];

/** Shortly before a check, no requests that only end by their deadline: every client would wait for them. */
const neverBefore = 4;

/** Steps that only orders of one kind reach. */
const needs: Partial<Record<FaultPoint, OrderKind>> = { 'inputs.afterStored': 'picture to video' };
const videosOnly: readonly FaultPoint[] = ['poll.afterProvider'];
const imagesOnly: readonly FaultPoint[] = ['arrive.afterStored', 'arrive.afterNoted'];

/**
 * One round: a process is killed at the step while clients repeat their create requests, and is replaced by another.
 */
export async function playRound(
  world: FaultWorld,
  run: {
    fleet: Fleet;
    parts: OrderParts;
    rich: FaultAccount;
    clients: number;
    plan: RoundPlan;
    name: string;
    left: number;
  },
): Promise<Played> {
  const { fleet, parts, rich, clients, name, left } = run;
  const { chance } = parts;
  const { point } = run.plan;
  const afterMs = chance.below(1_500);
  const times = 1 + chance.below(2);
  if (point !== 'anywhere') fleet.arm(point, times);
  const usual = left < neverBefore ? marks.filter((mark) => mark !== '[never]') : marks;
  const newOrder = (client: number, mark = chance.pick(usual)): Order => {
    const fitting = kindsFor(point, run.plan.kinds);
    // The account with the last credits has no own picture.
    const kinds = client === 0 ? fitting.filter((kind) => !kind.startsWith('own')) : fitting;
    const kind = kinds.length > 0 ? chance.pick(kinds) : 'text to video';
    const order = makeOrder(kind, `${name}-${client}.${mark}`, parts);
    if (mark === '[busy]') {
      const fault = { kind: 'error', status: 429, code: 'ServerOverloaded' } as const;
      world.ark.script({ prompt: order.prompt, times: 1, on: 'submit', fault });
    }
    return order;
  };
  // One account has credits, a place and a create request for only this request: it must still get its 202.
  const lastOrder = newOrder(0);
  const once = { running: 1, waiting: 0, burst: 1, createsPerMinute: 1 };
  const last = await world.addAccount(lastOrder.credits, once);
  const asked = [createPatiently(fleet.origins, last, lastOrder)];
  for (let client = 1; client < clients; client += 1) {
    asked.push(createPatiently(fleet.origins, rich, newOrder(client)));
  }
  const killedAt = await untilHit(fleet, point, afterMs, (extra) => {
    asked.push(createPatiently(fleet.origins, rich, newOrder(clients + extra, '')));
  });
  fleet.disarm();
  if (killedAt === 'anywhere') {
    const victim = chance.pick(fleet.ready());
    victim.signal('SIGKILL');
    await victim.ended;
  }
  const killed = fleet.replaceDead();
  const histories = await Promise.all(asked);
  const [origin] = fleet.origins();
  if (origin !== undefined) {
    await Promise.all(histories.slice(0, 2).map((history) => repeatCreate(origin, history)));
  }
  return { killedAt, killed, histories };
}

/** Kinds in the plan that reach the step, or one that does. */
function kindsFor(point: RoundPlan['point'], kinds: readonly OrderKind[]): readonly OrderKind[] {
  if (point === 'anywhere') return kinds;
  const wanted = needs[point];
  if (wanted) {
    const taking = kinds.filter((kind) => kind.includes('picture'));
    return taking.length > 0 ? taking : [wanted];
  }
  if (imagesOnly.includes(point)) {
    const images = kinds.filter((kind) => kind.endsWith('image'));
    return images.length > 0 ? images : ['image'];
  }
  if (!videosOnly.includes(point)) return kinds;
  const videos = kinds.filter((kind) => kind.endsWith('video'));
  return videos.length > 0 ? videos : ['text to video'];
}

/**
 * Waits until a process has reached the step and is dead. If there is too little work to reach it, more is requested;
 * in the end a process is killed anywhere.
 */
async function untilHit(
  fleet: Fleet,
  point: RoundPlan['point'],
  afterMs: number,
  ask: (extra: number) => void,
): Promise<FaultPoint | 'anywhere'> {
  if (point === 'anywhere') {
    await pause(afterMs);
    return point;
  }
  const death = fleet.death().then(() => true);
  for (let extra = 0; extra < 20; extra += 1) {
    if (await Promise.race([death, pause(2_000).then(() => false)])) return point;
    ask(extra);
  }
  return 'anywhere';
}
