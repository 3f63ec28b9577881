import { amount, list, object, oneOf, plainText, text } from '../schemas/fields.ts';

/** Maximum days and rows of a report. */
export const reportLimits = { days: 31, rows: 10_000 } as const;

const groupings = [
  'day',
  'account',
  'model',
  'day,account',
  'day,model',
  'account,model',
  'day,account,model',
] as const;

const day = () => text(/^20\d\d-\d\d-\d\d$/, 'a day such as 2030-01-31');

/** Query of a report. */
export const reportQuery = object({
  from: day().required().description('The first day (UTC).'),
  to: day()
    .required()
    .description(`The last day (UTC), inclusive; at most ${reportLimits.days} days in total.`),
  by: oneOf(groupings).required().description('The dimensions by which the rows are split.'),
}).required();

const money = () => text(/^-?\d+\.\d{2,6}$/, 'an amount such as 1.25');

const usageRow = object({
  day: plainText().allow(null).required(),
  account_id: plainText().allow(null).required(),
  model: plainText().allow(null).required(),
  generations: amount().required().description('Generations that ended on these days.'),
  completed: amount().required(),
  failed: amount().required(),
  charged_credits: amount().required(),
  refunded_credits: amount().required(),
  credits: amount().required().description('Charged minus refunded credits.'),
  revenue: money()
    .allow(null)
    .required()
    .description('The value of the credits at CREDIT_VALUE; null without that setting.'),
  costs: list(
    object({
      currency: plainText().required(),
      amount: money().required(),
    }).meta({ component: 'Cost' }),
  )
    .required()
    .description('Certain and possible provider charges, by currency.'),
  unknown_costs: amount().required().description('Number of attempts with an unknown cost.'),
  margin: money()
    .allow(null)
    .required()
    .description('Revenue minus costs; null if a cost is unknown or in another currency.'),
}).meta({ component: 'UsageRow' });

/** A usage report. */
export const usageReportSchema = object({
  object: oneOf(['usage_report']).required(),
  from: plainText().required(),
  to: plainText().required(),
  currency: plainText().allow(null).required().description('Currency of revenue and margin.'),
  rows: list(usageRow).required(),
})
  .required()
  .meta({ component: 'UsageReport' });
