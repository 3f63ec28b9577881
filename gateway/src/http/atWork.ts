import { Readable } from 'node:stream';
import type { Router, RouterMiddleware } from '@koa/router';
import { giveWay, NoFreeSlotError, type Slot, type TurnCaller } from '@framegate/limits';
import { type WorkKind, workKinds, type WorkSlots } from '../application/workKinds.ts';
import { countedGroups } from '../domain/network/addresses.ts';
import { Refusal } from '../domain/refusal.ts';
import { DisconnectError } from './body.ts';
import { callerAddress, callerOf, disconnectSignalOf, type HttpContext } from './context.ts';

/** Runs the rest of a route. */
type Next = () => Promise<unknown>;

/** A kind of work, or how to tell it from a request; `none` needs no slot. */
type KindFor = WorkKind | 'none' | ((ctx: HttpContext) => WorkKind);

/** The kinds that middleware states. */
const stated = new WeakMap<object, KindFor>();

/** States the kind of work of one route; `atWork` of its router takes the slot. */
export function does(kind: KindFor) {
  const callNext = (_ctx: unknown, next: Next) => next();
  stated.set(callNext, kind);
  return callNext;
}

/** States that a route answers from memory, or does next to nothing, and needs no slot. */
export const needsNoSlot = does('none');

/** No slot was free in time. Each surface answers it in its own form; that of files catches it. */
export class NoSlotRefusal extends Refusal {
  constructor(retryAfterSeconds: number) {
    const message =
      'Too many requests are in progress. Wait the number of seconds in Retry-After, then try again.';
    super('service_unavailable', { message, retryAfterSeconds });
  }
}

/** A requested slot. */
interface SlotRequest {
  kind: WorkKind;
  caller: TurnCaller;
}

/** How the routes of a surface take slots. */
export interface AtWork<Context> {
  slots: WorkSlots;
  /** The caller; null without a sign-in, which makes all work a `visit` of its address. */
  ownerOf: (ctx: Context) => string | null;
}

/**
 * Middleware that works in a slot of the route's kind.
 * @param usual The kind of routes that state none.
 * @param isNow Whether this is the position for the request; a form takes its slot after its body has arrived.
 * @throws As `runInSlot`.
 */
export function atWork<Context extends HttpContext>(
  { slots, ownerOf }: AtWork<Context>,
  usual: WorkKind,
  isNow: (ctx: Context) => boolean = () => true,
) {
  const handleRequest = async (ctx: Context, next: Next): Promise<void> => {
    const own = statementOf(ctx) ?? usual;
    const kind = typeof own === 'function' ? own(ctx) : own;
    if (kind === 'none' || !isNow(ctx)) {
      await next();
      return;
    }
    const id = ownerOf(ctx);
    const request: SlotRequest =
      id === null ? { kind: 'visit', caller: addressOf(ctx) } : { kind, caller: callerNamed(id) };
    await runInSlot(ctx, slots, request, next);
  };
  stated.set(handleRequest, usual);
  return handleRequest;
}

/**
 * Works in a slot, which is kept until the work is done, even if the client has left in the meantime: releasing it
 * earlier would let clients bypass the limit by disconnecting. A response that is sent piece by piece keeps it until
 * its connection closes. A caller that leaves the queue frees its turn immediately.
 * @param work May release the slot early.
 * @throws NoSlotRefusal; DisconnectError.
 */
export async function runInSlot(
  ctx: HttpContext,
  slots: WorkSlots,
  { kind, caller }: SlotRequest,
  work: (slot: Slot) => Promise<unknown>,
): Promise<void> {
  const slot = slots.tryEnter(kind, caller) ?? (await waitForSlot());
  try {
    // Pages that arrive or get a slot together would hold the thread together.
    if (workKinds[kind].rank > 0) await giveWay();
    await work(slot);
  } finally {
    const isSent = ctx.respond === false || ctx.body instanceof Readable;
    if (isSent && !ctx.res.closed) ctx.res.once('close', () => slot.leave());
    else slot.leave();
  }

  async function waitForSlot(): Promise<Slot> {
    const gone = disconnectSignalOf(ctx.res);
    try {
      return await slots.enter(kind, caller, gone);
    } catch (error) {
      if (gone.aborted) throw new DisconnectError('the client disconnected while waiting');
      if (!(error instanceof NoFreeSlotError)) throw error;
      throw new NoSlotRefusal(Math.ceil(workKinds[kind].maxWaitMs / 1000));
    }
  }
}

/** Exchanges the slot of the work for a slot of waiting requests. @returns Null if there is none. */
export function exchangeSlot(
  slot: Slot,
  slots: WorkSlots,
  { kind, caller }: SlotRequest,
): Slot | null {
  const waiting = slots.tryEnter(kind, caller);
  if (waiting) slot.leave();
  return waiting;
}

interface Layer {
  methods: string[];
  stack: object[];
}

/** The kind of work that the request's route declares; undefined without one. */
function statementOf(ctx: HttpContext): KindFor | undefined {
  const layers = ctx['matched'] as Layer[] | undefined;
  const route = layers?.find(({ methods }) => methods.includes(ctx.method));
  return route?.stack.map((each) => stated.get(each)).find((kind) => kind !== undefined);
}

/**
 * The middleware of a router whose every route states its kind of work, itself or by earlier middleware of the router.
 * @throws Error for a route that does not: the gateway does not start with it.
 */
export function routesOf<State>(router: Router<State>): RouterMiddleware<State> {
  let isStatedForAll = false;
  for (const { path, methods, stack } of router.stack as (Layer & { path: unknown })[]) {
    const isStated = stack.some((each) => stated.has(each));
    if (methods.length === 0) {
      isStatedForAll ||= isStated;
    } else if (!isStated && !isStatedForAll) {
      throw new Error(
        `the route ${methods.join()} ${String(path)} does not state its kind of work`,
      );
    }
  }
  return router.routes();
}

/** An account, a key or a person. */
export const callerNamed = (id: string): TurnCaller => [{ group: id, times: 1 }];

/** An address, and its network. */
const addressOf = (ctx: HttpContext): TurnCaller => countedGroups(callerAddress(ctx));

/** Routes of callers with an API key, after `authenticateCaller`. */
export const atWorkByKey = (slots: WorkSlots): AtWork<HttpContext> => ({
  slots,
  ownerOf: (ctx) => callerOf(ctx).accountId,
});
