import Joi from 'joi';
import { amount, object, oneOf, says, time, wholeNumber, words } from '../schemas/fields.ts';
import { accountId, moment, reason } from './fields.ts';
import { maxGrantCredits } from './limits.ts';
import type { OperatorOperation } from './operation.ts';
import { reasonSchema } from './schemas.ts';
import type { ChangePlanBody, OperatorPlan, StartPlanBody } from './wireCredits.ts';

const planName = () =>
  says(Joi.string().min(1).max(64), 'Must be text of 1 to 64 characters.').description(
    'Your name of the plan, which the ledger shows to the customer.',
  );
const credits = () =>
  wholeNumber(1, maxGrantCredits).description('Credits of each month, from the next one on.');

const startPlanSchema = object<StartPlanBody>({
  name: planName().required(),
  credits: credits().required(),
  starts_at: moment().description(
    'When its first month begins, within the next year; now if absent.',
  ),
  reason: reason(),
})
  .required()
  .meta({ component: 'StartPlan' });

const changePlanSchema = object<ChangePlanBody>({
  name: planName(),
  credits: credits(),
  reason: reason(),
})
  .required()
  .meta({ component: 'ChangePlan' });

/** A plan. */
export const planSchema = object<OperatorPlan>({
  id: words().required(),
  object: oneOf(['plan']).required(),
  account_id: accountId(),
  name: words().required(),
  credits: amount(1).required().description('Of each month, from the next one on.'),
  started_at: time().required().description('When its first month began or begins.'),
  months: amount().required().description('Months whose credits were granted.'),
  next_at: time()
    .allow(null)
    .required()
    .description('When the next credits come; null once it has ended.'),
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
    description: 'Its last one, also if it has ended.',
    status: 200,
    answer: planSchema,
    refusals: ['account_not_found', 'plan_not_found'],
  },
  startPlan: {
    method: 'POST',
    path: '/accounts/{account_id}/plan',
    tag: 'Plans',
    scope: 'credits:write',
    summary: 'Start a plan',
    description:
      'Its credits come each month on the same day and at the same time (UTC), on the last day of a month that has no such day, as a subscription lot that expires when the next ones come. The first ones come with the answer, unless it starts later. An account has one plan at a time.',
    body: startPlanSchema,
    status: 201,
    answer: planSchema,
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
      'From the next month on; unnamed fields stay. For more credits at once, grant the difference.',
    body: changePlanSchema,
    status: 200,
    answer: planSchema,
    refusals: ['account_not_found', 'key_limit_reached', 'plan_not_found'],
  },
  endPlan: {
    method: 'POST',
    path: '/accounts/{account_id}/plan/end',
    tag: 'Plans',
    scope: 'credits:write',
    summary: 'End a plan',
    description: 'No more credits come; those that came stay until they expire.',
    body: reasonSchema,
    status: 200,
    answer: planSchema,
    refusals: ['account_not_found', 'plan_not_found'],
  },
} as const satisfies Record<string, OperatorOperation>;
