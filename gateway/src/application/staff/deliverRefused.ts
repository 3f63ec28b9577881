import { dayMs, hourMs, maxGrantCredits } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import { book } from '../../domain/credits/book.ts';
import { firstExpiryOf } from '../../domain/credits/credits.ts';
import { type Generation, untouched } from '../../domain/generations/generation.ts';
import { idempotencyScope } from '../../domain/generations/idempotency.ts';
import type { GenerationRef } from '../../domain/generations/order.ts';
import { deliverableKeys, refusedUntil } from '../../domain/generations/refusedResult.ts';
import { Refusal, requireGeneration } from '../../domain/refusal.ts';
import type { App, AppCore } from '../app.ts';
import { type AccountDecision, DuplicateValueError } from '../ports/database.ts';
import { takeForStaff } from './adjustCredits.ts';
import type { StaffActor } from './runAction.ts';
import { moveCredits } from './secondPerson.ts';

type DeliverDeps = Pick<AppCore, 'database' | 'clock' | 'random' | 'reachFaultPoint'>;

/** A request to deliver a refused result anyway. */
export interface ManualDelivery {
  /** The failed generation. */
  generationId: string;
  /** Credits to charge, which the customer has agreed to; 0 for none. */
  credits: number;
  /** The person who decided it, for the timeline. */
  by: string;
  requestId: string;
}

/** How long a delivery may take before it fails and is refunded, in ms: its files are in our own store. */
const deliverWithinMs = hourMs;
/** How long the page of the failed generation links to its delivery, in ms: 30 days. */
const linkKeptMs = 30 * dayMs;
/** Deliveries of one result: a further one is possible only after a failed one. */
const maxDeliveries = 5;

/** The scope in which a delivery of a refused result is unique. */
const scopeOf = ({ id, accountId }: GenerationRef, turn: number) =>
  idempotencyScope(accountId, '/deliver', `${id} ${turn}`);

/** The delivery of a refused result that was made in this turn; null without one. */
async function findDeliveryAt(
  { database: { generations } }: Pick<AppCore, 'database'>,
  refused: GenerationRef,
  turn: number,
): Promise<Generation | null> {
  const replay = await generations.findReplay(scopeOf(refused, turn));
  return replay && generations.find(replay.body, refused.accountId);
}

/** The deliveries of a refused result, oldest first. */
async function findDeliveries(
  deps: Pick<AppCore, 'database'>,
  refused: GenerationRef,
): Promise<Generation[]> {
  const deliveries: Generation[] = [];
  while (deliveries.length < maxDeliveries) {
    const next = await findDeliveryAt(deps, refused, deliveries.length);
    if (!next) break;
    deliveries.push(next);
  }
  return deliveries;
}

/** The generation that delivers a refused result, the latest one; null without one. */
export async function findDelivery(
  ...reference: Parameters<typeof findDeliveries>
): Promise<Generation | null> {
  return (await findDeliveries(...reference)).at(-1) ?? null;
}

/** The next free turn. @throws Refusal `delivered_already`, `delivery_failed_often`. */
async function findNextTurn(deps: DeliverDeps, refused: Generation): Promise<number> {
  const earlier = await findDeliveries(deps, refused);
  const live = earlier.find(({ status }) => status !== 'failed');
  if (live) throw alreadyDeliveredRefusal(live.id);
  if (earlier.length < maxDeliveries) return earlier.length;
  throw new Refusal('delivery_failed_often');
}

const alreadyDeliveredRefusal = (generation: string) =>
  new Refusal('delivered_already', { values: { generation } });

/**
 * Delivers a refused result anyway: as a new generation that has its files already, so that a worker cleans, marks and
 * stores them like those of any other. The failed one stays failed and refunded (docs/adr/0039-deliver-anyway.md). The
 * new one, its charge with the ledger entry, and its job are one transaction; if it fails, it is refunded as usual.
 * @returns The id of the new generation.
 * @throws Refusal if there is nothing to deliver, it was delivered, or the credits do not suffice.
 */
export async function deliverRefused(deps: DeliverDeps, request: ManualDelivery): Promise<string> {
  const { database, clock, random, reachFaultPoint } = deps;
  const { generationId, credits } = request;
  if (!Number.isSafeInteger(credits) || credits < 0 || credits > maxGrantCredits) {
    throw new Refusal('amount_invalid', { values: { min: 0, max: maxGrantCredits } });
  }
  const refused = requireGeneration(await database.generations.find(generationId));
  const turn = await findNextTurn(deps, refused);
  const files = deliverableKeys(refused, clock.now());
  if (!files.ok) throw new Refusal(files.problem);
  const { accountId } = refused;
  const id = random.newId('gen');
  const delivery = { id, turn, keys: files.keys };
  await reachFaultPoint('handOver.beforeTransaction');
  try {
    await database.changeAccount(accountId, (account) =>
      decideHandOver(account, refused, delivery, request, clock.now()),
    );
  } catch (error) {
    if (!(error instanceof DuplicateValueError)) throw error;
    // Our own earlier attempt was written although its response was lost, or someone else was faster.
    const first = await findDeliveryAt(deps, refused, turn);
    if (first?.id !== id) throw alreadyDeliveredRefusal(first?.id ?? 'another generation');
  }
  await reachFaultPoint('handOver.afterTransaction');
  return id;
}

function decideHandOver(
  account: Account,
  refused: Generation,
  delivery: { id: string; turn: number; keys: string[] },
  { credits, by, requestId }: ManualDelivery,
  nowMs: number,
): AccountDecision<undefined> {
  if (account.status !== 'active') throw new Refusal('delivery_account_closed');
  const withSlot = {
    ...account,
    inFlightCredits: account.inFlightCredits + credits,
    running: account.running + 1,
  };
  const change = credits === 0 ? null : takeForStaff(account, credits, nowMs);
  const booking = { kind: 'charge', generationId: delivery.id, requestId, at: nowMs } as const;
  const movements = change?.movements ?? [];
  const generation = generationFor(refused, delivery, { credits, by, requestId }, nowMs);
  return {
    ...(change ? book(withSlot, change, booking) : { after: withSlot }),
    spendsBefore: firstExpiryOf(movements),
    insert: { ...generation, charge: movements },
    job: { generationId: delivery.id, runAt: nowMs },
    result: undefined,
  };
}

/** The generation that delivers: the refused order, at the step of a result that has arrived. */
function generationFor(
  refused: Generation,
  { id, turn, keys }: { id: string; turn: number; keys: string[] },
  { credits, by, requestId }: Pick<ManualDelivery, 'credits' | 'by' | 'requestId'>,
  nowMs: number,
): Omit<Generation, 'charge'> {
  const { provider = '', model = '', startedAt = nowMs } = refused.attempts.at(-1) ?? {};
  const { accountId, channel, keyId, madeBy, priceGroup } = refused;
  const { type, model: ordered, mode, prompt, inputs, parameters, realPerson } = refused;
  const attempt = {
    number: 1,
    provider,
    model,
    startedAt,
    outcome: 'completed' as const,
    operation: null,
    note: 'refused before, and delivered by staff',
    // Its cost stays with the attempt that was refused.
    cost: null,
    isFree: true,
    arrived: { at: nowMs, keys },
  };
  return {
    id,
    accountId,
    channel,
    keyId,
    ...(madeBy !== undefined && { madeBy }),
    requestId,
    type,
    model: ordered,
    mode,
    prompt,
    inputs,
    parameters,
    realPerson,
    catalogueVersion: refused.catalogueVersion,
    ...(priceGroup !== undefined && { priceGroup }),
    replaces: refused.id,
    costCredits: credits,
    ...untouched,
    status: 'processing',
    step: 'submitted',
    createdAt: nowMs,
    deadlineAt: nowMs + deliverWithinMs,
    dueAt: nowMs,
    // Nothing reads inputs any more.
    storedInputs: [],
    attempts: [attempt],
    outputs: [],
    replay: {
      scope: scopeOf(refused, turn),
      fingerprint: '',
      keptUntil: Math.max(nowMs, refusedUntil(refused) ?? 0) + linkKeptMs,
      body: id,
      headers: {},
    },
    timeline: [{ at: nowMs, what: `staff: deliver the refused result of ${refused.id} (${by})` }],
  };
}

/** Delivers a refused result for a staff member, within the limits for moving credits. */
export async function deliverAnyway(
  deps: App,
  request: Omit<ManualDelivery, 'by'> & { actor: Pick<StaffActor, 'role' | 'email'> },
): Promise<string> {
  const { actor: by, credits, generationId } = request;
  const { accountId } = requireGeneration(await deps.database.generations.find(generationId));
  const move = { by, accountId, amount: credits, confirms: null };
  const id = await moveCredits(deps, move, () =>
    deliverRefused(deps, { ...request, by: by.email }),
  );
  return credits === 0
    ? `Delivered as ${id} without charge.`
    : `Delivered as ${id} for ${credits} credits.`;
}
