import { createKeyedLimiter, type KeyedLimiter } from '@framegate/limits';
import {
  fingerprintOf,
  idempotencyScope,
  parseIdempotencyKey,
} from '../../../domain/generations/idempotency.ts';
import type { StoredReplay } from '../../../domain/generations/order.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { refuseBeyond } from '../../allowances.ts';
import type { App } from '../../app.ts';
import { DatabaseUnavailableError, DuplicateValueError } from '../../ports/database.ts';

/**
 * Replays per account and minute. They are free and exempt from the limits on create requests, but each costs a
 * majority read, so excess replays are refused before anything is read.
 */
export const replaysPerMinute = 1_200;

/** A request that takes effect at most once per Idempotency-Key. */
export interface IdempotentRequest {
  caller: { accountId: string };
  path: string;
  /** The raw Idempotency-Key header. */
  idempotencyKey: string | undefined;
  /** The parsed JSON body. */
  body: unknown;
}

/** The fields that identify a first response: the key within its scope, and the fingerprint of the body. */
export type IdempotencyFields = Pick<StoredReplay, 'scope' | 'fingerprint'>;

/** The 202 response: JSON text sent unchanged, and its headers. */
export type FirstResponse = Pick<StoredReplay, 'body' | 'headers'> & {
  /** The ids of all generations created; absent from a replay. */
  ids?: readonly string[];
};

/** The response, and whether it is a replay. */
export type CreateResponse = FirstResponse & { wasReplayed: boolean };

/**
 * Runs a request once per Idempotency-Key; the same key and body get the first response again, byte for byte (I3). The
 * replay precedes every other rule. It is looked up again after a refusal, because an equal request may just have taken
 * the last credit or slot.
 * @param run Stores its response under the given fields, in one transaction with its effects.
 * @throws Refusal for the key, for too many replays, and from `run`.
 */
export async function runIdempotently(
  deps: App,
  request: IdempotentRequest,
  run: (fields: IdempotencyFields) => Promise<FirstResponse>,
): Promise<CreateResponse> {
  const { accountId } = request.caller;
  const waitSeconds = deps.allowances.wait(accountId, 'replays', replaysPerMinute);
  refuseBeyond('replays', replaysPerMinute, waitSeconds);
  const fields = idempotencyFields(request);
  const response =
    (await findReplay(deps, fields)) ??
    (await deps.equalRequests.run(fields.scope, (hasWaited) =>
      runOnce(deps, fields, hasWaited, run),
    ));
  if (response.wasReplayed) deps.allowances.take(accountId, 'replays', replaysPerMinute);
  return response;
}

/** @throws Refusal for a missing or invalid header. */
function idempotencyFields({
  caller,
  path,
  idempotencyKey,
  body,
}: IdempotentRequest): IdempotencyFields {
  const header = parseIdempotencyKey(idempotencyKey);
  if (!header.ok) throw new Refusal(`idempotency_key_${header.problem}`);
  return {
    scope: idempotencyScope(caller.accountId, path, header.key),
    fingerprint: fingerprintOf(body),
  };
}

/** @param hasWaited Whether an equal request was answered while this one waited for its turn. */
async function runOnce(
  deps: App,
  fields: IdempotencyFields,
  hasWaited: boolean,
  run: (fields: IdempotencyFields) => Promise<FirstResponse>,
): Promise<CreateResponse> {
  const earlier = hasWaited ? await findReplay(deps, fields) : null;
  if (earlier) return earlier;
  try {
    return { ...(await run(fields)), wasReplayed: false };
  } catch (error) {
    // An equal request in another process was faster: it has the scope, or took the required credits or slot.
    const isTaken = error instanceof DuplicateValueError && error.index === 'accountScope';
    const first = isTaken || error instanceof Refusal ? await findReplay(deps, fields) : null;
    if (first) return first;
    throw error;
  }
}

/** The first response in this scope, or null. @throws Refusal if its body was different. */
async function findReplay(
  { database, clock }: App,
  { scope, fingerprint }: IdempotencyFields,
): Promise<CreateResponse | null> {
  const replay = await database.generations.findReplay(scope);
  if (!replay) return null;
  if (replay.keptUntil <= clock.now()) {
    await database.generations.releaseReplay(scope);
    return null;
  }
  if (replay.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused');
  return { body: replay.body, headers: replay.headers, wasReplayed: true };
}

/** Makes simultaneous equal requests wait for each other, up to a hundred per scope. */
export function createEqualRequests(): KeyedLimiter {
  const queueFullError = () =>
    new DatabaseUnavailableError('too many requests wait for their turn');
  return createKeyedLimiter({ maxPerKey: 1, queue: { max: 100, refuse: queueFullError } });
}
