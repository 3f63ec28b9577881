import type { Account } from '../../domain/accounts/account.ts';
import { Refusal } from '../../domain/refusal.ts';
import { moveEmail } from '../../domain/signIn/recovery.ts';
import { removeMember } from '../../domain/teams/team.ts';
import {
  changeAccount,
  changeAccountById,
  changeWithMail,
  targetOf,
} from '../accounts/changeAccount.ts';
import { emailNotice } from '../accounts/changeEmail.ts';
import { createAccount, isAccountTaken } from '../accounts/createAccount.ts';
import type { App } from '../app.ts';
import { type Database, DuplicateValueError } from '../ports/database.ts';
import { presentAfterWrite, requireEmail } from './accounts.ts';
import type { OperatorUseCases } from './operatorCall.ts';
import { requireScope } from './requireScope.ts';
import { writeOnce } from './writeOnce.ts';

export const upsertUseCases = {
  /** Creates the account with an external id, or updates its address. */
  async upsertAccount(
    deps,
    {
      call,
      params: { external_id: externalId },
      body: { email, email_verified: isVerified = false },
    },
  ) {
    const find = () => deps.database.accounts.findByExternalId(externalId);
    const change = { email: requireEmail(email), isVerified };
    return writeOnce(deps, call, {
      ...presentAfterWrite(deps, 200),
      async run(database) {
        let account = await find();
        if (account === null) {
          try {
            const command = { ...change, externalId, password: null, staffRole: null };
            await createAccount({ ...deps, database }, command);
            return;
          } catch (error) {
            // Another process may have since created it.
            if (isAccountTaken(error)) account = await find();
            if (account === null) throw error;
          }
        }
        if (account.staffRole !== null) throw new Refusal('external_id_taken');
        if (account.email !== change.email) requireScope(call.key, 'emails:write');
        if (account.email !== change.email) await leaveTeams(deps, account, change.email);
        await setEmail(deps, database, account, change);
      },
    });
  },
} satisfies Partial<OperatorUseCases>;

/**
 * Takes a person out of their teams, before the account gets the address of someone else: a repeated call completes
 * it, whereas nothing would after the move.
 */
async function leaveTeams(
  { database, clock }: App,
  { id, teams = [] }: Account,
  email: string,
): Promise<void> {
  if ((await database.accounts.findIdByEmail(email)) !== null) throw new Refusal('email_taken');
  for (const team of await database.accounts.findPeople(teams)) {
    await changeAccountById(database, team.id, (account) => ({
      after: removeMember(account, id, clock.now()),
    }));
  }
}

/**
 * Changes an account's address, which may be unverified; an unchanged address keeps its verification. A change ends
 * password, identities, second factor, sessions and team memberships, and notifies the old address in the account's
 * language, both in the transaction of the change.
 */
async function setEmail(
  deps: App,
  database: Database,
  current: Account,
  { email, isVerified }: { email: string; isVerified: boolean },
): Promise<void> {
  const { language = 'en' } = await deps.notices.find(current.id);
  try {
    await changeWithMail(deps, (mailed) =>
      changeAccount(database, targetOf(current), (account) => {
        if (account.email === email) {
          const after = { ...account, isVerified: isVerified || account.isVerified };
          return { after, mails: mailed(null) };
        }
        const after = moveEmail(account, email, isVerified);
        const mails = mailed(emailNotice(deps, account.email, language));
        return { after, ends: { by: 'move the email' }, mails };
      }),
    );
  } catch (error) {
    if (!(error instanceof DuplicateValueError && error.index === 'email')) throw error;
    throw new Refusal('email_taken');
  }
}
