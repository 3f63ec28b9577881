import { withoutPrompt, wordsOf } from '@framegate/contract';
import type { FailedAttempt, StaffQueries } from '../../../application/ports/staffQueries.ts';
import { type Collections, shortReadMs } from '../collections.ts';
import type { StoredGeneration } from '../models/generations.ts';

/** A route's attempts as computed by the database. */
interface AttemptGroup {
  _id: { provider: string; model: string };
  differed: number;
  errors: (Omit<FailedAttempt, 'endedAt'> &
    Pick<StoredGeneration, 'prompt' | 'parameters'> & { endedAt: Date })[];
}

/** The ends behind the console's routes, grouped by the database: prompts are long, and few are needed. */
export function createEndQueries({
  generations,
}: Pick<Collections, 'generations'>): Pick<StaffQueries, 'sumRouteEnds'> {
  return {
    async sumRouteEnds(since, max) {
      const deliveredExpression = { $eq: ['$attempts.outcome', 'completed'] };
      const differs = { $gt: [{ $size: { $ifNull: ['$attempts.differences', []] } }, 0] };
      const error = {
        generationId: '$_id',
        endedAt: '$endedAt',
        outcome: '$attempts.outcome',
        note: '$attempts.note',
        prompt: '$prompt',
        parameters: '$parameters',
      };
      const groups = await generations
        .aggregate<AttemptGroup>(
          [
            {
              $match: {
                status: { $in: ['completed', 'failed'] },
                endedAt: { $gte: new Date(since) },
              },
            },
            { $sort: { endedAt: -1 } },
            { $limit: max.ends },
            { $unwind: '$attempts' },
            {
              $group: {
                _id: { provider: '$attempts.provider', model: '$attempts.model' },
                differed: { $sum: { $cond: [differs, 1, 0] } },
                errors: { $push: { $cond: [deliveredExpression, '$$REMOVE', error] } },
              },
            },
            { $set: { errors: { $slice: ['$errors', max.errors] } } },
          ],
          { hint: 'ended', maxTimeMS: shortReadMs },
        )
        .toArray();
      return groups.map(({ _id, differed, errors }) => ({
        ..._id,
        differed,
        errors: errors.map(withoutWords),
      }));
    },
  };
}

const withoutWords = ({
  prompt,
  parameters,
  endedAt,
  note,
  ...attempt
}: AttemptGroup['errors'][number]): FailedAttempt => ({
  ...attempt,
  endedAt: endedAt.getTime(),
  note: note && withoutPrompt(note, wordsOf({ prompt, parameters })),
});
