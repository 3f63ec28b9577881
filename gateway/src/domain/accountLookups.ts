import type { Account, ApiKey, Identity } from './account.ts';

/** Kinds of values that identify an account; each value belongs to at most one. */
export type LookupKind = 'email' | 'externalId' | 'keyHash' | 'identity';

/** The id of a lookup, made of kind and value. */
export const lookupId = (kind: LookupKind, value: string): string => `${kind} ${value}`;

/** The lookup of a person at a provider. An issuer is a URL and thus contains no space. */
export const identityLookup = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string =>
  lookupId('identity', `${issuer} ${subject}`);

/** An account, or the part of a stored one that identifies it. */
export interface Findable {
  email: string;
  externalId?: string | null;
  keys: readonly Pick<ApiKey, 'hash'>[];
  identities?: readonly Pick<Identity, 'issuer' | 'subject'>[];
}

/** The ids of all lookups of an account. */
export function lookupIdsOf({ email, externalId, keys, identities = [] }: Findable): string[] {
  return [
    lookupId('email', email),
    ...(typeof externalId === 'string' ? [lookupId('externalId', externalId)] : []),
    ...keys.map(({ hash }) => lookupId('keyHash', hash)),
    ...identities.map(identityLookup),
  ];
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
    hasSameHashes(before.keys, after.keys)
  ) {
    return null;
  }
  const former = new Set(lookupIdsOf(before));
  const current = new Set(lookupIdsOf(after));
  return {
    gone: [...former].filter((id) => !current.has(id)),
    added: [...current].filter((id) => !former.has(id)),
  };
}

/** Spending under a key limit makes new objects of the same keys. */
const hasSameHashes = (before: readonly ApiKey[], after: readonly ApiKey[]): boolean =>
  before === after ||
  (before.length === after.length &&
    before.every(({ hash }, index) => hash === after[index]?.hash));
