import type { Account } from '../../domain/account.ts';
import { endChosen, type ChosenEnds } from '../../domain/recovery.ts';
import { sessionIdleMs } from '../../domain/signIn.ts';
import type { Share } from '../ports/wall.ts';
import { byId, changeAccount } from '../accounts/accounts.ts';
import type { Session } from './ports.ts';
import type { SiteDeps } from './siteDeps.ts';

/** Maximum number of public links listed at once; the rest follows when these are withdrawn. */
const shownLinks = 100;

/** What opens an account beside its own document. */
export interface AccessBesideAccount {
  sessions: Session[];
  links: Share[];
  /** Last uses of keys by their ids, in ms since the epoch. */
  uses: Map<string, number>;
}

/** Lists what opens an account beside its own document. */
export async function listAccess(
  { sessions, shares, keyUses }: Pick<SiteDeps, 'sessions' | 'shares' | 'keyUses'>,
  { id, keys }: Pick<Account, 'id' | 'keys'>,
): Promise<AccessBesideAccount> {
  return {
    sessions: await sessions.list(id, sessionIdleMs),
    links: await shares.ofAccount(id, shownLinks),
    uses: await keyUses.find(keys.map((key) => key.id)),
  };
}

/**
 * Ends what a person has chosen of their own account. After a reset of the password, nothing is held any more.
 * @param chosen.links Ids of generations.
 * @param chosen.sessions Ids of sessions; those of others are left alone.
 */
export async function endAccess(
  deps: Pick<SiteDeps, 'database' | 'clock' | 'actor' | 'sessions' | 'shares'>,
  accountId: string,
  chosen: ChosenEnds & { links: readonly string[]; sessions: readonly string[] },
): Promise<void> {
  const { database, clock, actor, sessions, shares } = deps;
  const now = clock.now();
  if (chosen.links.length > 0) await shares.remove(accountId, chosen.links, actor.signature(now));
  const own = await sessions.list(accountId, sessionIdleMs);
  for (const { id } of own) if (chosen.sessions.includes(id)) await sessions.remove(id);
  // The last, because it ends what is held.
  await changeAccount(database, byId(database, accountId), (account) => ({
    after: endChosen(account, chosen, now),
  }));
}
