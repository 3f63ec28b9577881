import { createHash } from 'node:crypto';
import { hourMs, minuteMs } from '@framegate/contract';
import type { Account } from '../../domain/accounts/account.ts';
import { addressGroup, countedGroups } from '../../domain/network/addresses.ts';
import { Refusal } from '../../domain/refusal.ts';
import { deviceNameOf } from '../../domain/signIn/deviceCookies.ts';
import type { App } from '../app.ts';
import type { EntryPoint, SignInOutcome } from '../ports/site.ts';
import { auditEntry } from '../staff/auditEntry.ts';

/**
 * Limits on attempts: by the caller's address, by account, by both together (`Pair`), and by a browser that has signed
 * in to the account before.
 */
export const attemptLimits = {
  signInBrowser: { max: 10, windowMs: 15 * minuteMs },
  signInAddress: { max: 60, windowMs: 15 * minuteMs },
  signInPair: { max: 10, windowMs: 15 * minuteMs },
  signInAccount: { max: 100, windowMs: 15 * minuteMs },
  mailBrowser: { max: 5, windowMs: hourMs },
  mailAddress: { max: 30, windowMs: hourMs },
  mailPair: { max: 5, windowMs: hourMs },
  mailAccount: { max: 15, windowMs: hourMs },
  signOnAddress: { max: 60, windowMs: 15 * minuteMs },
  signUpAddress: { max: 20, windowMs: hourMs },
  codeAddress: { max: 60, windowMs: 15 * minuteMs },
  ledgerDownload: { max: 30, windowMs: hourMs },
  // One at a time; cleared at the end.
  ledgerExport: { max: 1, windowMs: 10 * minuteMs },
  accountExport: { max: 10, windowMs: hourMs },
  upload: { max: 60, windowMs: hourMs },
  // Codes to a signed-in person without a password, one for each new access.
  proofMail: { max: 20, windowMs: hourMs },
  currentPassword: { max: 10, windowMs: 15 * minuteMs },
  // Invitations to one team, and to one address from all teams.
  teamInvitation: { max: 30, windowMs: hourMs },
  invitedMailbox: { max: 5, windowMs: hourMs },
  // Emails of one kind to an owner.
  notice: { max: 10, windowMs: hourMs },
  siteCodeBrowser: { max: 10, windowMs: 15 * minuteMs },
  siteCodeAddress: { max: 60, windowMs: 15 * minuteMs },
  siteCode: { max: 10, windowMs: 15 * minuteMs },
  staffCodeBrowser: { max: 10, windowMs: 15 * minuteMs },
  staffCode: { max: 10, windowMs: 15 * minuteMs },
} as const;

type AttemptKind = keyof typeof attemptLimits;

/** The origin of a request. */
export interface Origin {
  address: string;
  requestId: string;
  /** The browser's device cookies (domain/signIn/deviceCookies.ts); empty if there are none. */
  deviceCookies: string;
}

/** Exceeded a limit on attempts. `recordThrottled` catches it and records the first one in each window. */
export class TooManyAttemptsRefusal extends Refusal {
  /** Whether this is the first refused attempt in its window. */
  readonly isFirst: boolean;
  constructor(kind: AttemptKind, minutes: number, isFirst: boolean) {
    if (kind === 'ledgerExport') super('export_runs', { values: { minutes } });
    else super('tried_too_often', { values: { minutes, instead: otherWay[kind] ?? 'none' } });
    this.isFirst = isFirst;
  }
}

/** A counted attempt, to be cleared on success. */
export type CountedAttempt = readonly (readonly [AttemptKind, string])[];

/** The counter's name; it contains no email address. */
function counterName(kind: AttemptKind, who: string): string {
  return `${kind}:${createHash('sha256').update(who).digest('base64url')}`;
}

/**
 * Counts an attempt, by address once for each group of the address. A `Pair` is counted only for the narrowest group,
 * because its account has a limit across all addresses.
 * @throws TooManyAttemptsRefusal beyond the limit, with the time to wait.
 */
export async function countAttempt(
  { attempts, clock }: Pick<App, 'attempts' | 'clock'>,
  kind: AttemptKind,
  who: string,
): Promise<void> {
  const { max, windowMs } = attemptLimits[kind];
  const groups = kind.endsWith('Address') ? countedGroups(who) : [{ group: who, times: 1 }];
  for (const { group, times } of groups) {
    const { count, endsAt } = await attempts.count(counterName(kind, group), windowMs);
    if (count > max * times) {
      const minutes = Math.max(1, Math.ceil((endsAt - clock.now()) / minuteMs));
      throw new TooManyAttemptsRefusal(kind, minutes, count === max * times + 1);
    }
  }
}

/** Alternatives for an owner while strangers try to enter the account from many addresses. */
const otherWay: Partial<Record<AttemptKind, string>> = {
  signInAccount: 'password',
  siteCode: 'code',
  mailAccount: 'mail',
};

/**
 * Counts a sign-in or an email to an account. A browser that has signed in to the account before has its own count. Any
 * other is counted by its address, by address and account together, and last by account with a wide limit: failures
 * from one address never lock out the owner, and failures from many affect only browsers that the account has
 * never seen.
 * @throws TooManyAttemptsRefusal beyond a limit.
 */
export async function countForAccount(
  deps: Pick<App, 'attempts' | 'clock' | 'sessionKeys'>,
  what: 'signIn' | 'mail',
  email: string,
  { address, deviceCookies: marks }: Origin,
): Promise<CountedAttempt> {
  const browser = deviceNameOf(marks, email, deps.sessionKeys);
  const pair = `${email} ${addressGroup(address)}`;
  const attempt: CountedAttempt =
    browser === null
      ? [
          [`${what}Address`, address],
          [`${what}Pair`, pair],
          [`${what}Account`, email],
        ]
      : [[`${what}Browser`, browser]];
  for (const [kind, who] of attempt) await countAttempt(deps, kind, who);
  return attempt.filter(([kind]) => !kind.endsWith('Address'));
}

/**
 * Counts a code typed for an account. Browsers that the account has never seen share one count, whatever their address:
 * otherwise six digits could be guessed from many addresses.
 * @throws TooManyAttemptsRefusal beyond a limit.
 */
export async function countCode(
  deps: Pick<App, 'attempts' | 'clock' | 'sessionKeys'>,
  what: 'siteCode' | 'staffCode',
  { id, email }: Pick<Account, 'id' | 'email'>,
  { deviceCookies: marks }: Origin,
): Promise<CountedAttempt> {
  const browser = deviceNameOf(marks, email, deps.sessionKeys);
  const counter: CountedAttempt[number] =
    browser === null ? [what, id] : [`${what}Browser`, browser];
  await countAttempt(deps, ...counter);
  return [counter];
}

/** Clears attempts after a success. */
export async function forgetAttempts(
  { attempts }: Pick<App, 'attempts'>,
  attempt: CountedAttempt,
): Promise<void> {
  for (const [kind, who] of attempt) await attempts.clear(counterName(kind, who));
}

const auditResults = {
  password: 'Wrong password.',
  code: 'Wrong code.',
  passkey: 'Refused passkey.',
  throttled: 'Tried too often.',
};

/**
 * Records a failed sign-in: a log line with account and address group, a count for the metrics, and an audit entry for
 * a staff account.
 * @param what.account Null if the address has no account.
 */
export async function recordFailure(
  deps: App,
  what: {
    entryPoint: EntryPoint;
    outcome: Exclude<SignInOutcome, 'done'>;
    account: Pick<Account, 'id' | 'email' | 'staffRole'> | null;
    from: Omit<Origin, 'deviceCookies'>;
  },
): Promise<void> {
  const { log, recordSignIn } = deps;
  const { entryPoint, outcome, account, from } = what;
  recordSignIn(entryPoint, outcome);
  const { address, requestId } = from;
  const accountId = account?.id ?? null;
  log.warn(
    { requestId, accountId, from: addressGroup(address), entryPoint, outcome },
    'sign-in failed',
  );
  if (!account || account.staffRole === null) return;
  const { id, email, staffRole: role } = account;
  const who = { accountId: id, email, role, requestId, address };
  const result = `${auditResults[outcome]} (${entryPoint})`;
  await deps.audit.begin(
    auditEntry(deps, { ...who, action: 'sign in', outcome: 'refused', result }),
  );
}

/**
 * Counts an attempt and records the first one beyond the limit; later ones only count in the metrics, so that a
 * flood fills neither the log nor the audit.
 * @param at.find Finds the account concerned.
 */
export async function recordThrottled<T>(
  deps: App,
  at: {
    entryPoint: EntryPoint;
    from: Omit<Origin, 'deviceCookies'>;
    find: () => Promise<Account | null>;
  },
  count: () => Promise<T>,
): Promise<T> {
  try {
    return await count();
  } catch (error) {
    if (!(error instanceof TooManyAttemptsRefusal)) throw error;
    const { entryPoint, from } = at;
    if (error.isFirst) {
      await recordFailure(deps, {
        entryPoint,
        from,
        outcome: 'throttled',
        account: await at.find(),
      });
    } else {
      deps.recordSignIn(entryPoint, 'throttled');
    }
    throw error;
  }
}
