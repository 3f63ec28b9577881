import type { Account, CreditRequest, ErasureRequest, Identity } from './account.ts';
import type { ApiKey } from './apiKey.ts';
import { openCreditRequest } from './creditRequest.ts';

/** The kinds of values that belong to at most one account. */
type OwnKind = 'email' | 'externalId' | 'keyHash' | 'keyId' | 'identity';

/** The kinds of values that several accounts may have. */
export type SharedKind =
  | 'keyLastFour'
  | 'keyPrefix'
  | 'requestedHosts'
  | 'invitedEmail'
  | 'staff'
  | 'erasureRequest'
  | 'creditRequest';

/** The kinds of values by which accounts are found. */
export type LookupKind = OwnKind | SharedKind;

/** The id of the lookup of a value that belongs to one account: kind and value. */
export const lookupId = (kind: OwnKind, value: string): string => `${kind} ${value}`;

/** The lookup of a person at a provider. An issuer is a URL, so it contains no space. */
export const identityLookup = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string =>
  lookupId('identity', `${issuer} ${subject}`);

/** A time (ms since the epoch) as the value of a lookup, in an order by time. */
export const lookupTime = (ms: number): string => String(ms).padStart(15, '0');

/** The values of an account, stored or not, that belong to no other. */
export interface OwnValues {
  email: string;
  externalId?: string | null;
  keys: readonly Pick<ApiKey, 'hash' | 'id'>[];
  identities?: readonly Pick<Identity, 'issuer' | 'subject'>[];
}

/** All values by which an account is found. */
export interface LookupValues extends OwnValues {
  keys: readonly (Pick<ApiKey, 'hash' | 'id' | 'lastFour' | 'prefix'> & {
    hosts: readonly Pick<ApiKey['hosts'][number], 'state'>[];
  })[];
  invitations?: readonly { email: string }[];
  staffRole: Account['staffRole'];
  erasureRequest?: Pick<ErasureRequest, 'dueAt' | 'remindAt'>;
  creditRequest?: CreditRequest;
}

/** The ids of the lookups of an account's own values. */
export function lookupIdsOf({ email, externalId, keys, identities = [] }: OwnValues): string[] {
  return [
    lookupId('email', email),
    ...(typeof externalId === 'string' ? [lookupId('externalId', externalId)] : []),
    ...keys.flatMap(({ hash, id }) => [lookupId('keyHash', hash), lookupId('keyId', id)]),
    ...identities.map(identityLookup),
  ];
}

/** The ids of all lookups of an account. The account's id makes the lookup of a shared value unique. */
export function allLookupIdsOf(accountId: string, account: LookupValues): string[] {
  const { keys, invitations = [], staffRole, erasureRequest } = account;
  const erasureAct = erasureRequest?.remindAt ?? erasureRequest?.dueAt ?? null;
  const creditRequest = openCreditRequest(account);
  const isAsking = keys.some(({ hosts }) => hosts.some(({ state }) => state === 'requested'));
  const shared: [SharedKind, string][] = [
    ...keys.flatMap(({ lastFour, prefix }): [SharedKind, string][] => [
      ['keyLastFour', lastFour],
      ['keyPrefix', prefix],
    ]),
    ...(isAsking ? [['requestedHosts', 'any'] satisfies [SharedKind, string]] : []),
    ...invitations.map(({ email }): [SharedKind, string] => ['invitedEmail', email]),
    ...(erasureAct === null
      ? []
      : [['erasureRequest', lookupTime(erasureAct)] satisfies [SharedKind, string]]),
    ...(creditRequest === null
      ? []
      : [['creditRequest', lookupTime(creditRequest.askedAt)] satisfies [SharedKind, string]]),
    ...(staffRole === null ? [] : [['staff', staffRole] satisfies [SharedKind, string]]),
  ];
  const ids = shared.map(([kind, value]) => `${kind} ${value} ${accountId}`);
  return [...lookupIdsOf(account), ...new Set(ids)];
}

/** The lookups that a change of an account removes and adds. */
export interface LookupChange {
  gone: string[];
  added: string[];
}

/** Compares an account before and after a change; null if its lookups are unchanged, as after most changes. */
export function lookupChange(before: Account, after: Account): LookupChange | null {
  if (
    before.email === after.email &&
    before.externalId === after.externalId &&
    before.identities === after.identities &&
    before.invitations === after.invitations &&
    before.staffRole === after.staffRole &&
    before.erasureRequest === after.erasureRequest &&
    before.creditRequest === after.creditRequest &&
    hasSameValues(before.keys, after.keys)
  ) {
    return null;
  }
  const former = new Set(allLookupIdsOf(before.id, before));
  const current = new Set(allLookupIdsOf(after.id, after));
  return {
    gone: [...former].filter((id) => !current.has(id)),
    added: [...current].filter((id) => !former.has(id)),
  };
}

/** Spending under a key's limit makes new objects for the same keys. */
const hasSameValues = (before: readonly ApiKey[], after: readonly ApiKey[]): boolean =>
  before === after ||
  (before.length === after.length &&
    before.every(({ hash, hosts }, index) => {
      const key = after[index];
      return hash === key?.hash && hosts === key.hosts;
    }));
