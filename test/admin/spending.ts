import { minuteMs } from '@framegate/contract';
import { admitGeneration } from '../../gateway/src/domain/accounts/account.ts';
import { defaultLimits } from '../../gateway/src/domain/accounts/limits.ts';
import { book } from '../../gateway/src/domain/credits/book.ts';
import { refundCredits } from '../../gateway/src/domain/credits/credits.ts';
import type { Generation } from '../../gateway/src/domain/generations/generation.ts';
import type { AdminTest } from './connect.ts';

/** Charges an account for a generation, by the domain's rules, and stores both. */
export async function spend(
  { database, random, clock }: AdminTest,
  accountId: string,
  costCredits: number,
): Promise<Generation> {
  return database.changeAccount(accountId, (account) => {
    const nowMs = clock.now();
    const admission = admitGeneration(account, costCredits, defaultLimits, nowMs);
    if (!admission.ok) throw new Error(admission.code);
    const { account: charged, movements } = admission;
    const generation = spentGeneration(
      { id: random.newId('gen'), accountId, requestId: random.newId('req') },
      { costCredits, charge: movements, createdAt: nowMs },
    );
    const { id: generationId, requestId } = generation;
    const booking = { kind: 'charge', generationId, requestId, at: nowMs } as const;
    return {
      ...book(charged, { lots: charged.lots, movements }, booking),
      insert: generation,
      result: generation,
    };
  });
}

function spentGeneration(
  ids: Pick<Generation, 'id' | 'accountId' | 'requestId'>,
  cost: Pick<Generation, 'costCredits' | 'charge' | 'createdAt'>,
): Generation {
  return {
    ...ids,
    ...cost,
    channel: 'api',
    keyId: null,
    type: 'video',
    model: 'alpha-2.0-pro',
    mode: 'text-to-video',
    prompt: 'a wave',
    inputs: [],
    parameters: {
      duration_seconds: 5,
      resolution: '720p',
      aspect_ratio: '16:9',
      generate_audio: false,
      seed: 1,
      real_person_mode: false,
    },
    realPerson: null,
    catalogueVersion: 1,
    refundedCredits: 0,
    status: 'queued',
    step: 'ready',
    startedAt: null,
    endedAt: null,
    deadlineAt: cost.createdAt + minuteMs,
    dueAt: cost.createdAt,
    leaseUntil: 0,
    epoch: 0,
    providerSlot: null,
    storedInputs: null,
    attempts: [],
    outputs: [],
    outputsRemoveAt: null,
    outputsRemovedAt: null,
    tidyAt: null,
    failure: null,
    replay: null,
    timeline: [],
  };
}

/** Ends a generation, with its refund when it failed. */
export async function end(
  { database, random, clock }: AdminTest,
  generation: Generation,
  status: 'completed' | 'failed',
): Promise<void> {
  await database.changeAccount(generation.accountId, (before) => {
    const nowMs = clock.now();
    const change = {
      status,
      step: 'ended' as const,
      endedAt: nowMs,
      refundedCredits: status === 'failed' ? generation.costCredits : 0,
    };
    const after = {
      ...before,
      inFlightCredits: before.inFlightCredits - generation.costCredits,
      running: before.running - 1,
    };
    if (status === 'completed') return { after, end: { generation, change }, result: undefined };
    const refund = refundCredits(before.lots, generation.charge, nowMs, () => random.newId('lot'));
    const { id: generationId, requestId } = generation;
    return {
      ...book(after, refund, { kind: 'refund', generationId, requestId, at: nowMs }),
      end: { generation, change },
      result: undefined,
    };
  });
}
