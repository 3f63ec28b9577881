import type { FindOrders } from '../../../application/ports/staffQueries.ts';
import { firstGenerationId } from '../../../domain/ids.ts';
import { maxAheadMs } from '../../../domain/time/furthestTimes.ts';
import { type Collections, listBufferedPages } from '../collections.ts';
import { generationCodec } from '../models/generations.ts';

const projection = {
  model: 1,
  parameters: 1,
  'attempts.number': 1,
  'attempts.provider': 1,
  'attempts.model': 1,
  'attempts.startedAt': 1,
  'attempts.key': 1,
  'attempts.keyPrint': 1,
  'attempts.taskId': 1,
  'attempts.outcome': 1,
  'attempts.isFree': 1,
  'attempts.cost': 1,
  'attempts.charged': 1,
  'attempts.reported': 1,
} as const;

/** Reads orders by the times in their generations' ids: an order is placed before its generation's deadline. */
export function createFindOrders({ generations }: Pick<Collections, 'generations'>): FindOrders {
  return async function* find(fromMs, untilMs) {
    const startedAt = { $gte: new Date(fromMs), $lt: new Date(untilMs) };
    const cursor = generations.find(
      {
        _id: {
          $gte: firstGenerationId(Math.max(0, fromMs - maxAheadMs.deadline)),
          $lt: firstGenerationId(untilMs),
        },
        attempts: { $elemMatch: { startedAt } },
      },
      { hint: '_id_', sort: { _id: 1 }, projection },
    );
    for await (const page of listBufferedPages(cursor, generationCodec.fromPart)) {
      yield page.flatMap(({ id: generationId, attempts, ...order }) =>
        attempts
          .filter((attempt) => attempt.startedAt >= fromMs && attempt.startedAt < untilMs)
          .map((attempt) => ({ generationId, ...order, attempt })),
      );
    }
  };
}
