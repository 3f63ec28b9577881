import type { KeyHost } from '../../domain/account.ts';
import { erasedEmail } from '../../domain/erasedAnswer.ts';
import { endPlan } from '../../domain/plan.ts';
import { byId, byKeyId, changeAccount } from '../accounts/accounts.ts';
import { grantCredits } from '../accounts/grantCredits.ts';
import { requireHostRule } from '../accounts/keys.ts';
import { eraseGenerations, erasureInWords } from '../generations/eraseGenerations.ts';
import type { WorkDeps } from '../generations/deps.ts';
import { forgetInTeams } from '../site/team.ts';
import type { SiteDeps } from '../site/siteDeps.ts';
import type { StaffWrites } from './ports.ts';
import type { Actor } from './runAction.ts';
import { moveCredits } from './secondPerson.ts';
import type { StaffDeps } from './staffDeps.ts';
import { pause } from '@framegate/limits';
import { PlainRefusal } from '../../domain/refusal.ts';

/** Lifetime of goodwill credits, in ms: a year. */
const goodwillMs = 365 * 24 * 3600 * 1000;

/** Gives a customer credits as compensation. */
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
    throw new PlainRefusal('This is too much for goodwill: use “Grant credits”.');
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

/** Refuses an input host requested by a key's owner, or withdraws an approval. */
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
 * Signs a customer out of the site in every browser. Console sessions remain.
 * @throws PlainRefusal if the account does not exist.
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
 * Erases a customer: the account loses its address, password, key names and hosts and can no longer be used. The ledger
 * stays, under an id that identifies nobody. The personal data of its generations is queued for the lane `erase`
 * (`eraseGenerations.ts`). A repeated call retries failed parts at once.
 * @throws PlainRefusal while generations are unfinished, or for a member of staff.
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
        email: erasedEmail(accountId),
        externalId: null,
        group: null,
        ...(account.members && { members: [] }),
        ...(account.formerMembers && { formerMembers: [] }),
        ...(account.invitations && { invitations: [] }),
        ...(account.plan && { plan: endPlan(account.plan, now) }),
        passwordHash: null,
        ...(account.identities && { identities: [] }),
        verified: false,
        status: 'suspended',
        keys: account.keys.map((key) => ({
          ...key,
          name: 'erased',
          hosts: [],
          ...(key.madeBy && { madeBy: { ...key.madeBy, email: '' } }),
          revokedAt: Math.min(key.revokedAt ?? now, now),
        })),
      },
    };
  });
  await forgetInTeams(deps.work, before);
  await database.erasures.begin(accountId);
  await database.uploads.expireAll(accountId);
  const keyIds = before.keys.map(({ id }) => id);
  await deps.writes.eraseTraces(accountId, before.email, keyIds);
  return `The account is erased; its generations are erased in the background: its page shows how far. Its ledger stays under ${accountId}.`;
}

/** Interval of progress reports during an erasure, in ms. */
const reportEveryMs = 2_000;

/**
 * Erases a customer and the personal data in its generations, together with any workers.
 * @param report Receives the progress as a sentence.
 * @throws PlainRefusal like `eraseAccount`, and if some data could not be erased: workers continue.
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
    // A worker may be doing the work.
    await pause(reportEveryMs, signal);
  }
}
