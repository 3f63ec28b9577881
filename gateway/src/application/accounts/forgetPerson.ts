import type { Account } from '../../domain/accounts/account.ts';
import { forgetPerson, revokeInvitationOf } from '../../domain/teams/team.ts';
import type { AppCore } from '../app.ts';
import type { ErasureLease } from '../ports/erasure.ts';
import { changeAccountById } from './changeAccount.ts';

type ForgettingDeps = Pick<AppCore, 'database' | 'clock'>;

/** Removes the traces of an erased person outside generations, and notes how many there were. Safe to repeat. */
export async function forgetErasedPerson(deps: ForgettingDeps, lease: ErasureLease): Promise<void> {
  const { id, person } = lease;
  if (person === null) return;
  const { uploads, erasures } = deps.database;
  const teams = await forgetInTeams(deps, { id, ...person });
  const files = await uploads.expireAll(id);
  const traces = await erasures.eraseTraces(lease);
  const counts = [
    { kind: 'teams and invitations', count: teams },
    { kind: 'files', count: files },
  ] as const;
  await erasures.recordTraces(lease, [...counts, ...traces]);
}

/** Removes a person from other people's teams: memberships, open invitations, and the name on keys. Safe to repeat. */
async function forgetInTeams(
  { database, clock }: ForgettingDeps,
  { id, email, teams }: { id: string; email: string; teams: readonly string[] },
): Promise<number> {
  let changedCount = 0;
  const change = async (accountId: string, decide: (account: Account) => Account) => {
    await changeAccountById(database, accountId, (account) => {
      const after = decide(account);
      if (after !== account) changedCount += 1;
      return { after };
    });
  };
  for (const team of await database.accounts.findPeople(teams)) {
    await change(team.id, (account) => forgetPerson(account, id, clock.now()));
  }
  // Each page holds accounts whose invitations are still to be removed.
  for (;;) {
    const inviting = await database.accounts.findInviting(email);
    if (inviting.length === 0) return changedCount;
    for (const accountId of inviting) {
      await change(accountId, (account) => revokeInvitationOf(account, email));
    }
  }
}
