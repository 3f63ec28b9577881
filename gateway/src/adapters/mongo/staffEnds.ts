import type { StaffQueries } from '../../application/ports/staffQueries.ts';
import { refundedCredits } from '../../domain/refund.ts';
import { withoutPrompt } from '../../domain/text.ts';
import type { Models } from './collections.ts';
import { generationCodec, type StoredGeneration } from './models/generations.ts';
import type { Filter } from './models/statements.ts';

const pointProjection = {
  model: 1,
  status: 1,
  createdAt: 1,
  endedAt: 1,
  costCredits: 1,
  refundedCredits: 1,
  'failure.code': 1,
  'attempts.provider': 1,
} as const;

const attemptProjection = {
  endedAt: 1,
  prompt: 1,
  'attempts.provider': 1,
  'attempts.model': 1,
  'attempts.outcome': 1,
  'attempts.note': 1,
  'attempts.differences': 1,
} as const;

const maxTimeMS = 5_000;

const endedSince = (ms: number): Filter<StoredGeneration> => ({
  status: { $in: ['completed', 'failed'] },
  endedAt: { $gte: new Date(ms) },
});

const newestEnds = { hint: 'ends', sort: { endedAt: -1 }, maxTimeMS } as const;

/** The ends behind the console's figures and routes, and the beginnings of what has not ended. */
export function createEndQueries({
  generations,
}: Pick<Models, 'generations'>): Pick<StaffQueries, 'ends' | 'endedAttempts' | 'openSince'> {
  return {
    async ends(since, limit) {
      const found = generations.find(endedSince(since), pointProjection, { ...newestEnds, limit });
      return (await found.lean()).flatMap((document) => {
        const end = generationCodec.fromPart(document);
        const { model, status, createdAt, endedAt, failure, attempts } = end;
        if ((status !== 'completed' && status !== 'failed') || endedAt === null) return [];
        const provider = attempts.at(-1)?.provider ?? null;
        const code = failure?.code ?? null;
        const refunded = refundedCredits(end);
        return [{ model, status, provider, code, refundedCredits: refunded, createdAt, endedAt }];
      });
    },

    async endedAttempts(since, limit) {
      const found = generations.find(endedSince(since), attemptProjection, {
        ...newestEnds,
        limit,
      });
      return (await found.lean()).flatMap((document) => {
        const { id, endedAt, attempts, prompt } = generationCodec.fromPart(document);
        if (endedAt === null) return [];
        return attempts.map(({ note, ...attempt }) => ({
          ...attempt,
          generationId: id,
          endedAt,
          note: note && withoutPrompt(note, prompt),
        }));
      });
    },

    async openSince(limit) {
      const found = generations.find(
        { open: true },
        { _id: 0, createdAt: 1 },
        { hint: 'unfinished', limit, maxTimeMS },
      );
      return (await found.lean()).map(({ createdAt }) => createdAt.getTime());
    },
  };
}
