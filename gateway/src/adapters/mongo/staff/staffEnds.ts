import { withoutPrompt, wordsOf } from '@framegate/contract';
import type { StaffQueries } from '../../../application/ports/staffQueries.ts';
import { type Models, shortReadMs } from '../collections.ts';
import { generationCodec, type StoredGeneration } from '../models/generations.ts';
import type { Filter } from '../models/statements.ts';

const attemptProjection = {
  endedAt: 1,
  prompt: 1,
  parameters: 1,
  'attempts.provider': 1,
  'attempts.model': 1,
  'attempts.outcome': 1,
  'attempts.note': 1,
  'attempts.differences': 1,
} as const;

const endedSince = (ms: number): Filter<StoredGeneration> => ({
  status: { $in: ['completed', 'failed'] },
  endedAt: { $gte: new Date(ms) },
});

const newestEnds = { hint: 'ended', sort: { endedAt: -1 }, maxTimeMS: shortReadMs } as const;

/** The ended attempts behind the console's routes. */
export function createEndQueries({
  generations,
}: Pick<Models, 'generations'>): Pick<StaffQueries, 'endedAttempts'> {
  return {
    async endedAttempts(since, limit) {
      const cursor = generations.find(endedSince(since), attemptProjection, {
        ...newestEnds,
        limit,
      });
      return (await cursor.lean()).flatMap((document) => {
        const { id, endedAt, attempts, ...order } = generationCodec.fromPart(document);
        if (endedAt === null) return [];
        const words = wordsOf(order);
        return attempts.map(({ note, ...attempt }) => ({
          ...attempt,
          generationId: id,
          endedAt,
          note: note && withoutPrompt(note, words),
        }));
      });
    },
  };
}
