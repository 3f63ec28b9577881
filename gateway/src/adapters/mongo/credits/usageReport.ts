import type { FindUsage } from '../../../application/ports/operator.ts';
import type { UsageCost, UsageCount } from '../../../domain/credits/usage.ts';
import { type Collections, endsReport } from '../collections.ts';
import { keptCredits } from '../models/generations.ts';

interface Id {
  day?: string;
  accountId?: string;
  model?: string;
  currency?: string | null;
}

const usageKey = ({ day = '', accountId = '', model = '' }: Id) => ({
  day: day || null,
  accountId: accountId || null,
  model: model || null,
});

/** Sums over the generations that ended in a time range, by the index of ends. */
export function createFindUsage({ generations }: Pick<Collections, 'generations'>): FindUsage {
  return async ({ from, until, by, limit }) => {
    const parts = {
      ...(by.includes('day') && {
        day: { $dateToString: { date: '$endedAt', format: '%Y-%m-%d' } },
      }),
      ...(by.includes('account') && { accountId: '$accountId' }),
      ...(by.includes('model') && { model: '$model' }),
    };
    const match = {
      $match: {
        status: { $in: ['completed', 'failed'] },
        endedAt: { $gte: new Date(from), $lt: new Date(until) },
      },
    };
    const ended = [{ $sort: { _id: 1 } }, { $limit: limit }];
    const counts = generations.aggregate<Omit<UsageCount, keyof Id> & { _id: Id; kept: number }>(
      [
        match,
        {
          $group: {
            _id: parts,
            generations: { $sum: 1 },
            completed: { $sum: { $cond: [{ $eq: ['$status', 'completed'] }, 1, 0] } },
            chargedCredits: { $sum: '$costCredits' },
            kept: { $sum: keptCredits },
          },
        },
        ...ended,
      ],
      endsReport,
    );
    const costs = generations.aggregate<Pick<UsageCost, 'attempts' | 'micros'> & { _id: Id }>(
      [
        match,
        { $unwind: '$attempts' },
        { $match: { 'attempts.isFree': { $ne: true } } },
        {
          $group: {
            _id: {
              ...parts,
              currency: {
                $ifNull: ['$attempts.charged.currency', '$attempts.cost.currency', null],
              },
            },
            attempts: { $sum: 1 },
            micros: { $sum: { $ifNull: ['$attempts.charged.micros', '$attempts.cost.micros'] } },
          },
        },
        // A row has few currencies.
        { $sort: { _id: 1 } },
        { $limit: 4 * limit },
      ],
      endsReport,
    );
    return {
      counts: (await counts.toArray()).map(({ _id, kept: keptSum, ...sums }) => ({
        ...usageKey(_id),
        ...sums,
        refundedCredits: sums.chargedCredits - keptSum,
      })),
      costs: (await costs.toArray()).map(({ _id, ...sums }) => ({
        ...usageKey(_id),
        currency: _id.currency ?? null,
        ...sums,
      })),
    };
  };
}
