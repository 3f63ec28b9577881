import { beforeAll, describe, expect, test } from '@jest/globals';
import { tidyGenerations } from '../../gateway/src/application/generations/end/tidyGenerations.ts';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { eraseAccount } from '../../gateway/src/application/staff/accountActions.ts';
import { failAndRefund, takeDown } from '../../gateway/src/application/staff/generationActions.ts';
import { resolveUnknown } from '../../gateway/src/application/staff/resolveUnknown.ts';
import { runAction } from '../../gateway/src/application/staff/runAction.ts';
import { possibleOutputKeys } from '../../gateway/src/domain/generations/mediaFiles.ts';
import { video } from '../support/bodies.ts';
import { until } from '../support/until.ts';
import { type ArkGateway, useArkGateway } from '../support/useArkGateway.ts';
import { actor, openStaff } from './openStaff.ts';
import { ledgerProblems, runningVideo, untilErased } from './staffFixtures.ts';

/*
 * The console's process dies at a labelled step, or between two of its own writes, as after a kill. The workers
 * continue; the staff member retries.
 */

const world = useArkGateway();
let { ark, gateway } = {} as ArkGateway;
beforeAll(() => {
  ({ ark, gateway } = world());
});

class Killed extends Error {
  override readonly name = 'Killed';
}

/** Runs `work` in a console that is killed at the given step. */
async function killedAt(
  point: FaultPoint,
  work: (staff: Awaited<ReturnType<typeof openStaff>>['staff']) => Promise<unknown>,
): Promise<void> {
  const opened = await openStaff(gateway, (reached) => {
    if (reached === point) throw new Killed(point);
  });
  try {
    await expect(work(opened.staff)).rejects.toBeInstanceOf(Killed);
  } finally {
    await opened.close();
  }
}

const why = { by: actor.email, reason: 'a test' };

describe('a console that is killed', () => {
  for (const point of ['end.beforeTransaction', 'end.beforeJobRemoval'] as const) {
    test(`at ${point} fails and refunds once, or not at all`, async () => {
      const account = await gateway.addAccount({ credits: 100 });
      const id = await runningVideo({ gateway, ark }, account, `killed at ${point}`);
      await killedAt(point, (staff) => failAndRefund(staff, id, why));
      expect(await ledgerProblems(gateway)).toEqual([]);
      const opened = await openStaff(gateway);
      // The dead console's lease expires; then the next attempt finds it open or ended.
      await until(async () => {
        const again = failAndRefund(opened.staff, id, why);
        const words = await again.catch((error: unknown) => String(error));
        return words.startsWith('Failed') || words.includes('has already ended');
      });
      await opened.close();
      expect(await account.untilEnded(id)).toMatchObject({ billing: { status: 'refunded' } });
      expect((await account.get('/v1/credits/balance')).json).toMatchObject({
        available: 100,
        in_flight: 0,
      });
      expect(await ledgerProblems(gateway)).toEqual([]);
    });
  }

  test('between adjustment and note resolves once', async () => {
    const account = await gateway.addAccount({ credits: 100 });
    ark.script({ prompt: 'half resolved', on: 'submit', fault: { kind: 'drop' } });
    const { json } = await account.post('/v1/videos', video({ prompt: 'half resolved' }));
    const generationId = String(json['id']);
    await account.untilEnded(generationId);
    const opened = await openStaff(gateway);
    const { staff } = opened;
    const judgement = {
      generationId,
      isAtProvider: true,
      operation: '',
      adjustment: 20,
      role: actor.role,
      ...why,
      requestId: actor.requestId,
    };
    const dying = {
      ...staff,
      staffWrites: {
        ...staff.staffWrites,
        resolve: async () => {
          throw new Killed('before the note');
        },
      },
    };
    await expect(resolveUnknown(dying, judgement)).rejects.toBeInstanceOf(Killed);
    // The moved credits equal the audit log's, whatever the second decision requests.
    for (const adjustment of [70, 0]) {
      const other = resolveUnknown(staff, { ...judgement, adjustment });
      await expect(other).rejects.toMatchObject({ code: 'adjusted_already' });
    }
    expect(await resolveUnknown(staff, judgement)).toContain('; 20 credits.');
    await opened.close();
    expect((await account.get('/v1/credits/balance')).json['available']).toBe(120);
    expect(await ledgerProblems(gateway)).toEqual([]);
  });

  test('while it deletes files continues with the second attempt', async () => {
    const account = await gateway.addAccount();
    const { json } = await account.post('/v1/videos', video({ prompt: 'half taken down' }));
    const id = String(json['id']);
    const { output } = (await account.untilEnded(id)) as { output: { video_url: string } };
    const opened = await openStaff(gateway);
    const { staff } = opened;
    const media = {
      ...staff.media,
      delete: async () => {
        throw new Killed('before the file');
      },
    };
    const dying = { ...staff, media };
    await expect(takeDown(dying, id, actor.email)).rejects.toBeInstanceOf(Killed);
    expect((await fetch(output.video_url)).status).not.toBe(200);
    const { outputs } = (await staff.staffQueries.findGeneration(id)) ?? { outputs: [] };
    const [key = ''] = outputs.map((each) => each.key);
    expect(await staff.media.stat(key)).not.toBeNull();
    // A recorded action continues without a second attempt.
    await eraseAccount(staff, account.accountId);
    await untilErased(staff, account.accountId);
    expect(await staff.media.stat(key)).toBeNull();
    await opened.close();
    expect(await ledgerProblems(gateway)).toEqual([]);
  });

  test('while it takes files down leaves them to upkeep', async () => {
    const account = await gateway.addAccount();
    const { json } = await account.post('/v1/videos', video({ prompt: 'left in the store' }));
    const id = String(json['id']);
    await account.untilEnded(id);
    const opened = await openStaff(gateway);
    const { staff } = opened;
    const dying = {
      ...staff,
      media: { ...staff.media, delete: () => Promise.reject(new Killed('before the file')) },
    };
    await expect(takeDown(dying, id, actor.email)).rejects.toBeInstanceOf(Killed);
    const found = await staff.staffQueries.findGeneration(id);
    const keys = possibleOutputKeys({ id, parameters: found?.parameters ?? ({} as never) });
    const left = async () => {
      const files = await Promise.all(keys.map((key) => staff.media.stat(key)));
      return files.filter((file) => file !== null).length;
    };
    expect(await left()).toBeGreaterThan(0);
    await tidyGenerations(staff, new AbortController().signal);
    // A worker may have come before.
    await until(async () => (await left()) === 0, 'the files are deleted');
    expect((await account.get(`/v1/generations/${id}`)).json).toMatchObject({
      billing: { status: 'charged' },
      output: { urls: [], expires_at: new Date(found?.outputsRemovedAt ?? 0).toISOString() },
    });
    await opened.close();
  });

  test('leaves its action in the audit log as begun', async () => {
    const opened = await openStaff(gateway);
    const { staff } = opened;
    const audit = {
      ...staff.audit,
      finish: async () => {
        throw new Killed('before the outcome');
      },
    };
    const plan = { action: 'poll now' as const, targets: ['gen_killed'], reason: '', formId: null };
    const done = runAction({ ...staff, audit }, actor, plan, async () => 'done');
    await expect(done).rejects.toBeInstanceOf(Killed);
    const [entry] = await staff.audit.search('gen_killed', null, 1);
    expect(entry).toMatchObject({ outcome: 'begun', result: '' });
    await opened.close();
  });
});
