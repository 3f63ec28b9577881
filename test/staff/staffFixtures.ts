import { expect } from '@jest/globals';
import { createLedgerAudit } from '../../gateway/src/adapters/mongo/credits/ledgerAudit.ts';
import type { App } from '../../gateway/src/application/app.ts';
import { verifyLedger } from '../../gateway/src/application/credits/audit/verifyLedger.ts';
import { eraseGenerations } from '../../gateway/src/application/generations/end/eraseGenerations.ts';
import { resolveUnknown } from '../../gateway/src/application/staff/resolveUnknown.ts';
import type { StaffRole } from '../../gateway/src/domain/staff/staffRights.ts';
import { video } from '../support/bodies.ts';
import type { FakeArk } from '../support/fakeArk/fakeArk.ts';
import type { TestAccount, TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { actor } from './openStaff.ts';

/** Creates a video, which must be accepted. @returns Its id. */
export async function createVideo(account: TestAccount, prompt: string): Promise<string> {
  const { status, json } = await account.post('/v1/videos', video({ prompt }));
  expect(status).toBe(202);
  return String(json['id']);
}

/** Creates a video that the provider never finishes, and waits until the provider has it. */
export async function runningVideo(
  { gateway, ark }: { gateway: TestGateway; ark: FakeArk },
  account: TestAccount,
  prompt: string,
): Promise<string> {
  ark.script({ prompt, on: 'task', plan: { polls: 0, end: 'never' } });
  const id = await createVideo(account, prompt);
  await untilSubmitted(gateway, id);
  return id;
}

/** Leaves a generation like a process killed during its call to the provider; due after `dueInMs`. */
export async function loseSubmission(
  gateway: TestGateway,
  id: string,
  dueInMs: number,
): Promise<void> {
  await untilSubmitted(gateway, id);
  const { generations } = gateway.collections;
  const unheld = { _id: id, $expr: { $lte: ['$leaseUntil', '$$NOW'] } };
  const change = {
    step: 'submitting',
    'attempts.outcome': 'open',
    'attempts.handle': null,
    dueAt: { $add: ['$$NOW', dueInMs] },
  };
  await until(
    async () => (await generations.updateOne(unheld, [{ $set: change }])).matchedCount === 1,
  );
}

async function untilSubmitted(gateway: TestGateway, id: string): Promise<void> {
  const { generations } = gateway.collections;
  await until(async () => (await generations.findOne({ _id: id }))?.['step'] === 'submitted');
}

/** Reports, as staff, that a lost submission was found at the provider under this operation or id. */
export const adopt = (
  staff: App,
  generationId: string,
  operation: string,
  role: StaffRole = actor.role,
): ReturnType<typeof resolveUnknown> =>
  resolveUnknown(staff, {
    generationId,
    operation,
    isAtProvider: true,
    adjustment: 0,
    role,
    reason: 'found in its console',
    by: actor.email,
    requestId: 'req_1',
  });

/** Erases the personal data in generations of an erased account, in addition to the workers, until none is left. */
export async function untilErased(
  staff: Pick<App, 'database' | 'clock' | 'log' | 'media'>,
  accountId: string,
): Promise<void> {
  const { erasures } = staff.database;
  const never = new AbortController().signal;
  await until(async () => {
    await eraseGenerations(staff, never, accountId);
    return typeof (await erasures.find(accountId))?.doneAt === 'number';
  }, 'the generations are erased');
}

/** Findings of the ledger's audit. */
export async function ledgerProblems({ client, collections }: TestGateway): Promise<unknown[]> {
  return (await verifyLedger({ ledgerAudit: createLedgerAudit(client, collections) })).problems;
}
