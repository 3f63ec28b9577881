import { object, oneOf, plainText, text, time, url } from '../schemas/fields.ts';
import { accountId, reason } from './fields.ts';
import type { OperatorOperation } from './operation.ts';

/** Pages of the site that a sign-in may lead to; excludes hosts, queries and dots. */
export const sitePage = /^\/(?:studio|history|credits|settings|generations)[a-z0-9/_-]{0,200}$/;

const signInLinkSchema = object({
  return_to: text(
    sitePage,
    'a path of the site such as /studio or /settings/public-api',
  ).description('The site page to open after sign-in. Defaults to the studio.'),
  reason: reason(),
})
  .required()
  .meta({ component: 'CreateSignInLink' });

const signInLinkResponse = object({
  id: plainText().required(),
  object: oneOf(['sign_in_link']).required(),
  account_id: accountId(),
  url: url()
    .allow(null)
    .required()
    .description(
      "Redirect only the customer's browser to it: whoever opens the link can sign in. null in a replay once the link has been used or has expired.",
    ),
  return_to: plainText().allow(null).required(),
  expires_at: time().required().description('One minute after creation.'),
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
    summary: 'Sign a customer in to the site',
    description:
      "Returns a single-use link that is valid for one minute. It opens a page that shows the account's email address and a button to sign in. A second factor that the customer has enabled is still required. Repeating the request with its Idempotency-Key returns the same link while it is valid.",
    body: signInLinkSchema,
    status: 201,
    response: signInLinkResponse,
    refusals: ['account_not_found', 'account_suspended', 'email_not_verified'],
  },
} as const satisfies Record<string, OperatorOperation>;
