import { createHash } from 'node:crypto';
import type { Log } from '@framegate/contract';
import { readWhole } from '@framegate/limits';
import type { Passwords } from '../../application/ports/system.ts';

/** The cost of an argon2id hash: its memory in KiB, passes, and lanes. */
interface HashCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane; about 50 ms. */
const defaultCost: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * Hashes passwords with argon2id, the library's default variant. The library is loaded on first use.
 * @param cost Only tests pass another.
 */
export const createPasswords = (cost = defaultCost): Passwords => ({
  async hash(password) {
    const { hash } = await import('@node-rs/argon2');
    return hash(password.normalize('NFC'), cost);
  },
  isKnown: isKnownPassword,
  words: [],
  async verify(passwordHash, password) {
    const { verify } = await import('@node-rs/argon2');
    return verify(passwordHash, password.normalize('NFC'));
  },
});

/** Passwords at their usual cost. */
export const argon2Passwords = createPasswords();

let knownPasswords: Promise<ReadonlySet<string>> | null = null;

/**
 * Whether a password is on the list of common passwords, ignoring case. The list, some 18,000 of eight
 * characters or more, is loaded on first use (about 0.1 s) and stays in memory.
 */
async function isKnownPassword(password: string): Promise<boolean> {
  knownPasswords ??= loadKnownPasswords();
  return (await knownPasswords).has(password.normalize('NFC').trim().toLowerCase());
}

async function loadKnownPasswords(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  // Shorter ones are refused anyway.
  return new Set(dictionary['passwords-common'].filter(({ length }) => length >= 8));
}

/** Time limit of the leaked-password service, in ms: a person is waiting. */
const rangeMs = 3_000;
/** Maximum size of its response, in bytes: a range has about a thousand lines of 40. */
const maxRangeBytes = 1024 * 1024;

/**
 * Asks a service with the range API of Pwned Passwords (k-anonymity) whether a password has leaked: it learns the first
 * five of forty digits of the password's SHA-1. If the service does not respond, the password counts as unknown; the
 * log says so.
 * @param rangeUrl Address to which the five digits are appended.
 */
export function createLeakedPasswords(
  rangeUrl: string,
  log: Pick<Log, 'warn'>,
): (password: string) => Promise<boolean> {
  return async (password) => {
    const digest = createHash('sha1').update(password.normalize('NFC')).digest('hex').toUpperCase();
    try {
      const range = await readRange(`${rangeUrl}/${digest.slice(0, 5)}`);
      // Padding has the count 0.
      return range.some((line) => line.startsWith(`${digest.slice(5)}:`) && !/:0+$/.test(line));
    } catch (error) {
      log.warn({ error }, 'leaked-password service did not respond');
      return false;
    }
  };
}

async function readRange(url: string): Promise<string[]> {
  const response = await fetch(url, {
    headers: { 'Add-Padding': 'true' },
    redirect: 'error',
    signal: AbortSignal.timeout(rangeMs),
  });
  if (!response.ok || response.body === null) throw new Error(`status ${response.status}`);
  const range = await readWhole(response.body, maxRangeBytes);
  return range.toString('latin1').split(/\r?\n/);
}
