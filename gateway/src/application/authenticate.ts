import { limitsOf, liveKey } from '../domain/account.ts';
import { hashApiKey, isApiKey, type VersionedSecret } from '../domain/apiKey.ts';
import type { Limits } from '../domain/limits.ts';
import { rateLimitHeaders } from '../domain/rateLimitHeaders.ts';
import { Refusal } from '../domain/refusal.ts';
import { guessesAtMost, guessWindowMs, type GuessLimiter } from './limitGuesses.ts';
import type { Clock } from './ports/clock.ts';
import type { Database } from './ports/database.ts';

/** Who makes a request, as known for at most five seconds. */
export interface Caller {
  accountId: string;
  keyId: string;
  /** Models that the key may use; null means all. */
  models: readonly string[] | null;
  limits: Limits;
}

/** How long a key may be known from memory, in ms (design section 4, Errors). */
const cachedMs = 5_000;
const cachedAtMost = 10_000;

/**
 * Finds the caller of an Authorization header.
 * @param address Where the request came from.
 * @throws Refusal `invalid_api_key`, whatever is wrong with the key; `rate_limited` for a wrong key from an
 * address that has presented too many of them.
 */
export type Authenticate = (authorization: string | undefined, address: string) => Promise<Caller>;

/** Makes `authenticate`: a key with a wrong checksum is refused without a database read. */
export function createAuthenticate(deps: {
  database: Database;
  clock: Clock;
  keyPeppers: readonly VersionedSecret[];
  defaultLimits: Limits;
  /** Told of each use of a key. */
  noteUse?: (keyId: string) => void;
  guesses: GuessLimiter;
}): Authenticate {
  const known = new Map<string, { until: number; caller: Promise<Caller> }>();

  async function look(apiKey: string, address: string): Promise<Caller> {
    const hashes = deps.keyPeppers.map((pepper) => hashApiKey(apiKey, pepper));
    const account = await deps.database.accounts.findByKeyHash(hashes);
    const key = account?.keys.find(({ hash }) => hashes.includes(hash));
    if (!account || !key || !liveKey(account, key.id, deps.clock.now())) {
      // Only keys of nobody are told to wait: guesses of neighbours behind one address lock no good key out.
      const waitSeconds = deps.guesses.waitSeconds(address);
      if (waitSeconds !== null) throw tooManyGuesses(waitSeconds);
      deps.guesses.note(address, hashes[0] ?? '');
      throw new Refusal('invalid_api_key');
    }
    return {
      accountId: account.id,
      keyId: key.id,
      models: key.models,
      limits: limitsOf(account, deps.defaultLimits),
    };
  }

  const used = async (caller: Promise<Caller>): Promise<Caller> => {
    const known = await caller;
    deps.noteUse?.(known.keyId);
    return known;
  };

  return async (authorization, address) => {
    const apiKey = /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? '';
    if (!isApiKey(apiKey)) throw new Refusal('invalid_api_key');
    const now = deps.clock.now();
    const hit = known.get(apiKey);
    if (hit && hit.until > now) return used(hit.caller);
    if (known.size >= cachedAtMost) known.clear();
    const caller = look(apiKey, address);
    known.set(apiKey, { until: now + cachedMs, caller });
    // A failed look-up is not remembered: a key made a moment ago works at once.
    caller.catch(() => known.delete(apiKey));
    return used(caller);
  };
}

function tooManyGuesses(retryAfterSeconds: number): Refusal {
  return new Refusal('rate_limited', {
    message:
      'Too many unknown API keys came from your address. Check the key, then try again later.',
    retryAfterSeconds,
    headers: rateLimitHeaders(
      'unknown-keys',
      { quota: guessesAtMost, windowSeconds: guessWindowMs / 1000 },
      retryAfterSeconds,
    ),
  });
}
