import { afterAll, beforeAll, expect } from '@jest/globals';
import { setAccountLimits } from '../../../gateway/src/application/accounts/accounts.ts';
import { forgetErasedPerson } from '../../../gateway/src/application/accounts/forgetPerson.ts';
import { grantCredits } from '../../../gateway/src/application/credits/grantCredits.ts';
import type { Account } from '../../../gateway/src/domain/accounts/account.ts';
import { defaultLimits } from '../../../gateway/src/domain/accounts/limits.ts';
import { plenty, startTestGateway, type TestGateway } from '../../support/gateway.ts';
import { mailsTo } from './mailbox.ts';
import { type Customer, newCustomer } from './useSecondFactor.ts';
import type { Page, Visitor } from './visitor.ts';

export const teamPath = '/settings/team';

/** A gateway with teams. */
export interface TeamWorld {
  gateway: TestGateway;
  /** Signs someone up with credits. */
  person: (name: string) => Promise<Customer>;
  accountOf: (customer: Pick<Customer, 'accountId'>) => Promise<Account>;
  /** Emails an invitation. @returns The path of its link. */
  invite: (owner: Customer, email: string, role: string) => Promise<string>;
  /** Joins by the link of an invitation. */
  join: (visitor: Visitor, path: string) => Promise<Page>;
  /** Invites and joins. */
  addMember: (owner: Customer, member: Customer, role: string) => Promise<void>;
}

/** Opens it for the tests of a file. */
export function useTeam(): () => TeamWorld {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway({ ROLE: 'api' });
  });
  afterAll(async () => {
    await gateway.stop();
    expect(gateway.errors).toEqual([]);
  });
  const accountOf = async ({ accountId }: Pick<Customer, 'accountId'>) => {
    const found = await gateway.database.accounts.find(accountId);
    if (!found) throw new Error('the account is gone');
    return found;
  };
  const invite = async ({ visitor }: Customer, email: string, role: string) => {
    await visitor.get(teamPath);
    const invited = await visitor.post(`${teamPath}/invite`, { email, role });
    expect([invited.status, invited.text]).toEqual([200, expect.stringContaining(email)]);
    const mail = (await mailsTo(gateway.dataDir, email)).at(-1);
    return joinPathIn(mail?.text ?? '');
  };
  const join = async (visitor: Visitor, path: string) => {
    await visitor.get(path);
    return visitor.post(path);
  };
  return () => ({
    gateway,
    accountOf,
    invite,
    join,
    async person(name) {
      const customer = await newCustomer(gateway, `${name}@example.com`);
      const { database, clock } = gateway;
      await grantCredits(
        { database, clock, random: gateway.random },
        {
          accountId: customer.accountId,
          amountCredits: 1_000,
          kind: 'purchased',
          expiresAt: null,
          reason: null,
        },
      );
      const { accountId } = customer;
      await setAccountLimits({ database, defaultLimits }, { accountId, limits: plenty });
      return customer;
    },
    async addMember(owner, member, role) {
      const joined = await join(member.visitor, await invite(owner, member.email, role));
      expect([joined.status, joined.text]).toEqual([200, expect.stringContaining('Switched to')]);
    },
  });
}

/** Performs an erasure like the upkeep task, except for its generations. */
export async function forgetPersons(
  { database, clock }: TestGateway,
  accountId: string,
): Promise<void> {
  const lease = await database.erasures.acquireLease(accountId);
  if (lease === null) throw new Error('no erasure is noted');
  await forgetErasedPerson({ database, clock }, lease);
}

/** The path of the link in the text of an email, whose long lines are wrapped. */
export function joinPathIn(text: string): string {
  const joined = text.replace(/=\r?\n/g, '');
  return /(\/settings\/join\/acct_\w+\/[0-9a-f]{64})/.exec(joined)?.[1] ?? '';
}
