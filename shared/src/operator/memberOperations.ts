import { object, oneOf, plainText, time, wholeNumber } from '../schemas/fields.ts';
import { accountId, page, reason } from './fields.ts';
import { maxGrantCredits } from './limits.ts';
import type { OperatorOperation } from './operation.ts';

const role = () =>
  oneOf(['owner', 'editor', 'member', 'billing'])
    .required()
    .description(
      'owner can do everything. member can create, view all work, manage their own keys, and delete and publish their own work. editor can also delete and publish the work of others. billing can view credits.',
    );

const setMemberSchema = object({
  member_account_id: plainText().required().description("ID of the person's personal account."),
  role: role(),
  monthly_credits: wholeNumber(1, maxGrantCredits)
    .allow(null)
    .description(
      'Credits that the member may spend per calendar month (UTC) on the site and with keys they created; null for no limit. If omitted, an existing limit is kept, even for a person who rejoins.',
    ),
  reason: reason(),
})
  .required()
  .meta({ component: 'SetMember' });

const removeMemberSchema = object({
  keys: oneOf(['keep', 'revoke']).description(
    "Whether keys they created are kept or revoked: with `keep` (the default), keys continue to work within the member's limit.",
  ),
  reason: reason(),
})
  .required()
  .meta({ component: 'RemoveMember' });

const memberSchema = object({
  id: plainText().required().description("ID of the person's personal account."),
  object: oneOf(['member']).required(),
  account_id: accountId(),
  email: plainText().required().description('Email address at the time of joining.'),
  role: role(),
  monthly_credits: wholeNumber(1, maxGrantCredits).allow(null).required(),
  joined_at: time().required(),
})
  .required()
  .meta({ component: 'Member' });

const memberPage = page('MemberList', memberSchema, 'Always null: all members fit on one page.');

/** Operations on the people who act for an account. */
export const memberOperations = {
  listMembers: {
    method: 'GET',
    path: '/accounts/{account_id}/members',
    tag: 'Members',
    scope: 'accounts:read',
    summary: 'List the members of a team',
    description:
      'The people who can act for the account, besides the account holder, who is always an owner. Members sign in with their personal accounts.',
    status: 200,
    response: memberPage,
    refusals: ['account_not_found'],
  },
  setMember: {
    method: 'POST',
    path: '/accounts/{account_id}/members',
    tag: 'Members',
    scope: 'members:write',
    summary: 'Add or change a member of a team',
    description:
      'No invitation is sent: the person can act for the account immediately. An existing member is given the new role. If the role does not include keys, keys they created are refused.',
    body: setMemberSchema,
    status: 200,
    response: memberSchema,
    refusals: ['account_not_found', 'email_not_verified', 'team_full', 'team_owner_stays'],
  },
  removeMember: {
    method: 'POST',
    path: '/accounts/{account_id}/members/{member_id}/remove',
    tag: 'Members',
    scope: 'members:write',
    summary: 'Remove a team member',
    description:
      "The person's sessions lose access to the account immediately. Keys they created keep working within their limit unless `keys` revokes them. Returns the member before the removal.",
    body: removeMemberSchema,
    status: 200,
    response: memberSchema,
    refusals: ['account_not_found', 'member_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
