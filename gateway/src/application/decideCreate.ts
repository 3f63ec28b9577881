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
import { ledgerEntry } from '../domain/ledger.ts';
import type { Limits } from '../domain/limits.ts';
import { realPersonAuditOf } from '../domain/realPersonAudit.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Caller } from './authenticate.ts';
import { buildGeneration } from './buildGeneration.ts';
import { judgeCreate, type CreateRules, type JudgedRequest } from './judgeCreate.ts';
import { keyLimitReached, notAdmitted, rateLimited } from './limitRefusals.ts';
import { pollHintFor } from './pollHint.ts';
import type { Clock } from './ports/clock.ts';
import type { AccountDecision, Database } from './ports/database.ts';
import type { DurationStats } from './ports/durationStats.ts';
import type { ReachFaultPoint } from './ports/faultPoint.ts';
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

/** The Idempotency-Key in its scope, and the body that it came with. */
export interface IdempotencyFields {
  scope: string;
  fingerprint: string;
}

/** What a create is decided by. */
export interface DecideDeps extends CreateRules {
  database: Database;
  clock: Clock;
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
}

/** A create that was accepted, or the refusal although the account was changed. */
export type Created =
  { answer: CreateAnswer; refusal?: undefined } | { answer?: undefined; refusal: Refusal };

/**
 * Decides about a create on the account as it is: key, status, rate limit, the request's own rules, then
 * places and credits. A request that is refused has used up one create of the rate limit all the same.
 * @throws Refusal where not even that is written.
 */
export async function decideCreate(
  deps: DecideDeps,
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
  deps: DecideDeps,
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
  deps: DecideDeps,
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
