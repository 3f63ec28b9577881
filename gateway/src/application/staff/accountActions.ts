import { dayMs } from '@framegate/contract';
import { pause } from '@framegate/limits';
import type { KeyHost } from '../../domain/accounts/apiKey.ts';
import { erasePerson } from '../../domain/accounts/erasure.ts';
import { Refusal } from '../../domain/refusal.ts';
import { endExternalAccess } from '../accounts/accounts.ts';
import { changeAccount, changeAccountById, targetByKeyId } from '../accounts/changeAccount.ts';
import type { App, AppCore } from '../app.ts';
import { grantCredits } from '../credits/grantCredits.ts';
import { describeErasure, eraseGenerations } from '../generations/end/eraseGenerations.ts';
import { requireHostRule } from '../keys/keyHosts.ts';
import type { StaffActor } from './runAction.ts';
import { moveCredits } from './secondPerson.ts';

/** Lifetime of goodwill credits, in ms: a year. */
const goodwillMs = 365 * dayMs;

/** Gives a customer credits as compensation. */
export async function giveGoodwill(
  deps: App,
  command: {
    accountId: string;
    amount: number;
    reason: string;
    by: Pick<StaffActor, 'role' | 'email'> & Partial<Pick<StaffActor, 'requestId'>>;
    reference?: string | undefined;
  },
): Promise<string> {
  const { accountId, amount, reason, reference } = command;
  if (amount > deps.secondPersonCredits) {
    throw new Refusal('goodwill_too_high');
  }
  await moveCredits(deps, { by: command.by, accountId, amount, confirms: null }, () =>
    grantCredits(deps, {
      accountId,
      amountCredits: amount,
      kind: 'promotional',
      expiresAt: { afterMs: goodwillMs },
      reason: `goodwill: ${reason}`,
      reference,
      requestId: command.by.requestId,
    }),
  );
  return `${amount} credits given.`;
}

/** Refuses an input host requested by a key's owner, or revokes an approval. */
export async function refuseHost(
  { database }: App,
  { keyId, host }: { keyId: string; host: string },
): Promise<string> {
  const rule = requireHostRule(host);
  const refused: KeyHost = { rule, state: 'refused' };
  await changeAccount(database, targetByKeyId(database, keyId), (account) => ({
    after: {
      ...account,
      keys: account.keys.map((key) => {
        if (key.id !== keyId) return key;
        if (!key.hosts.some((each) => each.rule === rule)) {
          throw new Refusal('host_not_requested', { values: { host: rule } });
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
 * @throws Refusal `account_not_found`.
 */
export async function endSiteSessions(
  { database }: Pick<App, 'database'>,
  accountId: string,
): Promise<string> {
  await endExternalAccess(database, accountId, { by: 'sign out of the site' });
  return 'Signed out of the site in every browser.';
}

/**
 * Erases a customer: the account loses its address, password, key names and hosts and can no longer be used, and the
 * erasure of everything else is noted in the same transaction, for the task `erase`. The ledger stays, under an id that
 * identifies no one. A repeated call retries failed parts immediately.
 * @throws Refusal `account_not_found`, `generations_unfinished`, `account_of_staff`.
 */
export async function eraseAccount(
  { database, clock }: Pick<App, 'database' | 'clock'>,
  accountId: string,
): Promise<string> {
  await changeAccountById(database, accountId, (account) => {
    const { after, person } = erasePerson(account, clock.now());
    return { after, ends: { by: 'erase' }, erases: person };
  });
  return `The account is erased. The person's other data is being erased in the background: the account page shows the progress. Its ledger stays under ${accountId}.`;
}

/** Interval of progress reports during an erasure, in ms. */
const reportEveryMs = 2_000;

/**
 * Erases a customer to the end, together with any workers.
 * @param report Receives the progress as a sentence.
 * @throws Refusal like `erasePerson`, and `files_not_deleted`: workers continue.
 */
export async function finishErasure(
  deps: Pick<AppCore, 'database' | 'clock' | 'media' | 'log'>,
  accountId: string,
  report: (progress: string) => void,
): Promise<string> {
  const { erasures } = deps.database;
  await eraseAccount(deps, accountId);
  const before = await erasures.find(accountId);
  for (;;) {
    const signal = AbortSignal.timeout(reportEveryMs);
    await eraseGenerations(deps, signal, accountId);
    const erasure = await erasures.find(accountId);
    if (!erasure) throw new Refusal('erasure_record_not_found');
    report(describeErasure(erasure));
    if (erasure.doneAt !== null) {
      return `${describeErasure(erasure)} Its ledger stays under ${accountId}.`;
    }
    if (erasure.attempts > (before?.attempts ?? 0)) throw new Refusal('files_not_deleted');
    // A worker may be doing the work.
    await pause(reportEveryMs, signal);
  }
}
