import type { Account } from '../accounts/account.ts';
import type { ApiKey } from '../accounts/apiKey.ts';
import type { Orderer } from '../generations/order.ts';
import { roleIn } from './team.ts';
import { type OwnAct, roleMayActOn } from './teamRoles.ts';

/** A thing of a team that one of its people made, at the site or through a key. */
export type Authorship = Partial<Pick<Orderer, 'madeBy' | 'keyId'>>;

/** Whether a person made something. Keys without a maker are of the account's own person. */
export function isMadeBy(
  { id, keys }: { id: string; keys: readonly Pick<ApiKey, 'id' | 'madeBy'>[] },
  personId: string,
  { madeBy, keyId }: Authorship,
): boolean {
  if (madeBy !== undefined) return madeBy === personId;
  const key = keys.find((each) => each.id === keyId);
  return key !== undefined && (key.madeBy?.id ?? id) === personId;
}

/** Whether a person may do this to one thing of an account. */
export function mayDoTo(
  account: Account,
  personId: string,
  act: OwnAct,
  thing: Authorship,
): boolean {
  const role = roleIn(account, personId);
  return role !== null && roleMayActOn(role, act, isMadeBy(account, personId, thing));
}
