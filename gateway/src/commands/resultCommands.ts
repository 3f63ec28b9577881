import { maxGrantCredits } from '@framegate/contract';
import { requireGeneration } from '../domain/refusal.ts';
import { isoTimeOrNull } from '../domain/time/isoTime.ts';
import type { Command } from './command.ts';
import { UsageError } from './flags.ts';

/** Commands for results: taking them down, and those that were not delivered and are kept for staff. */
export const resultCommands: Readonly<Record<string, Command>> = {
  'generation takedown': {
    usage: '--generation G',
    summary: 'Takes down the files of a completed generation; their URLs return 410 immediately.',
    flags: { generation: 'text' },
    noted: 'around it',
    prepare(flags) {
      const generationId = flags.text('generation');
      return async (deps) => {
        const { takeDown } = await import('../application/staff/generationActions.ts');
        const result = await deps.runRemoving((removal) =>
          takeDown(removal, generationId, 'an operator'),
        );
        return { generation_id: generationId, result };
      };
    },
  },
  'generation refused': {
    usage: '--generation G',
    summary: 'Shows the files kept from an undelivered result, but never their contents.',
    flags: { generation: 'text' },
    isReadOnly: true,
    prepare(flags) {
      const id = flags.text('generation');
      return async (deps) => {
        const { findDelivery } = await import('../application/staff/deliverRefused.ts');
        const { keptFiles, refusedAttempt } =
          await import('../domain/generations/refusedResult.ts');
        const generation = requireGeneration(await deps.database.generations.find(id));
        const attempt = refusedAttempt(generation);
        const delivery = await findDelivery(deps, generation);
        return {
          generation_id: id,
          reason: attempt?.lost?.reason ?? null,
          note: attempt?.lost?.note ?? null,
          kept_until: isoTimeOrNull(attempt?.refused?.until ?? null),
          files: keptFiles(generation, deps.clock.now()).map(({ key, bytes, sha256, ...file }) => ({
            key,
            bytes,
            sha256,
            width: file.width ?? null,
            height: file.height ?? null,
            seconds: file.seconds ?? null,
            sound: file.sound ?? null,
            problem: file.problem ?? null,
          })),
          delivered_as: delivery?.id ?? null,
          delivered_status: delivery?.status ?? null,
        };
      };
    },
  },
  'generation deliver': {
    usage: '--generation G [--credits N --reason R]',
    summary:
      'Delivers a kept result anyway, as a new generation: free of charge, or for credits the customer has agreed to pay.',
    flags: { generation: 'text', credits: 'text', reason: 'text' },
    noted: 'with its change',
    prepare(flags) {
      const generationId = flags.text('generation');
      const credits = flags.wholeNumber('credits', 1, maxGrantCredits) ?? 0;
      if (credits > 0 && !flags.has('reason')) {
        throw new UsageError('--credits requires a --reason for the audit log.');
      }
      return async (deps) => {
        const { deliverRefused } = await import('../application/staff/deliverRefused.ts');
        const request = {
          generationId,
          credits,
          by: 'an operator',
          requestId: deps.random.newId('req'),
        };
        const id = await deliverRefused({ ...deps, reachFaultPoint: () => undefined }, request);
        return { generation_id: generationId, delivered_as: id, credits };
      };
    },
  },
};
