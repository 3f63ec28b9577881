import { fingerprintOf, idempotencyScope, readIdempotencyKey } from '../domain/idempotency.ts';
import { Refusal } from '../domain/refusal.ts';
import {
  decideCreate,
  type CreateAnswer,
  type CreateCommand,
  type Created,
  type DecideDeps,
  type IdempotencyFields,
} from './decideCreate.ts';
import { refuseBeyond, type Allowances } from './allowances.ts';
import type { KeyedQueue } from './keyedQueue.ts';
import type { Log } from './ports/log.ts';
import { DuplicateValue, NoSuchAccount } from './ports/storeErrors.ts';

/**
 * Replays of one account in a minute. They are free and pass every limit of creates, yet each costs a
 * majority read: an account that has had so many waits before anything is read.
 */
export const replaysPerMinute = 1_200;

/** What `createGeneration` works with. */
export interface CreateDeps extends DecideDeps {
  /** Creates under one idempotency scope. */
  equalRequests: KeyedQueue;
  allowances: Allowances;
  log: Log;
}

/**
 * Accepts a generation once per Idempotency-Key: charges it, stores it and its job in one majority
 * transaction, and answers 202; the same key and body get the same bytes again (I1, I2, I3, I4, I9).
 * The look for a replay comes before every rule; it is repeated after a rule has refused, because the
 * rule may speak only since an earlier request with this key has just taken the last credit or place.
 * @throws Refusal; nothing is stored then, and nothing but one create of the rate limit is consumed.
 */
export async function createGeneration(
  deps: CreateDeps,
  command: CreateCommand,
): Promise<CreateAnswer> {
  const { accountId } = command.caller;
  const waitSeconds = deps.allowances.wait(accountId, 'replays', replaysPerMinute);
  refuseBeyond('replays', replaysPerMinute, waitSeconds);
  const answer = await createOrReplay(deps, command);
  if (answer.replayed) deps.allowances.take(accountId, 'replays', replaysPerMinute);
  return answer;
}

async function createOrReplay(deps: CreateDeps, command: CreateCommand): Promise<CreateAnswer> {
  const header = readIdempotencyKey(command.idempotencyKey);
  if ('problem' in header) throw new Refusal(`idempotency_key_${header.problem}`);
  const { accountId } = command.caller;
  const scope = idempotencyScope(accountId, command.path, header.key);
  const fields = { scope, fingerprint: fingerprintOf(command.body) };
  const earlier = await findReplay(deps, fields);
  if (earlier) return earlier;
  // Equal requests of one moment wait for each other.
  return deps.equalRequests(scope, async (waited) => {
    const first = waited ? await findReplay(deps, fields) : null;
    return first ?? createOnce(deps, command, fields);
  });
}

async function createOnce(
  deps: CreateDeps,
  command: CreateCommand,
  fields: IdempotencyFields,
): Promise<CreateAnswer> {
  const { answer, refusal } = await createOrFindRefusal(deps, command, fields);
  if (answer) {
    await deps.reach('create.beforeAnswer');
    return answer;
  }
  const replay = await findReplay(deps, fields);
  if (replay) return replay;
  noteSafety(deps, command, refusal);
  throw refusal;
}

async function createOrFindRefusal(
  deps: CreateDeps,
  command: CreateCommand,
  fields: IdempotencyFields,
): Promise<Created> {
  const { accountId } = command.caller;
  try {
    return await deps.database.changeAccount(accountId, (account) =>
      decideCreate(deps, command, fields, account),
    );
  } catch (error) {
    // An equal request was quicker in another process.
    if (error instanceof DuplicateValue && error.index === 'idempotencyScope') {
      const winner = await findReplay(deps, fields);
      if (winner) return { answer: winner };
    }
    if (error instanceof NoSuchAccount) return { refusal: new Refusal('invalid_api_key') };
    if (error instanceof Refusal) return { refusal: error };
    throw error;
  }
}

/** Which rule of the operator refused a prompt is for the log alone. */
function noteSafety(deps: CreateDeps, command: CreateCommand, { safetyRule }: Refusal): void {
  if (safetyRule === undefined) return;
  const { requestId, caller } = command;
  const fields = { requestId, accountId: caller.accountId, keyId: caller.keyId, safetyRule };
  deps.log.info(fields, 'a safety rule refused a prompt');
}

/** The first answer under this scope, if there was one. @throws Refusal when its body was another. */
async function findReplay(
  { database, clock }: CreateDeps,
  { scope, fingerprint }: IdempotencyFields,
): Promise<CreateAnswer | null> {
  const replay = await database.generations.findReplay(scope);
  if (!replay) return null;
  if (replay.keptUntil <= clock.now()) {
    await database.generations.releaseReplay(scope);
    return null;
  }
  if (replay.fingerprint !== fingerprint) throw new Refusal('idempotency_key_reused');
  return { body: replay.body, headers: replay.headers, replayed: true };
}
