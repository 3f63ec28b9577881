import type { Account } from '../../domain/account.ts';
import { addressGroup } from '../../domain/addresses.ts';
import { TriedTooOften, type Origin } from './countAttempt.ts';
import type { Door, SignInOutcome } from './ports.ts';
import type { SiteDeps } from './siteDeps.ts';

const words = { password: 'Wrong password.', code: 'Wrong code.', held: 'Tried too often.' };

/**
 * Notes a failed sign-in: a line of the log with account and address group, a count for the metrics, and
 * for an account of staff an entry of the audit log.
 * @param what.account Null where the address has none.
 */
export async function noteFailure(
  { log, recordSignIn, audit, clock, random }: SiteDeps,
  what: {
    door: Door;
    outcome: Exclude<SignInOutcome, 'done'>;
    account: Pick<Account, 'id' | 'email' | 'staffRole'> | null;
    from: Omit<Origin, 'marks'>;
  },
): Promise<void> {
  const { door, outcome, account, from } = what;
  recordSignIn(door, outcome);
  const { address, requestId } = from;
  const accountId = account?.id ?? null;
  log.warn({ requestId, accountId, from: addressGroup(address), door, outcome }, 'sign-in failed');
  if (!account || account.staffRole === null) return;
  const { id, email, staffRole: role } = account;
  await audit.begin({
    id: random.newId('aud'),
    at: clock.now(),
    accountId: id,
    email,
    role,
    requestId,
    address,
    action: 'sign in',
    targets: [],
    reason: '',
    formId: null,
    outcome: 'refused',
    result: `${words[outcome]} (${door})`,
  });
}

/**
 * Counts an attempt, and notes when it is the one too many; those after it are counted by the metrics
 * alone, so that a flood fills neither the log nor the audit.
 * @param find The account that is meant.
 */
export async function noteHeld<T>(
  deps: SiteDeps,
  at: { door: Door; from: Omit<Origin, 'marks'>; find: () => Promise<Account | null> },
  count: () => Promise<T>,
): Promise<T> {
  try {
    return await count();
  } catch (error) {
    if (!(error instanceof TriedTooOften)) throw error;
    const { door, from } = at;
    if (error.isFirst) {
      await noteFailure(deps, { door, from, outcome: 'held', account: await at.find() });
    } else deps.recordSignIn(door, 'held');
    throw error;
  }
}
