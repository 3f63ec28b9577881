import { limitsOf, liveKey, siteRequester, type Account } from '../../domain/account.ts';
import type { Generation } from '../../domain/generation.ts';
import { ledgerEntry } from '../../domain/credits.ts';
import { realPersonAuditOf } from '../../domain/realPerson.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { TraceContext } from '../../domain/traceContext.ts';
import { type Charge, buildGeneration, chargeAccount, countCreate } from './admitCreate.ts';
import type { Caller } from '../authenticate.ts';
import { checkRequest, requireOwnOutputs, type CheckedRequest } from './checkRequest.ts';
import type { CreateDeps } from './deps.ts';
import {
  idempotently,
  type CreateAnswer,
  type FirstAnswer,
  type IdempotencyFields,
  type IdempotentRequest,
} from './idempotently.ts';
import { NoSuchAccount, type AccountDecision } from '../ports/database.ts';
import { pollHintFor, presentGeneration } from './presentGeneration.ts';

/** A create as it came over HTTP. */
export interface CreateCommand extends IdempotentRequest {
  /** Without a key it is the account's own site that asks: channel `pc`. */
  caller: Pick<Caller, 'accountId'> & { keyId: string | null };
  path: '/v1/videos' | '/v1/images';
  /** Credits that the caller is ready to pay at most; a replay costs nothing. */
  maxCredits?: number | undefined;
  requestId: string;
  callerAddress: string;
  /** The span of the create, to which the work on the generation belongs. */
  trace?: TraceContext | null;
}

/**
 * Accepts a generation once per Idempotency-Key: charges it, stores it and its job in one majority
 * transaction, and answers 202; the same key and body get the same bytes again (I1, I2, I3, I4, I9).
 * @throws Refusal; nothing is stored then, and nothing but one create of the rate limit is consumed.
 */
export async function createGeneration(
  deps: CreateDeps,
  command: CreateCommand,
): Promise<CreateAnswer> {
  return idempotently(deps, command, (fields) => create(deps, command, fields));
}

async function create(
  deps: CreateDeps,
  command: CreateCommand,
  fields: IdempotencyFields,
): Promise<FirstAnswer> {
  const result = await deps.database
    .changeAccount(command.caller.accountId, (account) =>
      decideCreate(deps, command, fields, account),
    )
    .catch((error: unknown) => {
      throw error instanceof NoSuchAccount ? new Refusal('invalid_api_key') : error;
    });
  if (result instanceof Refusal) {
    noteSafety(deps, command, result);
    throw result;
  }
  await deps.reach('create.beforeAnswer');
  return result;
}

/** Logs which rule of the operator refused a prompt; the caller does not see it. */
function noteSafety(deps: CreateDeps, command: CreateCommand, { safetyRule }: Refusal): void {
  if (safetyRule === undefined) return;
  const { requestId, caller } = command;
  const fields = { requestId, accountId: caller.accountId, keyId: caller.keyId, safetyRule };
  deps.log.info(fields, 'a safety rule refused a prompt');
}

/**
 * Decides about a create on the account as it is: key, account state and rate limit; then the request's
 * own rules; then place, credits and the key's daily limit. A request that is refused after the rate
 * limit has used up one create of it: the refusal is the decision's result then, and the count is written.
 * @throws Refusal of the first three: nothing is written.
 */
async function decideCreate(
  deps: CreateDeps,
  command: CreateCommand,
  fields: IdempotencyFields,
  found: Account,
): Promise<AccountDecision<FirstAnswer | Refusal>> {
  const now = deps.clock.now();
  const { keyId } = command.caller;
  const key =
    keyId === null ? siteRequester(found, deps.autoApprovedHosts, now) : liveKey(found, keyId, now);
  if (!key) throw new Refusal('invalid_api_key');
  if (found.status !== 'active') throw new Refusal('account_suspended');
  const limits = limitsOf(found, deps.defaultLimits);
  const account = countCreate(found, limits, now);
  try {
    const type = command.path === '/v1/videos' ? 'video' : 'image';
    const request = checkRequest(deps, type, command.body, key, now);
    await requireOwnOutputs(deps, account.id, request);
    requireWithinLimit(request.costCredits, command.maxCredits);
    const charge = chargeAccount(account, keyId, request.costCredits, limits, now);
    return await accept(deps, command, fields, request, charge, now);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { after: account, result: error };
  }
}

/** @throws Refusal `price_above_limit`. */
function requireWithinLimit(costCredits: number, maxCredits = Infinity): void {
  if (costCredits <= maxCredits) return;
  throw new Refusal('price_above_limit', {
    message: `This needs ${costCredits} credits, and the limit is ${maxCredits}. Nothing was charged: ask for a smaller resolution, duration or number, or raise the limit.`,
  });
}

/** Everything that is written for an accepted create, and its answer. */
async function accept(
  deps: CreateDeps,
  command: CreateCommand,
  fields: IdempotencyFields,
  request: CheckedRequest,
  charge: Charge,
  now: number,
): Promise<AccountDecision<FirstAnswer>> {
  const { accountId, keyId } = command.caller;
  const { requestId, callerAddress } = command;
  const generation = buildGeneration(
    {
      id: deps.random.newId('gen'),
      accountId,
      channel: keyId === null ? 'pc' : 'api',
      keyId,
      requestId,
      callerAddress,
      ...(command.trace && { trace: command.trace }),
    },
    request,
    charge,
    now,
    deps.waitingDeadlineMs(request.model),
  );
  const answer = answerOf(deps, generation, now);
  const replay = {
    scope: fields.scope,
    fingerprint: fields.fingerprint,
    keptUntil: now + deps.idempotencyKeptMs,
    body: answer.body,
    headers: answer.headers,
  };
  await deps.reach('create.beforeTransaction');
  return {
    after: charge.account,
    spendsBefore: earliestExpiry(generation),
    insert: { ...generation, replay },
    audit: realPersonAuditOf(generation, deps.auditKeptMs),
    entry: ledgerEntry({
      accountId,
      number: charge.account.ledgerEntries,
      kind: 'charge',
      movements: charge.movements,
      generationId: generation.id,
      requestId,
      at: now,
    }),
    job: { generationId: generation.id, runAt: charge.runs ? now : generation.deadlineAt },
    result: answer,
  };
}

/** When the first of the lots that pay expires: the database refuses the spending from then on. */
function earliestExpiry(generation: Generation): number | undefined {
  const expiries = generation.charge.flatMap(({ expiresAt }) =>
    expiresAt === null ? [] : [expiresAt],
  );
  return expiries.length > 0 ? Math.min(...expiries) : undefined;
}

function answerOf(deps: CreateDeps, generation: Generation, now: number): FirstAnswer {
  const hint = pollHintFor(deps, generation) ?? 1;
  const record = presentGeneration(generation, deps.addresses, now, hint);
  return {
    body: JSON.stringify(record),
    headers: { Location: record.status_url, 'Retry-After': String(hint) },
  };
}
