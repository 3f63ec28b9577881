import {
  admitGeneration,
  limitsOf,
  liveKey,
  siteRequester,
  takeCreate,
  type Account,
} from '../domain/account.ts';
import { countSpending } from '../domain/dailyLimit.ts';
import type { Generation } from '../domain/generation.ts';
import { fingerprintOf, idempotencyScope, readIdempotencyKey } from '../domain/idempotency.ts';
import { ledgerEntry } from '../domain/ledger.ts';
import type { Limits } from '../domain/limits.ts';
import { realPersonAuditOf } from '../domain/realPersonAudit.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Caller } from './authenticate.ts';
import type { KeyedQueue } from './keyedQueue.ts';
import { buildGeneration } from './buildGeneration.ts';
import { judgeCreate, type CreateRules, type JudgedRequest } from './judgeCreate.ts';
import { keyLimitReached, notAdmitted, rateLimited } from './limitRefusals.ts';
import { pollHintFor } from './pollHint.ts';
import type { Clock } from './ports/clock.ts';
import type { AccountDecision, Database } from './ports/database.ts';
import type { DurationStats } from './ports/durationStats.ts';
import type { ReachFaultPoint } from './ports/faultPoint.ts';
import type { Log } from './ports/log.ts';
import { DuplicateValue, NoSuchAccount } from './ports/storeErrors.ts';
import { presentGeneration, type Addresses } from './presentGeneration.ts';
import { requireOwnOutputs } from './requireOwnOutputs.ts';

/** A create as it came over HTTP. */
export interface CreateCommand {
  /** Without a key it is the account's own site that asks: channel `pc`. */
  caller: Pick<Caller, 'accountId'> & { keyId: string | null };
  path: '/v1/videos' | '/v1/images';
  /** The raw Idempotency-Key header. */
  idempotencyKey: string | undefined;
  /** The parsed JSON body. */
  body: unknown;
  requestId: string;
  callerAddress: string;
}

/** The answer 202: JSON text sent as it is, and its headers. */
export interface CreateAnswer {
  body: string;
  headers: Record<string, string>;
  replayed: boolean;
}

/** What `createGeneration` works with. */
export interface CreateDeps extends CreateRules {
  database: Database;
  clock: Clock;
  /** Creates under one idempotency scope. */
  equalRequests: KeyedQueue;
  addresses: Addresses;
  durations: DurationStats;
  defaultLimits: Limits;
  /** Host rules that the site may use without a key's having asked for them. */
  autoApprovedHosts: readonly string[];
  /** How long an Idempotency-Key and its first answer are kept, in ms. */
  idempotencyKeptMs: number;
  /** How long audit records of real-person mode are kept, in ms. */
  auditKeptMs: number;
  /** How long a generation of this model may wait for its start, in ms. */
  waitingDeadlineMs(modelId: string): number;
  reach: ReachFaultPoint;
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

type Created =
  { answer: CreateAnswer; refusal?: undefined } | { answer?: undefined; refusal: Refusal };

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

interface IdempotencyFields {
  scope: string;
  fingerprint: string;
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

/**
 * Decides about a create on the account as it is: key, status, rate limit, the request's own rules, then
 * places and credits. A request that is refused has used up one create of the rate limit all the same.
 * @throws Refusal where not even that is written.
 */
async function decideCreate(
  deps: CreateDeps,
  command: CreateCommand,
  fields: IdempotencyFields,
  found: Account,
): Promise<AccountDecision<Created>> {
  const now = deps.clock.now();
  const { keyId } = command.caller;
  const key =
    keyId === null ? siteRequester(found, deps.autoApprovedHosts, now) : liveKey(found, keyId, now);
  if (!key) throw new Refusal('invalid_api_key');
  if (found.status !== 'active') throw new Refusal('account_suspended');
  const limits = limitsOf(found, deps.defaultLimits);
  const allowance = takeCreate(found, limits, now);
  if ('retryAfterSeconds' in allowance) throw rateLimited(limits, allowance.retryAfterSeconds);
  const account = { ...found, createBucket: allowance.bucket };
  try {
    const type = command.path === '/v1/videos' ? 'video' : 'image';
    const request = judgeCreate(deps, type, command.body, key, now);
    await requireOwnOutputs(deps, found.id, request);
    return await accept(deps, command, fields, { account, limits, request, now });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { after: account, result: { refusal: error } };
  }
}

interface Acceptable {
  account: Account;
  limits: Limits;
  request: JudgedRequest;
  now: number;
}

/** Charges and stores it. @throws Refusal when there are not the credits or the place for it. */
async function accept(
  deps: CreateDeps,
  command: CreateCommand,
  fields: IdempotencyFields,
  { account, limits, request, now }: Acceptable,
): Promise<AccountDecision<Created>> {
  const { costCredits } = request;
  const admission = admitGeneration(account, costCredits, limits, now);
  if ('refused' in admission) {
    throw notAdmitted(admission.refused, costCredits, account, limits, now);
  }
  const { accountId, keyId } = command.caller;
  const after =
    keyId === null ? admission.account : countSpending(admission.account, keyId, costCredits, now);
  if (after === null) throw keyLimitReached(account, keyId, costCredits, now);
  const origin = {
    id: deps.random.newId('gen'),
    accountId,
    channel: keyId === null ? ('pc' as const) : ('api' as const),
    keyId,
    requestId: command.requestId,
    callerAddress: command.callerAddress,
  };
  const deadlineMs = deps.waitingDeadlineMs(request.model);
  const generation = buildGeneration(origin, request, admission, now, deadlineMs);
  const answer = answerOf(deps, generation, now);
  const replay = { ...fields, keptUntil: now + deps.idempotencyKeptMs, ...answer };
  await deps.reach('create.beforeTransaction');
  return {
    after,
    spendsBefore: earliestExpiry(generation),
    insert: { ...generation, replay },
    audit: realPersonAuditOf(generation, deps.auditKeptMs),
    entry: ledgerEntry({
      accountId,
      number: after.ledgerEntries,
      kind: 'charge',
      movements: admission.movements,
      generationId: generation.id,
      requestId: command.requestId,
      at: now,
    }),
    job: { generationId: generation.id, runAt: admission.runs ? now : generation.deadlineAt },
    result: { answer: { ...answer, replayed: false } },
  };
}

/** When the first of the lots that pay expires: the database refuses the spending from then on. */
function earliestExpiry(generation: Generation): number | undefined {
  const expiries = generation.charge.flatMap(({ expiresAt }) =>
    expiresAt === null ? [] : [expiresAt],
  );
  return expiries.length > 0 ? Math.min(...expiries) : undefined;
}

function answerOf(
  deps: CreateDeps,
  generation: Generation,
  now: number,
): Pick<CreateAnswer, 'body' | 'headers'> {
  const hint = pollHintFor(deps, generation) ?? 1;
  const record = presentGeneration(generation, deps.addresses, now, hint);
  return {
    body: JSON.stringify(record),
    headers: { Location: record.status_url, 'Retry-After': String(hint) },
  };
}
