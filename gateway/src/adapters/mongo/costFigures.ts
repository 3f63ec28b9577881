import type { FindCostLines } from '../../application/ports/staffQueries.ts';
import type { CostLine } from '../../domain/cost.ts';
import { dayMs, dayOf } from '../../domain/utcDay.ts';
import type { Collections } from './collections.ts';

/** How long a query may take on the server, in ms. */
const maxTimeMS = 20_000;

type Line = Omit<CostLine, 'day'>;

/**
 * Reads what attempts of the generations that ended on a day cost, by the index of ends. `charge` is what
 * `chargeOf` (domain/cost.ts) says.
 */
export function createFindCostLines({
  generations,
}: Pick<Collections, 'generations'>): FindCostLines {
  const attempt = (field: string) => `$attempts.${field}`;
  const delivered = { $and: [{ $eq: ['$status', 'completed'] }, { $eq: ['$at', '$last'] }] };
  const charge = {
    $switch: {
      branches: [
        { case: { $eq: [attempt('isFree'), true] }, then: 'none' },
        { case: { $eq: [attempt('outcome'), 'completed'] }, then: 'charged' },
      ],
      default: 'possible',
    },
  };
  return async (dayStart) => {
    const found = generations.aggregate<
      Pick<Line, 'attempts' | 'micros' | 'credits'> & { _id: Line }
    >(
      [
        {
          $match: {
            status: { $in: ['completed', 'failed'] },
            endedAt: { $gte: new Date(dayStart), $lt: new Date(dayStart + dayMs) },
          },
        },
        {
          $project: {
            ...{ status: 1, model: 1, costCredits: 1 },
            last: { $subtract: [{ $size: '$attempts' }, 1] },
            attempts: { provider: 1, model: 1, outcome: 1, isFree: 1, cost: 1 },
          },
        },
        { $unwind: { path: '$attempts', includeArrayIndex: 'at' } },
        {
          $group: {
            _id: {
              provider: attempt('provider'),
              upstream: attempt('model'),
              model: '$model',
              charge,
              delivered,
              currency: { $ifNull: [attempt('cost.currency'), null] },
            },
            attempts: { $sum: 1 },
            micros: { $sum: attempt('cost.micros') },
            credits: { $sum: { $cond: [delivered, '$costCredits', 0] } },
          },
        },
        { $sort: { _id: 1 } },
      ],
      { hint: 'ends', maxTimeMS },
    );
    const day = dayOf(dayStart);
    return (await found.toArray()).map(({ _id, attempts, micros, credits }) => {
      const { provider, upstream, model, delivered: isDelivered, currency } = _id;
      const names = { day, provider, upstream, model, charge: _id.charge };
      return { ...names, delivered: isDelivered, currency, attempts, micros, credits };
    });
  };
}
