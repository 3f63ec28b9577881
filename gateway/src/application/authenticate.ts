import { type Log, minuteMs } from '@framegate/contract';
import { addWithin, setWithin } from '@framegate/limits';
import {
  type ApiKey,
  hashApiKey,
  isApiKey,
  liveKey,
  type VersionedSecret,
} from '../domain/accounts/apiKey.ts';
import { effectiveLimits, type Limits } from '../domain/accounts/limits.ts';
import { type CountedGroup, countedGroups } from '../domain/network/addresses.ts';
import { rateLimitHeaders } from '../domain/network/rateLimit.ts';
import { Refusal } from '../domain/refusal.ts';
import { isBarred } from '../domain/teams/formerMembers.ts';
import type { Timings } from './generations/timings.ts';
import type { Database, KeyHolder } from './ports/database.ts';
import type { AttemptStore, CustomerFactorStore, KeyUseStore } from './ports/site.ts';
import type { Clock } from './ports/system.ts';

/** The authenticated caller of a request, cached for `timings.callersCachedMs`. */
export interface Caller {
  accountId: string;
  keyId: string;
  /** Models that the key may use; null means all. */
  models: readonly string[] | null;
  /** The group whose prices apply. */
  group: string | null;
  limits: Limits;
}

/** Maximum number of cached callers. */
const maxCached = 10_000;
/** Distinct unknown keys accepted from one address group in a window. */
export const maxGuesses = 30;
/** The window in ms. */
export const guessWindowMs = 10 * minuteMs;
/** Maximum number of remembered addresses, and of guesses. */
const maxRemembered = 10_000;

/**
 * Finds the caller of an Authorization header.
 * @param address The address of the request.
 * @throws Refusal `invalid_api_key` for any fault of the key; `rate_limited` for a wrong key from an address that has
 * presented too many.
 */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Caller>;

/** Creates `authenticate`. A key with a wrong checksum is refused without a database read. */
export function createAuthenticate(deps: {
  database: Database;
  clock: Clock;
  keyPeppers: readonly VersionedSecret[];
  defaultLimits: Limits;
  /** Records each use of a key, with the caller's address. */
  keyUses: Pick<KeyUseStore, 'record'>;
  guesses: GuessLimiter;
  customerFactors: Pick<CustomerFactorStore, 'find'>;
  timings: Pick<Timings, 'callersCachedMs'>;
}): Authenticate {
  const callers = new Map<string, { until: number; caller: Promise<Caller> }>();

  async function findCaller(apiKey: string, address: string): Promise<Caller> {
    const hashes = deps.keyPeppers.map((pepper) => hashApiKey(apiKey, pepper));
    const account = await deps.database.accounts.findByKeyHash(hashes);
    const key = account?.keys.find(({ hash }) => hashes.includes(hash));
    if (!account || !key || !liveKey(account, key.id, deps.clock.now())) {
      refuseUnknown(deps.guesses, address, hashes[0] ?? '');
    }
    const isRefused =
      isBarred(account, key) ||
      (await isMakerSuspended(deps.database, key)) ||
      (await lacksMakerFactor(deps.customerFactors, account, key));
    if (isRefused) throw blockedKeyRefusal();
    return {
      accountId: account.id,
      keyId: key.id,
      models: key.models,
      group: account.group,
      limits: effectiveLimits(account, deps.defaultLimits),
    };
  }

  const recordUse = async (caller: Promise<Caller>, address: string): Promise<Caller> => {
    const storedCaller = await caller;
    deps.keyUses.record(storedCaller.keyId, address);
    return storedCaller;
  };

  return async (authorization, address) => {
    const apiKey = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    const nowMs = deps.clock.now();
    // Only keys with a correct checksum are cached.
    const hit = callers.get(apiKey);
    if (hit && hit.until > nowMs) return recordUse(hit.caller, address);
    if (!isApiKey(apiKey)) throw new Refusal('invalid_api_key');
    const caller = findCaller(apiKey, address);
    setWithin(callers, apiKey, { until: nowMs + deps.timings.callersCachedMs, caller }, maxCached);
    // A failed lookup is not cached, so a new key works immediately.
    caller.catch(() => callers.delete(apiKey));
    return recordUse(caller, address);
  };
}

/** Whether the member who made a key is suspended, or was when they were erased. */
async function isMakerSuspended(
  { accounts }: Pick<Database, 'accounts'>,
  { madeBy }: Pick<ApiKey, 'madeBy'>,
): Promise<boolean> {
  if (madeBy === undefined) return false;
  const [maker] = await accounts.findPeople([madeBy.id]);
  return maker?.status === 'suspended' && maker.isStoppedToErase !== true;
}

/** Whether a key's maker is in a team that requires a second factor, and has none. */
async function lacksMakerFactor(
  factors: Pick<CustomerFactorStore, 'find'>,
  { teamNeedsFactor = false, members = [] }: KeyHolder,
  { madeBy }: Pick<ApiKey, 'madeBy'>,
): Promise<boolean> {
  if (!teamNeedsFactor || madeBy === undefined) return false;
  const isMember = members.some(({ id }) => id === madeBy.id);
  return isMember && (await factors.find(madeBy.id)) === null;
}

/** The refusal of a key whose maker may not have one at present. */
export const blockedKeyRefusal = () =>
  new Refusal('invalid_api_key', {
    message:
      'This API key is currently not accepted: the person who created it is suspended, has a role without keys, or lacks the two-factor authentication that the team requires. Ask an account owner for another key.',
  });

/**
 * Counts and refuses an unknown key. Only unknown keys have to wait: guesses from an address never lock out valid keys
 * used there.
 * @throws Refusal `invalid_api_key`, `rate_limited`.
 */
export function refuseUnknown(guesses: GuessLimiter, address: string, keyHash: string): never {
  const waitSeconds = guesses.waitSeconds(address);
  if (waitSeconds !== null) throw tooManyGuessesRefusal(waitSeconds);
  guesses.record(address, keyHash);
  throw new Refusal('invalid_api_key');
}

function tooManyGuessesRefusal(retryAfterSeconds: number): Refusal {
  return new Refusal('rate_limited', {
    message:
      'Too many unknown API keys were sent from your address. Check the key, then try again later.',
    retryAfterSeconds,
    headers: rateLimitHeaders(
      'unknown-keys',
      { quota: maxGuesses, windowSeconds: guessWindowMs / 1000 },
      retryAfterSeconds,
    ),
  });
}

/** Limits guesses of API keys by address. */
export interface GuessLimiter {
  /** Seconds for which wrong keys from this address have to wait; null if none. */
  waitSeconds(address: string): number | null;
  /** Counts an unknown key from this address. A repeated wrong key counts once. */
  record(address: string, keyHash: string): void;
}

/**
 * Counts wrong keys by the caller's address, across processes and restarts. Waiting addresses are held in memory, so
 * valid keys cost no extra query. A count that cannot be written is lost: with 190 random bits in a key, security does
 * not depend on this limit.
 */
export function createGuessLimiter(deps: {
  attempts: Pick<AttemptStore, 'count'>;
  clock: Pick<Clock, 'now'>;
  log: Pick<Log, 'warn'>;
}): GuessLimiter {
  /** End of an address's wait, in ms since the epoch. */
  const waits = new Map<string, number>();
  const loggedGroups = new Set<string>();

  async function count({ group, times }: CountedGroup): Promise<void> {
    const max = maxGuesses * times;
    const guesses = await deps.attempts.count(`apiKeyAddress:${group}`, guessWindowMs);
    if (guesses.count < max) return;
    setWithin(waits, group, guesses.endsAt, maxRemembered);
    if (guesses.count === max) deps.log.warn({ from: group }, 'address is trying API keys');
  }

  return {
    waitSeconds(address) {
      const untilMs = countedGroups(address).map(({ group }) => waits.get(group) ?? 0);
      const waitMs = Math.max(...untilMs) - deps.clock.now();
      return waitMs > 0 ? Math.ceil(waitMs / 1000) : null;
    },

    record(address, keyHash) {
      for (const countedGroup of countedGroups(address)) {
        const guess = `${countedGroup.group} ${keyHash}`;
        if (loggedGroups.has(guess)) continue;
        addWithin(loggedGroups, guess, maxRemembered);
        count(countedGroup).catch((error: unknown) => {
          loggedGroups.delete(guess);
          deps.log.warn({ error }, 'failed to count an unknown API key');
        });
      }
    },
  };
}
