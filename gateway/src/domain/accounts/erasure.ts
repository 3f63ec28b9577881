import { sum } from '@framegate/contract';
import { planEndedAt } from '../credits/plan.ts';
import { Refusal } from '../refusal.ts';
import type { Account } from './account.ts';
import { endKey } from './apiKey.ts';
import { answerCreditRequest } from './creditRequest.ts';
import { erasedEmail, isErased } from './erasedResponse.ts';

/** Data for finding the traces of an erased person; removed with the last trace. */
export interface ErasedPerson {
  /** The former address. */
  email: string;
  /** Ids of the teams that the person had joined. */
  teams: readonly string[];
  /** Ids of the account's keys. */
  keyIds: readonly string[];
}

/** Kinds of data that an erasure removes and counts, apart from generations. */
export const traceKinds = [
  'sessions',
  'console sessions',
  'mailed codes',
  'sign-in links',
  'second factors',
  'recovery codes',
  'passkeys',
  'enrolment links',
  'shared links',
  'teams and invitations',
  'files',
  'mails',
  'sign-up invitations',
  'collections',
  'log of the team',
  'mail choices',
  'former keys',
  'uses of keys',
  'stored responses',
  'addresses of real-person records',
] as const;

/** A kind of data that an erasure removes. */
export type TraceKind = (typeof traceKinds)[number];

/** Removed documents of one kind. */
export interface ErasedTraces {
  kind: TraceKind;
  count: number;
}

/**
 * The account while its erasure waits for the end of unfinished generations, or is done: it starts none. A suspension
 * by the operator remains, also for the keys that the person made in teams.
 */
export const stopToErase = (account: Account): Account =>
  account.status === 'active'
    ? { ...account, status: 'suspended', isStoppedToErase: true }
    : account;

/**
 * The account without its person: it keeps its ledger and credits under an id that identifies no one, and can no longer
 * be used. Safe to repeat.
 * @returns The account, and where the person's traces are; null once it is erased.
 * @throws Refusal `generations_unfinished`, `account_of_staff`.
 */
export function erasePerson(
  account: Account,
  nowMs: number,
): { after: Account; person: ErasedPerson | null } {
  if (account.staffRole !== null) throw new Refusal('account_of_staff');
  if (account.running + account.waiting > 0) throw new Refusal('generations_unfinished');
  const { email, teams = [], keys } = account;
  const person = isErased(account) ? null : { email, teams, keyIds: keys.map(({ id }) => id) };
  const { creditRequest } = answerCreditRequest(account, 'declined');
  const after: Account = {
    ...stopToErase(account),
    email: erasedEmail(account.id),
    externalId: null,
    group: null,
    ...(account.members && { members: [] }),
    ...(account.formerMembers && { formerMembers: [] }),
    ...(account.invitations && { invitations: [] }),
    ...(account.teams && { teams: [] }),
    ...(account.teamName !== undefined && { teamName: '' }),
    ...(account.teamNeedsFactor && { teamNeedsFactor: false }),
    ...withoutErasureRequest(account),
    ...(creditRequest && { creditRequest: { ...creditRequest, message: '' } }),
    ...(account.plan && { plan: planEndedAt(account.plan, nowMs) }),
    passwordHash: null,
    ...(account.identities && { identities: [] }),
    isVerified: false,
    keys: keys.map((key) => ({
      ...endKey(key, nowMs),
      name: 'erased',
      hosts: [],
      ...(key.madeBy && { madeBy: { ...key.madeBy, email: '' } }),
    })),
  };
  return { after, person };
}

/** Clears an erasure request that is withdrawn, done, or no longer of the account's person. */
export const withoutErasureRequest = ({
  erasureRequest,
}: Account): Pick<Account, 'erasureRequest'> =>
  erasureRequest ? { erasureRequest: { ...erasureRequest, dueAt: null, remindAt: null } } : {};

/** The total counts by kind. */
export function sumTraces(traces: readonly ErasedTraces[]): ErasedTraces[] {
  return traceKinds.flatMap((kind) => {
    const count = sum(traces.filter((each) => each.kind === kind).map((each) => each.count));
    return count === 0 ? [] : [{ kind, count }];
  });
}
