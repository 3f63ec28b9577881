import Joi from 'joi';
import { amount, object, oneOf, plainText, says, time, wholeNumber } from '../schemas/fields.ts';
import { accountId, reason, utcTime } from './fields.ts';
import { maxGrantCredits } from './limits.ts';
import type { OperatorOperation } from './operation.ts';
import { reasonSchema } from './schemas.ts';

const planName = () =>
  says(Joi.string().min(1).max(64), 'Must be text of 1 to 64 characters.').description(
    'Your name for the plan, shown to the customer in the ledger.',
  );
const credits = () =>
  wholeNumber(1, maxGrantCredits).description('Credits per month, effective from the next month.');

const startPlanSchema = object({
  name: planName().required(),
  credits: credits().required(),
  starts_at: utcTime().description(
    'When the first month begins, at most one year ahead. Defaults to now.',
  ),
  reason: reason(),
})
  .required()
  .meta({ component: 'StartPlan' });

const changePlanSchema = object({
  name: planName(),
  credits: credits(),
  reason: reason(),
})
  .required()
  .meta({ component: 'ChangePlan' });

/** A plan. */
export const planSchema = object({
  id: plainText().required(),
  object: oneOf(['plan']).required(),
  account_id: accountId(),
  name: plainText().required(),
  credits: amount(1).required().description('Credits per month, effective from the next month.'),
  started_at: time().required().description('When the first month began or begins.'),
  months: amount().required().description('Number of months for which credits were granted.'),
  next_at: time()
    .allow(null)
    .required()
    .description('When the next credits are granted; null once the plan has ended.'),
  ended_at: time().allow(null).required(),
})
  .required()
  .meta({ component: 'Plan' });

/** Operations on plans. */
export const planOperations = {
  getPlan: {
    method: 'GET',
    path: '/accounts/{account_id}/plan',
    tag: 'Plans',
    scope: 'credits:read',
    summary: 'Read the plan of an account',
    description: 'Returns the latest plan, even if it has ended.',
    status: 200,
    response: planSchema,
    refusals: ['account_not_found', 'plan_not_found'],
  },
  startPlan: {
    method: 'POST',
    path: '/accounts/{account_id}/plan',
    tag: 'Plans',
    scope: 'credits:write',
    summary: 'Start a plan',
    description:
      'Credits are granted each month on the same day and time (UTC), or on the last day of a shorter month, as a subscription lot that expires at the next grant. The first credits are granted immediately unless the plan starts later. An account can have one plan at a time.',
    body: startPlanSchema,
    status: 201,
    response: planSchema,
    refusals: [
      'account_not_found',
      'balance_too_high',
      'key_limit_reached',
      'plan_runs',
      'plan_start_invalid',
    ],
  },
  changePlan: {
    method: 'POST',
    path: '/accounts/{account_id}/plan/change',
    tag: 'Plans',
    scope: 'credits:write',
    summary: 'Change a plan',
    description:
      'Takes effect from the next month; omitted fields are unchanged. To add credits immediately, grant the difference.',
    body: changePlanSchema,
    status: 200,
    response: planSchema,
    refusals: ['account_not_found', 'key_limit_reached', 'plan_not_found'],
  },
  endPlan: {
    method: 'POST',
    path: '/accounts/{account_id}/plan/end',
    tag: 'Plans',
    scope: 'credits:write',
    summary: 'End a plan',
    description: 'No further credits are granted; granted credits remain until they expire.',
    body: reasonSchema,
    status: 200,
    response: planSchema,
    refusals: ['account_not_found', 'plan_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
