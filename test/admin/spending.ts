import { admitGeneration } from '../../gateway/src/domain/account.ts';
import { refundCredits } from '../../gateway/src/domain/credits.ts';
import type { Generation } from '../../gateway/src/domain/generation.ts';
import { ledgerEntry } from '../../gateway/src/domain/ledger.ts';
import { defaultLimits } from '../../gateway/src/domain/limits.ts';
import type { AdminTest } from './connect.ts';

/** Charges an account for a generation, by the domain's rules, and stores both. */
export async function spend(
  { database, random, clock }: AdminTest,
  accountId: string,
  costCredits: number,
): Promise<Generation> {
  const before = await database.accounts.find(accountId);
  if (!before) throw new Error('no such account');
  const now = clock.now();
  const admission = admitGeneration(before, costCredits, defaultLimits, now);
  if ('refused' in admission) throw new Error(admission.refused);
  const generation: Generation = {
    id: random.newId('gen'),
    accountId,
    channel: 'api',
    keyId: null,
    requestId: random.newId('req'),
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
    costCredits,
    charge: admission.movements,
    status: 'queued',
    step: 'ready',
    createdAt: now,
    startedAt: null,
    endedAt: null,
    deadlineAt: now + 60_000,
    dueAt: now,
    leaseUntil: 0,
    epoch: 0,
    storedInputs: null,
    attempts: [],
    outputs: [],
    outputsDeleteAt: null,
    outputsDeletedAt: null,
    tidyAt: null,
    failure: null,
    replay: null,
    timeline: [],
  };
  await database.transaction(async (stores) => {
    await stores.generations.insert(generation);
    await stores.accounts.update(before, admission.account);
    await stores.ledger.append(
      ledgerEntry({
        accountId,
        number: admission.account.ledgerEntries,
        kind: 'charge',
        movements: admission.movements,
        generationId: generation.id,
        requestId: generation.requestId,
        at: now,
      }),
    );
  });
  return generation;
}

/** Ends a generation, with its refund when it failed. */
export async function end(
  { database, random, clock }: AdminTest,
  generation: Generation,
  status: 'completed' | 'failed',
): Promise<void> {
  const before = await database.accounts.find(generation.accountId);
  if (!before) throw new Error('no such account');
  const refund =
    status === 'failed'
      ? refundCredits(before.lots, generation.charge, clock.now(), () => random.newId('lot'))
      : null;
  const after = {
    ...before,
    inFlightCredits: before.inFlightCredits - generation.costCredits,
    running: before.running - 1,
    ...(refund && { lots: refund.lots, ledgerEntries: before.ledgerEntries + 1 }),
  };
  await database.transaction(async (stores) => {
    await stores.generations.update(generation, { status, step: 'ended', endedAt: clock.now() });
    await stores.accounts.update(before, after);
    if (!refund) return;
    await stores.ledger.append(
      ledgerEntry({
        accountId: before.id,
        number: after.ledgerEntries,
        kind: 'refund',
        movements: refund.movements,
        generationId: generation.id,
        requestId: generation.requestId,
        at: clock.now(),
      }),
    );
  });
}
