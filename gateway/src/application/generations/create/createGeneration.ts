import type { Account } from '../../../domain/accounts/account.ts';
import { liveKey, siteRequester } from '../../../domain/accounts/apiKey.ts';
import { effectiveLimits } from '../../../domain/accounts/limits.ts';
import { book } from '../../../domain/credits/book.ts';
import { firstExpiryOf } from '../../../domain/credits/credits.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import { realPersonAuditOf } from '../../../domain/generations/realPerson.ts';
import type { TraceContext } from '../../../domain/network/traceContext.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { isBarred } from '../../../domain/teams/formerMembers.ts';
import { roleIn } from '../../../domain/teams/team.ts';
import { mayInTeam } from '../../../domain/teams/teamRoles.ts';
import type { App } from '../../app.ts';
import { blockedKeyRefusal, type Caller } from '../../authenticate.ts';
import { type AccountDecision, NoSuchAccountError } from '../../ports/database.ts';
import { requireRightClock } from '../../requireRightClock.ts';
import { pollHintFor, presentGeneration } from '../presentGeneration.ts';
import {
  type AdmittedOrder,
  buildGeneration,
  chargeAccount,
  countCreate,
  type PricedRequest,
  type Spender,
} from './admitCreate.ts';
import { checkRequest, requireOwnOutputs } from './checkRequest.ts';
import {
  type CreateResponse,
  type FirstResponse,
  type IdempotencyFields,
  type IdempotentRequest,
  runIdempotently,
} from './runIdempotently.ts';

/** A create request from HTTP. */
export interface CreateCommand extends IdempotentRequest {
  /** A null key id means the account's own site: channel `pc`. */
  caller: Pick<Caller, 'accountId'> & Spender;
  path: '/v1/videos' | '/v1/images';
  /** The most credits that the caller will pay; a replay costs nothing. */
  maxCredits?: number | undefined;
  /** Equal generations to create at once, all or none, each with its own seed; 1 if absent. */
  times?: number;
  requestId: string;
  callerAddress: string;
}

/** A create request with its idempotency fields and its span, the parent of all work on the generation. */
interface FirstCreate extends CreateCommand, IdempotencyFields {
  trace: TraceContext | null;
}

/**
 * Accepts a generation once per Idempotency-Key: charges it, stores it and its job in one majority transaction, and
 * returns 202. The same key and body get the same bytes again (I1, I2, I3, I4, I9). Several at once are one
 * transaction, answered with the last of them.
 * @throws Refusal; then nothing is stored except one create request counted against the rate limit.
 */
export function createGeneration(deps: App, command: CreateCommand): Promise<CreateResponse> {
  return deps.traces.runInSpan('generation create', {}, () => {
    // Read here, because a decision about an account may run within the span of another request.
    const trace = deps.traces.current();
    return runIdempotently(deps, command, (fields) =>
      create(deps, { ...command, ...fields, trace }),
    );
  });
}

async function create(deps: App, command: FirstCreate): Promise<FirstResponse> {
  requireRightClock(deps.clock);
  const result = await deps.database
    .changeAccount(command.caller.accountId, (account) => decideCreate(deps, command, account))
    .catch((error: unknown) => {
      throw error instanceof NoSuchAccountError ? new Refusal('invalid_api_key') : error;
    });
  if (result instanceof Refusal) {
    recordSafety(deps, command, result);
    throw result;
  }
  await deps.reachFaultPoint('create.beforeResponse');
  return result;
}

/** Logs the operator's rule that refused a prompt; the response does not name it. */
function recordSafety(deps: App, command: CreateCommand, { safetyRule }: Refusal): void {
  if (safetyRule === undefined) return;
  const { requestId, caller } = command;
  const fields = { requestId, accountId: caller.accountId, keyId: caller.keyId, safetyRule };
  deps.log.info(fields, 'safety rule refused a prompt');
}

/**
 * Decides about a create request on the current state of the account: key, account state and rate limit; then the
 * request's own rules; then slot, credits and the key's daily limit. A request refused after the rate limit has used up
 * one create request, so its refusal is the decision's result and the count is written.
 * @throws Refusal for one of the first three: nothing is written.
 */
async function decideCreate(
  deps: App,
  command: FirstCreate,
  current: Account,
): Promise<AccountDecision<FirstResponse | Refusal>> {
  const nowMs = deps.clock.now();
  const { keyId } = command.caller;
  const key =
    keyId === null
      ? siteRequester(current, deps.autoApprovedHosts, nowMs)
      : liveKey(current, keyId, nowMs);
  if (!key) throw new Refusal('invalid_api_key');
  if ('madeBy' in key && isBarred(current, key)) throw blockedKeyRefusal();
  if (current.status !== 'active') throw new Refusal('account_suspended');
  requireMember(current, command.caller);
  const limits = effectiveLimits(current, deps.defaultLimits);
  const { times = 1, caller } = command;
  // Never more than the bucket can hold.
  const account = Array.from({ length: Math.min(times, limits.burst) }).reduce<Account>(
    (counted) => countCreate(counted, limits, nowMs),
    current,
  );
  try {
    const type = command.path === '/v1/videos' ? 'video' : 'image';
    const offer = await deps.offer.findAt(nowMs, current.group);
    const check = () => checkRequest(deps, offer, type, command.body, key, nowMs);
    const request = check();
    await requireOwnOutputs(deps, account.id, request);
    requireWithinLimit(request.costCredits, command.maxCredits);
    // A refusal names the price of all.
    if (times > 1) chargeAccount(account, caller, times * request.costCredits, limits, nowMs);
    const priced = { catalogueVersion: offer.version, priceGroup: current.group };
    const earlier: AccountDecision<FirstResponse>[] = [];
    const acceptNext = (checked: typeof request, isLast: boolean) => {
      const { after } = earlier.at(-1) ?? { after: account };
      const charge = chargeAccount(after, caller, checked.costCredits, limits, nowMs);
      return accept(deps, command, { ...checked, ...priced }, charge, nowMs, isLast);
    };
    while (earlier.length < times - 1) earlier.push(await acceptNext(check(), false));
    const last = await acceptNext(request, true);
    if (times === 1) return last;
    const ids = [...earlier, last].flatMap(({ insert }) => insert?.id ?? []);
    return { ...last, earlier, result: { ...last.result, ids } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { after: account, result: error };
  }
}

/** Refuses a member who has just been removed. @throws Refusal `invalid_api_key`, the same as without a key. */
function requireMember(account: Account, { personId }: Spender): void {
  if (personId === undefined) return;
  const role = roleIn(account, personId);
  if (role !== null && mayInTeam(role, 'create')) return;
  throw new Refusal('invalid_api_key');
}

/** @throws Refusal `price_above_limit`. */
function requireWithinLimit(costCredits: number, maxCredits = Infinity): void {
  if (costCredits <= maxCredits) return;
  throw new Refusal('price_above_limit', {
    message: `This needs ${costCredits} credits, and the limit is ${maxCredits}. Nothing was charged: request a lower resolution, a shorter duration or fewer images, or raise the limit.`,
  });
}

/** The writes and the response of an accepted create request. @param isLast Whether it is the one that is replayed. */
async function accept(
  deps: App,
  command: FirstCreate,
  request: PricedRequest,
  charge: AdmittedOrder,
  nowMs: number,
  isLast: boolean,
): Promise<AccountDecision<FirstResponse>> {
  const { accountId, keyId, personId } = command.caller;
  const { requestId, callerAddress } = command;
  const generation = buildGeneration(
    {
      id: deps.random.newId('gen'),
      accountId,
      channel: keyId === null ? 'pc' : 'api',
      keyId,
      ...(personId !== undefined && { madeBy: personId }),
      requestId,
      callerAddress,
      ...(command.trace && { trace: command.trace }),
    },
    request,
    charge,
    nowMs,
    deps.waitingDeadlineMs(request.model),
  );
  const response = responseOf(deps, generation, nowMs);
  const replay = {
    scope: command.scope,
    fingerprint: command.fingerprint,
    keptUntil: nowMs + deps.idempotencyKeptMs,
    body: response.body,
    headers: response.headers,
  };
  await deps.reachFaultPoint('create.beforeTransaction');
  const { account, movements } = charge;
  const names = { generationId: generation.id, requestId };
  return {
    ...book(account, { lots: account.lots, movements }, { kind: 'charge', ...names, at: nowMs }),
    spendsBefore: firstExpiryOf(generation.charge),
    insert: isLast ? { ...generation, replay } : generation,
    audit: realPersonAuditOf(generation, deps.auditKeptMs),
    job: { generationId: generation.id, runAt: charge.canRun ? nowMs : generation.deadlineAt },
    result: response,
  };
}

function responseOf(deps: App, generation: Generation, nowMs: number): FirstResponse {
  const hint = pollHintFor(deps, generation) ?? 1;
  const record = presentGeneration(generation, deps.publicUrls, nowMs, hint);
  return {
    body: JSON.stringify(record),
    headers: { Location: record.status_url, 'Retry-After': String(hint) },
  };
}
