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
import type { KeyedQueue } from './keyedQueue.ts';
import type { Caller } from './authenticate.ts';
import { buildGeneration } from './buildGeneration.ts';
import { judgeCreate, type CreateRules, type JudgedRequest } from './judgeCreate.ts';
import { keyLimitReached, notAdmitted, rateLimited } from './limitRefusals.ts';
import { pollHintFor } from './pollHint.ts';
import type { Clock } from './ports/clock.ts';
import type { Database } from './ports/database.ts';
import type { DurationStats } from './ports/durationStats.ts';
import type { ReachFaultPoint } from './ports/faultPoint.ts';
import type { Log } from './ports/log.ts';
import { DatabaseUnavailable, DuplicateValue, StaleWrite } from './ports/storeErrors.ts';
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
  accountQueue: KeyedQueue;
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

/** Changes of one account that another process may make between our reading and writing it. */
const triesAtMost = 20;

/**
 * Accepts a generation once per Idempotency-Key: charges it, stores it and its job in one majority
 * transaction, and answers 202; the same key and body get the same bytes again (I1, I2, I3, I4, I9).
 * The steps are those of design section 4, Create, step by step.
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
  const fingerprint = fingerprintOf(command.body);
  const replay = await findReplay(deps, scope, fingerprint);
  if (replay) return replay;
  return deps.accountQueue(accountId, async () => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await createOnce(deps, command, { scope, fingerprint });
      } catch (error) {
        // `_id_`: our own earlier try was committed although its result never reached us.
        const taken =
          error instanceof DuplicateValue && ['idempotencyScope', '_id_'].includes(error.index);
        // After trouble the create may have happened all the same: then this is its answer.
        if (taken || error instanceof DatabaseUnavailable) {
          const winner = await findReplay(deps, scope, fingerprint);
          if (winner) return winner;
        }
        if (!taken && !(error instanceof StaleWrite)) throw error;
        if (attempt === triesAtMost) throw error;
      }
    }
  });
}

interface IdempotencyFields {
  scope: string;
  fingerprint: string;
}

/** The first answer under this scope, if there was one. @throws Refusal when its body was another. */
async function findReplay(
  { database, clock }: CreateDeps,
  scope: string,
  fingerprint: string,
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

async function createOnce(
  deps: CreateDeps,
  command: CreateCommand,
  fields: IdempotencyFields,
): Promise<CreateAnswer> {
  const { database, clock } = deps;
  const read = await database.accounts.find(command.caller.accountId);
  const now = clock.now();
  const { accountId, keyId } = command.caller;
  const key =
    read &&
    (keyId === null ? siteRequester(read, deps.autoApprovedHosts, now) : liveKey(read, keyId, now));
  let account: Account | null = null;
  try {
    if (!read || !key) throw new Refusal('invalid_api_key');
    if (read.status !== 'active') throw new Refusal('account_suspended');
    const limits = limitsOf(read, deps.defaultLimits);
    const allowance = takeCreate(read, limits, now);
    if ('retryAfterSeconds' in allowance) throw rateLimited(limits, allowance.retryAfterSeconds);
    account = { ...read, createBucket: allowance.bucket };
    const type = command.path === '/v1/videos' ? 'video' : 'image';
    const request = judgeCreate(deps, type, command.body, key, now);
    await requireOwnOutputs(deps, command.caller.accountId, request);
    return await accept(deps, command, fields, { read, account, limits, request, now });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The rule may speak only because an earlier request with this key has just been accepted: it took
    // the last credit, place or create. What was accepted before the account was read is seen here.
    const replay = await findReplay(deps, fields.scope, fields.fingerprint);
    if (replay) return replay;
    // Refused requests count against the rate limit, too.
    if (read && account) await database.accounts.update(read, account);
    const { safetyRule } = error;
    if (safetyRule !== undefined) {
      const fields = { requestId: command.requestId, accountId, keyId, safetyRule };
      deps.log.info(fields, 'a safety rule refused a prompt');
    }
    throw error;
  }
}

interface Accepted {
  read: Account;
  account: Account;
  limits: Limits;
  request: JudgedRequest;
  now: number;
}

async function accept(
  deps: CreateDeps,
  command: CreateCommand,
  fields: IdempotencyFields,
  { read, account, limits, request, now }: Accepted,
): Promise<CreateAnswer> {
  const { database, random, reach } = deps;
  const admission = admitGeneration(account, request.costCredits, limits, now);
  if ('refused' in admission)
    throw notAdmitted(admission.refused, request.costCredits, account, limits, now);
  const { keyId } = command.caller;
  const after =
    keyId === null
      ? admission.account
      : countSpending(admission.account, keyId, request.costCredits, now);
  if (after === null) throw keyLimitReached(account, keyId, request.costCredits, now);
  const origin = {
    id: random.newId('gen'),
    accountId: command.caller.accountId,
    channel: command.caller.keyId === null ? ('pc' as const) : ('api' as const),
    keyId: command.caller.keyId,
    requestId: command.requestId,
    callerAddress: command.callerAddress,
  };
  const generation = buildGeneration(
    origin,
    request,
    admission,
    now,
    deps.waitingDeadlineMs(request.model),
  );
  const answer = answerOf(deps, generation, now);
  const entry = ledgerEntry({
    accountId: read.id,
    number: admission.account.ledgerEntries,
    kind: 'charge',
    movements: admission.movements,
    generationId: generation.id,
    requestId: command.requestId,
    at: now,
  });
  const replay = { ...fields, keptUntil: now + deps.idempotencyKeptMs, ...answer };
  await reach('create.beforeTransaction');
  await database.commit({
    insert: { ...generation, replay },
    audit: realPersonAuditOf(generation, deps.auditKeptMs),
    account: { before: read, after, spendsBefore: earliestExpiry(generation) },
    entry,
    job: { generationId: generation.id, runAt: admission.runs ? now : generation.deadlineAt },
  });
  await reach('create.beforeAnswer');
  return { ...answer, replayed: false };
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
