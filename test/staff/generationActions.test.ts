import { beforeAll, describe, expect, test } from '@jest/globals';
import { hourMs, minuteMs } from '@framegate/contract';
import {
  failAndRefund,
  inspectGeneration,
  revealPrompt,
  runNow,
  takeDown,
} from '../../gateway/src/application/staff/generationActions.ts';
import { resolveUnknown } from '../../gateway/src/application/staff/resolveUnknown.ts';
import { uploadSource } from '../../gateway/src/domain/generations/uploads.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import type { TestAccount } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { actor } from './openStaff.ts';
import { createVideo, ledgerProblems, runningVideo } from './staffFixtures.ts';
import { balance, type StaffWorld, useStaff } from './staffWorld.ts';

const world = useStaff();
let { ark, gateway, staff } = {} as StaffWorld;
beforeAll(() => {
  ({ ark, gateway, staff } = world());
});

const by = actor.email;

describe('inspecting', () => {
  test("shows timeline, attempts, ledger, job and the API's response", async () => {
    const account = await gateway.addAccount();
    const id = await runningVideo({ gateway, ark }, account, 'inspect me');
    // The API reads the state of a majority of the database's members.
    const read = async () => (await account.get(`/v1/generations/${id}`)).json;
    await until(async () => (await read())['status'] === 'processing');
    const seen = await inspectGeneration(staff, id);
    expect(seen.timeline.map(({ what, attempt }) => [what, attempt])).toEqual([
      ['accepted', null],
      ['submitted to ark', 1],
      ['accepted by the provider', 1],
    ]);
    expect(seen.timeline.every((event) => event.process?.endsWith(` ${process.pid}`))).toBe(true);
    expect(seen.entries.map(({ kind }) => kind)).toEqual(['charge']);
    expect(seen.job).toMatchObject({ name: 'generation.run' });
    expect(seen.key?.id).toBe(account.keyId);
    const view = JSON.parse(seen.customerView) as Record<string, unknown>;
    expect({ ...view, retry_after_seconds: 0 }).toEqual({
      ...(await read()),
      retry_after_seconds: 0,
    });
    expect(await revealPrompt(staff, id)).toEqual({ prompt: 'inspect me', texts: [], inputs: [] });
  });
});

describe('actions on generations', () => {
  test('failing refunds once, and an end is final', async () => {
    const account = await gateway.addAccount();
    const before = await balance(account);
    const id = await runningVideo({ gateway, ark }, account, 'fail me');
    const command = { by, reason: 'the customer asked' };
    const both = await Promise.allSettled([
      failAndRefund(staff, id, command),
      failAndRefund(staff, id, command),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await account.untilEnded(id)).toMatchObject({
      status: 'failed',
      billing: { status: 'refunded' },
      error: { code: 'generation_failed' },
    });
    expect(await balance(account)).toBe(before);
    const ended = { code: 'generation_ended' };
    await expect(runNow(staff, id, by)).rejects.toMatchObject(ended);
    await expect(failAndRefund(staff, id, command)).rejects.toMatchObject(ended);
    expect(await ledgerProblems(gateway)).toEqual([]);
  });

  test('polling now delivers a finished generation immediately', async () => {
    const account = await gateway.addAccount();
    const id = await createVideo(account, 'poll me');
    await until(async () => (await staff.staffQueries.findGeneration(id))?.step !== 'ready');
    await runNow(staff, id, by).catch((error: unknown) => {
      // It may have ended by itself.
      expect(error).toBeInstanceOf(Refusal);
    });
    expect(await account.untilEnded(id)).toMatchObject({ status: 'completed' });
  });

  test('taking down deletes the files permanently and keeps the charge', async () => {
    const account = await gateway.addAccount();
    const id = await createVideo(account, 'take me down');
    const { output } = (await account.untilEnded(id)) as { output: { video_url: string } };
    expect((await fetch(output.video_url)).status).toBe(200);
    const { uploads } = gateway.database;
    const { accountId } = account;
    const nowMs = Date.now();
    const times = { createdAt: nowMs, expiresAt: nowMs + hourMs, neededUntil: 0 };
    const about = { type: 'image', key: null, previewKey: null, bytes: 1, size: null } as const;
    for (const source of [uploadSource('frame', id, 'last'), null]) {
      const frame = source === null ? 'upl_own' : 'upl_frame';
      await uploads.insert({ id: frame, accountId, ...about, ...times, seconds: null, source });
    }
    await takeDown(staff, id, by);
    expect((await fetch(output.video_url)).status).not.toBe(200);
    // Its preview is also removed; other files of the account stay.
    expect((await uploads.listOfAccount(accountId)).map((each) => each.id)).toEqual(['upl_own']);
    const { json } = await account.get(`/v1/generations/${id}`);
    expect(json).toMatchObject({ status: 'completed', billing: { status: 'charged' } });
    expect(json['output']).toMatchObject({ urls: [], deleted_at: expect.any(String) });
    expect(await ledgerProblems(gateway)).toEqual([]);
  });
});

/** A generation whose submission ended without a response: failed and refunded. */
async function unknown(account: TestAccount, name: string): Promise<string> {
  ark.script({
    prompt: name,
    on: 'submit',
    fault: { kind: 'accept, then', fault: { kind: 'drop' } },
  });
  const id = await createVideo(account, name);
  expect(await account.untilEnded(id)).toMatchObject({ status: 'failed' });
  return id;
}

const judged = {
  role: actor.role,
  operation: '',
  adjustment: 0,
  reason: 'asked the provider',
  by,
  requestId: 'req_1',
};

describe('unknown outcomes', () => {
  test('a final one is resolved once, with one adjustment', async () => {
    const account = await gateway.addAccount();
    const id = await unknown(account, 'lost response');
    expect((await staff.staffQueries.listUnresolved(100)).map((line) => line.id)).toContain(id);
    const before = await balance(account);
    const judgement = { ...judged, generationId: id, isAtProvider: true, adjustment: 25 };
    await resolveUnknown(staff, judgement);
    expect(await balance(account)).toBe(before + 25);
    await expect(resolveUnknown(staff, judgement)).rejects.toMatchObject({
      code: 'resolved_already',
    });
    expect(await balance(account)).toBe(before + 25);
    expect((await staff.staffQueries.listUnresolved(100)).map((line) => line.id)).not.toContain(id);
    expect(await account.untilEnded(id)).toMatchObject({ status: 'failed' });
    expect(await ledgerProblems(gateway)).toEqual([]);
  });

  test('an unfinished one is adopted once the provider confirms it', async () => {
    const account = await gateway.addAccount();
    const id = await runningVideo({ gateway, ark }, account, 'adopt me');
    const task = ark.submitted().find(({ prompt }) => prompt === 'adopt me')?.taskId;
    // As left by a process that was killed during its call to the provider.
    await gateway.collections.generations.updateOne({ _id: id }, [
      {
        $set: {
          step: 'submitting',
          leaseUntil: new Date(0),
          'attempts.outcome': 'open',
          'attempts.handle': null,
          dueAt: { $add: ['$$NOW', minuteMs] },
        },
      },
    ]);
    const judgement = { ...judged, generationId: id, isAtProvider: true };
    await expect(
      resolveUnknown(staff, { ...judgement, operation: 'cgt-999999' }),
    ).rejects.toMatchObject({ code: 'task_not_confirmed' });
    await resolveUnknown(staff, { ...judgement, operation: String(task) });
    const { generation } = await inspectGeneration(staff, id);
    expect(generation).toMatchObject({ step: 'submitted', status: 'processing' });
    expect(ark.accepted('adopt me')).toBe(1);
    // A poll may run at the same moment; staff are told to try again.
    await until(() =>
      failAndRefund(staff, id, { by, reason: 'tidy up' }).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Refusal) return false;
          throw error;
        },
      ),
    );
    expect(await ledgerProblems(gateway)).toEqual([]);
  });
});
