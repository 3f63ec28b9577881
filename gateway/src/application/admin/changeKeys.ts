import type { Account, ApiKey } from '../../domain/account.ts';
import { keyRoom, keyRoomProblem, keysToLeave, withoutRevokedHosts } from '../../domain/keyRoom.ts';
import type { Clock } from '../ports/clock.ts';
import type { Database } from '../ports/database.ts';
import { AdminProblem } from './adminProblem.ts';
import { changeAccount, type byId } from './changeAccount.ts';

/** How keys of an account change. */
export interface KeysChange {
  /** The keys after it; the very same array for no change. */
  keys: (account: Account) => ApiKey[];
  /** Whether a key is added: then the oldest revoked ones leave the account for the archive. */
  adds?: boolean;
  /** What is thrown when there is no room. */
  refusal?: (problem: 'keys' | 'hosts') => Error;
}

/**
 * Changes the keys of an account within the room that it has for them. Hosts of revoked keys are dropped;
 * keys that leave are in the archive before they are gone from the account.
 * @returns the account as it was written.
 */
export async function changeKeys(
  { database, clock }: { database: Database; clock: Clock },
  target: ReturnType<typeof byId>,
  { keys: change, adds = false, refusal = noRoom }: KeysChange,
): Promise<Account> {
  const leaving = new Set<string>();
  const seen = adds ? await target.find() : null;
  if (seen) {
    const gone = keysToLeave(seen.keys, clock.now());
    if (gone.length > 0) await database.formerKeys.keep(seen.id, gone);
    for (const { id } of gone) leaving.add(id);
  }
  const { after } = await changeAccount(database, target, (account) => {
    const changed = change(account);
    if (changed === account.keys) return { after: account };
    const now = clock.now();
    const keys = withoutRevokedHosts(changed, now).filter(({ id }) => !leaving.has(id));
    const problem = keyRoomProblem(account.keys, keys, now);
    if (problem !== null) throw refusal(problem);
    return { after: { ...account, keys } };
  });
  return after;
}

function noRoom(problem: 'keys' | 'hosts'): AdminProblem {
  return new AdminProblem(
    problem === 'keys'
      ? `The account has ${keyRoom.live} keys that work, and can have no more: revoke one that is not used ("key revoke --key K"), then make the new one.`
      : `The keys of an account have room for ${keyRoom.hosts} input hosts of ${keyRoom.hostCharacters} characters together: revoke a key that is not used ("key revoke --key K"), whose hosts go with it, or name *.suffix for several hosts.`,
  );
}
