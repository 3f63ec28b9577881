import type { OperatorMember } from '@framegate/contract/operator';
import type { Account } from '../../domain/accounts/account.ts';
import { mailboxMark } from '../../domain/accounts/mailbox.ts';
import { setMonthlyLimit } from '../../domain/credits/monthlyLimits.ts';
import { Refusal } from '../../domain/refusal.ts';
import { endKeysOf } from '../../domain/teams/formerMembers.ts';
import type { Member } from '../../domain/teams/members.ts';
import { changeMember, removeMember, setMember } from '../../domain/teams/team.ts';
import { isoTime } from '../../domain/time/isoTime.ts';
import { changeAccountById } from '../accounts/changeAccount.ts';
import { recordTeam } from '../teams/teamInvitations.ts';
import { requireCustomer } from './accounts.ts';
import type { OperatorUseCases } from './operatorCall.ts';
import { writeOnce } from './writeOnce.ts';

export const memberUseCases = {
  /** The people who act for an account, apart from its owner. @throws Refusal `account_not_found`. */
  async listMembers(deps, { params: { account_id: accountId } }) {
    const account = await requireCustomer(deps, accountId);
    const data = (account.members ?? []).map((member) => presentMember(account, member));
    return { object: 'list', data, has_more: false, next: null };
  },

  /** Adds a person to a team, or changes a member's role and limit. */
  async setMember(deps, { call, params: { account_id: accountId }, body }) {
    await requireCustomer(deps, accountId);
    const person = await requireCustomer(deps, body.member_account_id);
    if (!person.isVerified) throw new Refusal('email_not_verified');
    const { id, email } = person;
    return writeOnce(deps, call, {
      status: 200,
      reason: body.reason,
      present: ({ after }) => {
        const member = after.members?.find((each) => each.id === id);
        return member ? presentMember(after, member) : null;
      },
      async run(database) {
        // Not part of this write: a note without a membership has no effect.
        if (id !== accountId) await recordTeam(deps, id, accountId);
        const nowMs = deps.clock.now();
        const marks = deps.sessionKeys.map((each) => mailboxMark(accountId, email, each));
        await changeAccountById(database, accountId, (account) => {
          const placed = setMember(account, { id, email, role: body.role }, nowMs, marks);
          const { monthly_credits: credits } = body;
          if (credits === undefined) return { after: placed };
          return { after: changeMember(placed, id, (member) => setMonthlyLimit(member, credits)) };
        });
      },
    });
  },

  /** Removes a team member; the keys that they made stay within the member's limit, or are revoked. */
  async removeMember(
    deps,
    {
      call,
      params: { account_id: accountId, member_id: memberId },
      body: { keys = 'keep', reason },
    },
  ) {
    await requireCustomer(deps, accountId);
    const nowMs = deps.clock.now();
    let removedMember: Member | undefined;
    return writeOnce(deps, call, {
      status: 200,
      reason,
      present: ({ after }) => (removedMember ? presentMember(after, removedMember) : null),
      run: (database) =>
        changeAccountById(database, accountId, (account) => {
          removedMember = account.members?.find(({ id }) => id === memberId);
          if (!removedMember) throw new Refusal('member_not_found');
          const before = keys === 'revoke' ? endKeysOf(account, memberId, nowMs) : account;
          return { after: removeMember(before, memberId, nowMs) };
        }),
    });
  },
} satisfies Partial<OperatorUseCases>;

function presentMember({ id: accountId }: Pick<Account, 'id'>, member: Member): OperatorMember {
  const { id, email, role, monthlyCredits = null, joinedAt } = member;
  return {
    id,
    object: 'member',
    account_id: accountId,
    email,
    role,
    monthly_credits: monthlyCredits,
    joined_at: isoTime(joinedAt),
  };
}
