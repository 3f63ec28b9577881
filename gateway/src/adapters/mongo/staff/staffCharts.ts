import type { ChartQueries, EndCount, SpanCount } from '../../../application/ports/staffCharts.ts';
import { bucketRatio, minSeconds } from '../../../domain/generations/durationBuckets.ts';
import { type Collections, endsReport, reportMs } from '../collections.ts';
import { breakerSubject } from '../providers/providerStores.ts';

/** Maximum changes of circuits that a chart shows. */
const maxChanges = 1_000;

/** The number of steps between the step of the creation and the step that ends at `until`; 0 if they are the same. */
const stepsSince = (untilMs: number, lengthMs: number) => ({
  $toInt: {
    $max: [
      0,
      { $floor: { $divide: [{ $subtract: [new Date(untilMs - 1), '$createdAt'] }, lengthMs] } },
    ],
  },
});

const seconds = { $divide: [{ $subtract: ['$endedAt', '$createdAt'] }, 1000] };
/** The bucket of a generation's duration; see domain/generations/durationBuckets.ts. */
const bucketNumber = {
  $toInt: {
    $floor: { $divide: [{ $ln: { $max: [minSeconds, seconds] } }, Math.log(bucketRatio)] },
  },
};

/** Ends of a step that are equal in every value that the charts distinguish. */
interface Sum {
  _id: Omit<EndCount, 'count' | 'refundedCredits'> & Omit<SpanCount, 'count'>;
  refunded: number;
  count: number;
}

/** Merges the sums that agree in some of these values. */
function mergeSums<Key extends object>(sums: readonly Sum[], keyOf: (id: Sum['_id']) => Key) {
  const byKey = new Map<string, { key: Key; refunded: number; count: number }>();
  for (const { _id, refunded, count } of sums) {
    const key = keyOf(_id);
    const name = JSON.stringify(key);
    const before = byKey.get(name);
    if (before) {
      before.refunded += refunded;
      before.count += count;
    } else {
      byKey.set(name, { key, refunded, count });
    }
  }
  return [...byKey.values()];
}

/** Sums of the ends in a time step, and ages of unfinished generations, for the console's charts. */
export function createChartQueries({
  generations,
  operatorEvents,
}: Pick<Collections, 'generations' | 'operatorEvents'>): ChartQueries {
  return {
    async listCircuitChanges(providers, { from, until }) {
      const cursor = operatorEvents.find(
        {
          subject: { $in: providers.map(breakerSubject) },
          at: { $gte: new Date(from), $lt: new Date(until) },
        },
        { hint: 'circuits', sort: { subject: 1, at: 1 }, limit: maxChanges, maxTimeMS: reportMs },
      );
      return (await cursor.toArray()).map(({ subject, at, fact }) => ({
        provider: subject.slice(breakerSubject('').length),
        at: at.getTime(),
        opens: fact.type === 'provider.circuit_open',
      }));
    },

    async sumEnds({ from, lengthMs }) {
      const rows = await generations
        .aggregate<Sum>(
          [
            {
              $match: {
                status: { $in: ['completed', 'failed'] },
                endedAt: { $gte: new Date(from), $lt: new Date(from + lengthMs) },
              },
            },
            {
              $group: {
                _id: {
                  model: '$model',
                  status: '$status',
                  provider: { $ifNull: [{ $last: '$attempts.provider' }, null] },
                  code: { $ifNull: ['$failure.code', null] },
                  lag: stepsSince(from + lengthMs, lengthMs),
                  bucket: { $cond: [{ $eq: ['$status', 'completed'] }, bucketNumber, null] },
                },
                refunded: { $sum: '$refundedCredits' },
                count: { $sum: 1 },
              },
            },
          ],
          endsReport,
        )
        .toArray();
      const ends = mergeSums(rows, ({ model, status, provider, code }) => ({
        model,
        status,
        provider,
        code,
      }));
      const spans = mergeSums(rows, ({ model, lag, bucket }) => ({ model, lag, bucket }));
      return {
        ends: ends.map(({ key, count, refunded }) => ({
          ...key,
          count,
          refundedCredits: refunded,
        })),
        spans: spans.map(({ key, count }) => ({ ...key, count })),
      };
    },

    async openByAge({ until, lengthMs }) {
      const rows = await generations
        .aggregate<{ _id: number; count: number }>(
          [
            { $match: { open: true } },
            { $group: { _id: stepsSince(until, lengthMs), count: { $sum: 1 } } },
          ],
          { ...endsReport, hint: 'unfinished' },
        )
        .toArray();
      return new Map(rows.map(({ _id, count }) => [_id, count]));
    },
  };
}
