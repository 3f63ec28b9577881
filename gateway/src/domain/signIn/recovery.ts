import type { Account, Identity } from '../accounts/account.ts';
import { endKey, isLive } from '../accounts/apiKey.ts';
import { withoutErasureRequest } from '../accounts/erasure.ts';
import { removeMember, revokeInvitationOf } from '../teams/team.ts';

/*
 * Taking an account back: after a password reset, access that others may have been given is held until the account's
 * person has chosen the access to keep. API keys keep working until then, because programs must not stop.
 */

/**
 * The account after a password reset; it waits for a choice if there is anything to choose.
 * @param hasMore Whether there is more than the account: public links to its work, keys that its person made in teams.
 */
export function recover(account: Account, nowMs: number, hasMore: boolean): Account {
  const { identities = [], members = [], invitations = [], keys } = account;
  const isOpenToOthers =
    hasMore ||
    identities.length + members.length + invitations.length > 0 ||
    keys.some((key) => isLive(key, nowMs));
  return isOpenToOthers ? { ...account, recovery: { since: nowMs, chosenAt: null } } : account;
}

/** An identity as a value of a form. */
export const identityName = ({ issuer, subject }: Pick<Identity, 'issuer' | 'subject'>): string =>
  `${issuer} ${subject}`;

/** The access that a person has selected to end, by ids, addresses and `identityName`. */
export interface AccessToEnd {
  identities: readonly string[];
  members: readonly string[];
  invitations: readonly string[];
  keys: readonly string[];
}

/** Ends the selected access and lifts the hold. Keys of members stay unless they are selected. */
export function endChosen(account: Account, chosen: AccessToEnd, nowMs: number): Account {
  let after = account;
  for (const id of chosen.members) after = removeMember(after, id, nowMs);
  for (const email of chosen.invitations) after = revokeInvitationOf(after, email);
  const { identities } = account;
  const keptIdentities = identities?.filter(
    (each) => !chosen.identities.includes(identityName(each)),
  );
  if (keptIdentities && keptIdentities.length !== identities?.length) {
    after = { ...after, identities: keptIdentities };
  }
  if (after.keys.some((key) => chosen.keys.includes(key.id) && isLive(key, nowMs))) {
    const end = (key: Account['keys'][number]) =>
      chosen.keys.includes(key.id) ? endKey(key, nowMs) : key;
    after = { ...after, keys: after.keys.map(end) };
  }
  const { recovery } = after;
  return recovery?.chosenAt === null
    ? { ...after, recovery: { ...recovery, chosenAt: nowMs } }
    : after;
}

/**
 * The account with a new address, which may belong to another person, who must not get the former person's access. That
 * person has already left all teams.
 */
export function moveEmail(account: Account, email: string, isVerified: boolean): Account {
  return {
    ...account,
    email,
    isVerified,
    passwordHash: null,
    ...(account.identities && { identities: [] }),
    ...(account.teams && { teams: [] }),
    ...withoutErasureRequest(account),
  };
}
