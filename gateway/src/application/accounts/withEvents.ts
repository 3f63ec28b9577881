import type { Account } from '../../domain/accounts/account.ts';
import { announceExpiring, eventsOf } from '../../domain/accounts/accountEvent.ts';
import { loggedActsOf } from '../../domain/teams/teamLog.ts';
import type { Actor } from '../ports/actor.ts';
import type { AccountDecision, ChangeAccount, Database } from '../ports/database.ts';
import type { Clock } from '../ports/system.ts';

/**
 * Adds the resulting events, and the entries of the account's log, to every decision about it, so that they are stored
 * in its transaction, whichever code makes the change.
 * @param options.lowCredits The balance below which an account is low on credits; 0 disables the event.
 */
export function withEvents(
  changeAccount: ChangeAccount,
  {
    clock,
    actor,
    lowCredits,
  }: { clock: Pick<Clock, 'now'>; actor: Pick<Actor, 'signature'>; lowCredits: number },
): ChangeAccount {
  const add = <T>(before: Account, decision: AccountDecision<T>): AccountDecision<T> => {
    const { after, end } = decision;
    const ended = end && {
      id: end.generation.id,
      attempts: end.change.attempts ?? end.generation.attempts,
    };
    const at = clock.now();
    const facts = eventsOf(before, after, { ended, lowCredits, nowMs: at });
    const cancelled = end?.change.failure?.wasCancelled ? end.generation.id : undefined;
    const log = loggedActsOf(before, after, { ...actor.signature(at), cancelled });
    return {
      ...decision,
      ...(facts.length > 0 && { events: facts.map((fact) => ({ fact, at })) }),
      ...(log.length > 0 && { log }),
    };
  };
  return (accountId, decide, withinMs) =>
    changeAccount(accountId, async (account) => add(account, await decide(account)), withinMs);
}

/** Notes in the account which credits expire soon; the note raises the event. */
export async function announceExpiringCredits(
  { database, clock }: { database: Pick<Database, 'changeAccount'>; clock: Pick<Clock, 'now'> },
  accountId: string,
): Promise<void> {
  await database.changeAccount(accountId, (account) => ({
    after: announceExpiring(account, clock.now()),
    result: undefined,
  }));
}
