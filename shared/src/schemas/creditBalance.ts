import { amount, object, oneOf, time } from './fields.ts';

/** Response of GET /credits/balance. */
export const creditBalanceSchema = object({
  object: oneOf(['credit_balance']).required(),
  unit: oneOf(['credits']).required(),
  available: amount().required().description('Credits that can be spent now.'),
  in_flight: amount()
    .required()
    .description('Charges of unfinished generations; already deducted from available.'),
  as_of: time().required(),
})
  .required()
  .meta({ component: 'CreditBalance' });
