import type { KeyHost } from '../../domain/account.ts';
import { byId, byKeyId, changeAccount } from '../accounts/accounts.ts';
import { grantCredits } from '../accounts/grantCredits.ts';
import { requireHostRule } from '../accounts/keys.ts';
import { eraseGenerations, erasureInWords } from '../generations/eraseGenerations.ts';
import type { WorkDeps } from '../generations/deps.ts';
import type { SiteDeps } from '../site/siteDeps.ts';
import type { StaffWrites } from './ports.ts';
import type { Actor } from './runAction.ts';
import { moveCredits } from './secondPerson.ts';
import type { StaffDeps } from './staffDeps.ts';
import { pause } from '../ports/concurrency.ts';
import { PlainRefusal } from '../../domain/refusal.ts';

/** Goodwill credits are there for a year, in ms. */
const goodwillMs = 365 * 24 * 3600 * 1000;

/** Gives a customer credits for what went wrong. */
export async function giveGoodwill(
  deps: StaffDeps,
  command: {
    accountId: string;
    amount: number;
    reason: string;
    by: Pick<Actor, 'role' | 'email'>;
    reference?: string | undefined;
  },
): Promise<string> {
  const { accountId, amount, reason, reference } = command;
  if (amount > deps.secondPersonCredits) {
    throw new PlainRefusal('So much is no goodwill: use “Grant credits”.');
  }
  await moveCredits(deps, { by: command.by, accountId, amount, confirms: null }, () =>
    grantCredits(deps.work, {
      accountId,
      amountCredits: amount,
      kind: 'promotional',
      expiresAt: { afterMs: goodwillMs },
      reason: `goodwill: ${reason}`,
      reference,
    }),
  );
  return `${amount} credits were given.`;
}

/** Refuses an input host that a key's owner asked for, or takes an approval back. */
export async function refuseHost(
  { work: { database } }: StaffDeps,
  { keyId, host }: { keyId: string; host: string },
): Promise<string> {
  const rule = requireHostRule(host);
  const refused: KeyHost = { rule, state: 'refused' };
  await changeAccount(database, byKeyId(database, keyId), (account) => ({
    after: {
      ...account,
      keys: account.keys.map((key) => {
        if (key.id !== keyId) return key;
        if (!key.hosts.some((each) => each.rule === rule)) {
          throw new PlainRefusal(`The key has not asked for ${rule}.`);
        }
        const hosts = key.hosts.map((each) => (each.rule === rule ? refused : each));
        return { ...key, hosts };
      }),
    },
  }));
  return `${rule} is refused for ${keyId}.`;
}

/**
 * Signs a customer out of the site in every browser. Sessions of the console stay.
 * @throws PlainRefusal when there is no such account.
 */
export async function endSiteSessions(
  { database, sessions }: Pick<SiteDeps, 'database' | 'sessions'>,
  accountId: string,
): Promise<string> {
  if (!(await database.accounts.find(accountId))) {
    throw new PlainRefusal(`There is no account ${accountId}.`);
  }
  await sessions.removeOthers(accountId, null);
  return 'Signed out of the site in every browser.';
}

/**
 * Erases a customer: the account loses its address, password, key names and hosts and can do nothing
 * any more. The ledger stays, under an id that identifies no person. What its generations hold is noted as due,
 * and erased by the lane `erase` (`eraseGenerations.ts`). May be repeated: what could not be erased is
 * tried again at once.
 * @throws PlainRefusal while generations are unfinished, or when it is a member of staff.
 */
export async function eraseAccount(
  deps: {
    work: Pick<WorkDeps, 'database' | 'clock'>;
    writes: Pick<StaffWrites, 'eraseTraces'>;
  },
  accountId: string,
): Promise<string> {
  const { database, clock } = deps.work;
  const before = await database.accounts.find(accountId);
  if (!before) throw new PlainRefusal(`There is no account ${accountId}.`);
  const now = clock.now();
  await changeAccount(database, byId(database, accountId), (account) => {
    if (account.staffRole !== null) throw new PlainRefusal('It is an account of staff.');
    if (account.running + account.waiting > 0) {
      throw new PlainRefusal(
        'It has unfinished generations: suspend it and wait for their end, or fail them first.',
      );
    }
    return {
      after: {
        ...account,
        email: `${accountId}@erased.invalid`,
        passwordHash: null,
        verified: false,
        status: 'suspended',
        keys: account.keys.map((key) => ({
          ...key,
          name: 'erased',
          hosts: [],
          revokedAt: Math.min(key.revokedAt ?? now, now),
        })),
      },
    };
  });
  await database.erasures.begin(accountId);
  await database.uploads.expireAll(accountId);
  const keyIds = before.keys.map(({ id }) => id);
  await deps.writes.eraseTraces(accountId, before.email, keyIds);
  return `The account is erased; its generations are erased in the background: its page shows how far. Its ledger stays under ${accountId}.`;
}

/** How often the progress of an erasure is reported, in ms. */
const reportEveryMs = 2_000;

/**
 * Erases a customer and what its generations hold, whether or not workers run, which do a part of it.
 * @param report Receives the progress as a sentence.
 * @throws PlainRefusal as `eraseAccount` does, and when some could not be erased: workers go on.
 */
export async function eraseToTheEnd(
  deps: {
    work: Pick<WorkDeps, 'database' | 'clock' | 'media' | 'log'>;
    writes: Pick<StaffWrites, 'eraseTraces'>;
  },
  accountId: string,
  report: (progress: string) => void,
): Promise<string> {
  const { erasures } = deps.work.database;
  await eraseAccount(deps, accountId);
  const before = await erasures.find(accountId);
  for (;;) {
    const signal = AbortSignal.timeout(reportEveryMs);
    await eraseGenerations(deps.work, signal, accountId);
    const erasure = await erasures.find(accountId);
    if (!erasure) throw new PlainRefusal(`The erasure of ${accountId} is not noted any more.`);
    report(erasureInWords(erasure));
    if (erasure.doneAt !== null) {
      return `Erased, with ${erasure.count} generation(s). Its ledger stays under ${accountId}.`;
    }
    if (erasure.tries > (before?.tries ?? 0)) {
      throw new PlainRefusal('Some files could not be deleted: workers go on trying.');
    }
    // A worker may be at it.
    await pause(reportEveryMs, signal);
  }
}
