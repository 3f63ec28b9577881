import { object, oneOf, time, wholeNumber, words } from '../schemas/fields.ts';
import { accountId, page, reason } from './fields.ts';
import { maxGrantCredits } from './limits.ts';
import type { OperatorOperation } from './operation.ts';

const role = () =>
  oneOf(['owner', 'editor', 'member', 'billing'])
    .required()
    .description(
      'An owner may do everything; a member creates, sees the work, manages own keys, and deletes and publishes own work; an editor also what others made; billing sees credits.',
    );

const setMemberSchema = object({
  member_account_id: words().required().description("The person's own account."),
  role: role(),
  monthly_credits: wholeNumber(1, maxGrantCredits)
    .allow(null)
    .description(
      'Credits that the member may spend per calendar month (UTC), at the site and by keys that they made; null for no limit. If absent, a known limit stays, also that of a person who comes back.',
    ),
  reason: reason(),
})
  .required()
  .meta({ component: 'SetMember' });

const removeMemberSchema = object({
  keys: oneOf(['keep', 'revoke']).description(
    'What becomes of keys that they made: `keep` (the default) lets them work on within the member’s limit.',
  ),
  reason: reason(),
})
  .required()
  .meta({ component: 'RemoveMember' });

const memberSchema = object({
  id: words().required().description("The person's own account."),
  object: oneOf(['member']).required(),
  account_id: accountId(),
  email: words().required().description('Their address when they joined.'),
  role: role(),
  monthly_credits: wholeNumber(1, maxGrantCredits).allow(null).required(),
  joined_at: time().required(),
})
  .required()
  .meta({ component: 'Member' });

const memberPage = page('MemberList', memberSchema, 'null: all members are in one page.');

/** Operations on the people who act for an account. */
export const memberOperations = {
  listMembers: {
    method: 'GET',
    path: '/accounts/{account_id}/members',
    tag: 'Members',
    scope: 'accounts:read',
    summary: 'List the members of a team',
    description:
      'The people who act for the account besides its own person, who is always an owner. Members keep accounts of their own for their sign-in.',
    status: 200,
    answer: memberPage,
    refusals: ['account_not_found'],
  },
  setMember: {
    method: 'POST',
    path: '/accounts/{account_id}/members',
    tag: 'Members',
    scope: 'members:write',
    summary: 'Add or change a member of a team',
    description:
      'No invitation is sent: the person acts for the account at once. A member who is in the team already gets this role. With a role that makes no keys, keys that they made are refused.',
    body: setMemberSchema,
    status: 200,
    answer: memberSchema,
    refusals: ['account_not_found', 'email_not_verified'],
  },
  removeMember: {
    method: 'POST',
    path: '/accounts/{account_id}/members/{member_id}/remove',
    tag: 'Members',
    scope: 'members:write',
    summary: 'Remove a member of a team',
    description:
      'Sessions of the person are refused for the account at once; keys that they made keep working within their limit, unless `keys` revokes them. Answers the member as it was.',
    body: removeMemberSchema,
    status: 200,
    answer: memberSchema,
    refusals: ['account_not_found', 'member_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
