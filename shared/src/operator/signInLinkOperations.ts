import { address, object, oneOf, text, time, words } from '../schemas/fields.ts';
import { accountId, reason } from './fields.ts';
import type { OperatorOperation } from './operation.ts';

/** Pages of the site that a sign-in may lead to; excludes hosts, queries and dots. */
export const sitePage = /^\/(?:studio|history|credits|settings|generations)[a-z0-9/_-]{0,200}$/;

const signInLinkSchema = object({
  return_to: text(
    sitePage,
    'a path of the site such as /studio or /settings/public-api',
  ).description('The page of the site that opens after the sign-in; the studio if absent.'),
  reason: reason(),
})
  .required()
  .meta({ component: 'CreateSignInLink' });

const signInLinkAnswer = object({
  id: words().required(),
  object: oneOf(['sign_in_link']).required(),
  account_id: accountId(),
  url: address()
    .allow(null)
    .required()
    .description(
      'Send the browser of the customer there, and nobody else: whoever opens it can sign in. null in a repeated answer once the link was used or its minute is over.',
    ),
  return_to: words().allow(null).required(),
  expires_at: time().required().description('A minute after the link was made.'),
})
  .required()
  .meta({ component: 'SignInLink' });

/** Operations on sign-in links. */
export const signInLinkOperations = {
  createSignInLink: {
    method: 'POST',
    path: '/accounts/{account_id}/sign-in-links',
    tag: 'Sign-in links',
    scope: 'sign-in-links:write',
    summary: 'Hand a signed-in customer over to the site',
    description:
      'Answers a link that works once, within a minute. Its page shows the address of the account and has a button, which starts a session of the site. A second factor that the customer has turned on at the site is asked for all the same. Repeated with its Idempotency-Key, the request answers the same link for as long as that works.',
    body: signInLinkSchema,
    status: 201,
    answer: signInLinkAnswer,
    refusals: ['account_not_found', 'account_suspended', 'email_not_verified'],
  },
} as const satisfies Record<string, OperatorOperation>;
