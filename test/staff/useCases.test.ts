import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseAccount, giveGoodwill } from '../../gateway/src/application/staff/accountActions.ts';
import { adjustCredits } from '../../gateway/src/application/staff/adjustCredits.ts';
import {
  failAndRefund,
  inspectGeneration,
  runNow,
  revealPrompt,
  takeDown,
} from '../../gateway/src/application/staff/generationActions.ts';
import { resolveUnknown } from '../../gateway/src/application/staff/resolveUnknown.ts';
import { runAction } from '../../gateway/src/application/staff/runAction.ts';
import { searchAll } from '../../gateway/src/application/staff/search.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { arkRoutes } from '../support/arkRoutes.ts';
import { startFakeArk, type FakeArk } from '../support/fakeArk/fakeArk.ts';
import { startTestGateway, type TestAccount, type TestGateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';
import { actor, openStaff } from './openStaff.ts';
import { createVideo, ledgerProblems, runningVideo, untilErased } from './staffFixtures.ts';
import { PlainRefusal } from '../../gateway/src/application/plainRefusal.ts';

let ark: FakeArk;
let folder: string;
let gateway: TestGateway;
let opened: Awaited<ReturnType<typeof openStaff>>;
const by = actor.email;

beforeAll(async () => {
  ark = await startFakeArk();
  folder = await mkdtemp(join(tmpdir(), 'framegate-staff-'));
  gateway = await startTestGateway(await arkRoutes(folder, ark, { maxConcurrent: 1000 }));
  opened = await openStaff(gateway);
});

afterAll(async () => {
  await opened.close();
  await gateway.stop();
  await ark.close();
  await rm(folder, { recursive: true, force: true });
});

/** A generation whose submission broke off without an answer: failed and refunded. */
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

async function balance(account: TestAccount): Promise<number> {
  return Number((await account.get('/v1/credits/balance')).json['available']);
}

const judged = {
  role: actor.role,
  operation: '',
  adjustment: 0,
  reason: 'asked the provider',
  by,
  requestId: 'req_1',
};

describe('search', () => {
  test('finds a generation by every id that it has', async () => {
    const account = await gateway.addAccount();
    const consent = 'consent 2031/7';
    const id = await runningVideo({ gateway, ark }, account, 'search me');
    await gateway.gateway.database.collections.generations.updateOne(
      { _id: id },
      { $set: { realPerson: { consentReference: consent } } },
    );
    const { staff } = opened;
    const generation = await staff.queries.generation(id);
    const job = await staff.queries.job(id);
    const task = ark.submitted().find(({ prompt }) => prompt === 'search me')?.taskId;
    const words = [
      id,
      ` ${id.toUpperCase()} `,
      `https://api.example/v1/generations/${id}`,
      String(generation?.requestId),
      consent,
      String(task),
      String(job?.id),
      id.slice(0, -3),
    ];
    for (const word of words) {
      const found = await searchAll(staff, word);
      expect([word, found.generations.map((line) => line.id)]).toEqual([word, [id]]);
    }
  });

  test('finds an account by id, address and key', async () => {
    const { accountId, keyId, apiKey } = await gateway.addAccount();
    const { staff } = opened;
    const account = await gateway.gateway.database.database.accounts.find(accountId);
    const words = [
      accountId,
      String(account?.email),
      keyId,
      apiKey,
      `fg_live_…${apiKey.slice(-4)}`,
      // Beginnings; of a key only six characters are kept, and more may be typed.
      accountId.slice(0, -4),
      keyId.slice(0, -4),
      String(account?.email).slice(0, 12).toUpperCase(),
      apiKey.slice(0, 12),
      apiKey.slice(0, 20),
    ];
    for (const word of words) {
      const found = await searchAll(staff, word);
      const ids = found.accounts.map((each) => each.account.id);
      expect([word, ids.includes(accountId)]).toEqual([word, true]);
    }
    expect(await searchAll(staff, 'nothing is called so')).toEqual({
      generations: [],
      accounts: [],
    });
    expect(await searchAll(staff, '  ')).toEqual({ generations: [], accounts: [] });
  });
});

describe('inspecting', () => {
  test('shows timeline, attempts, ledger, job and what the API answers', async () => {
    const account = await gateway.addAccount();
    const id = await runningVideo({ gateway, ark }, account, 'inspect me');
    const seen = await inspectGeneration(opened.staff, id);
    expect(seen.timeline.map(({ what, attempt }) => [what, attempt])).toEqual([
      ['accepted', null],
      ['given to ark', 1],
      ['accepted by the provider', 1],
    ]);
    expect(seen.timeline.every((event) => event.process?.endsWith(` ${process.pid}`))).toBe(true);
    expect(seen.entries.map(({ kind }) => kind)).toEqual(['charge']);
    expect(seen.job).toMatchObject({ name: 'generation.run' });
    expect(seen.key?.id).toBe(account.keyId);
    const { json } = await account.get(`/v1/generations/${id}`);
    const view = JSON.parse(seen.customerView) as Record<string, unknown>;
    expect({ ...view, retry_after_seconds: 0 }).toEqual({ ...json, retry_after_seconds: 0 });
    expect(await revealPrompt(opened.staff, id)).toEqual({ prompt: 'inspect me', inputs: [] });
  });
});

describe('actions on generations', () => {
  test('failing refunds once, and an end stays an end', async () => {
    const account = await gateway.addAccount();
    const before = await balance(account);
    const id = await runningVideo({ gateway, ark }, account, 'fail me');
    const command = { by, reason: 'the customer asked' };
    const both = await Promise.allSettled([
      failAndRefund(opened.staff, id, command),
      failAndRefund(opened.staff, id, command),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await account.untilEnded(id)).toMatchObject({
      status: 'failed',
      billing: { status: 'refunded' },
      error: { code: 'generation_failed' },
    });
    expect(await balance(account)).toBe(before);
    await expect(runNow(opened.staff, id, by)).rejects.toThrow(PlainRefusal);
    await expect(failAndRefund(opened.staff, id, command)).rejects.toThrow(PlainRefusal);
    expect(await ledgerProblems(gateway)).toEqual([]);
  });

  test('looking now brings a finished generation in at once', async () => {
    const account = await gateway.addAccount();
    const id = await createVideo(account, 'look at me');
    await until(async () => (await opened.staff.queries.generation(id))?.step !== 'ready');
    await runNow(opened.staff, id, by).catch((error: unknown) => {
      // It may have ended by itself.
      expect(error).toBeInstanceOf(PlainRefusal);
    });
    expect(await account.untilEnded(id)).toMatchObject({ status: 'completed' });
  });

  test('taking down deletes the files for good and keeps the charge', async () => {
    const account = await gateway.addAccount();
    const id = await createVideo(account, 'take me down');
    const { output } = (await account.untilEnded(id)) as { output: { video_url: string } };
    expect((await fetch(output.video_url)).status).toBe(200);
    await takeDown(opened.staff, id, by);
    expect((await fetch(output.video_url)).status).not.toBe(200);
    const { json } = await account.get(`/v1/generations/${id}`);
    expect(json).toMatchObject({ status: 'completed', billing: { status: 'charged' } });
    expect(json['output']).toMatchObject({ urls: [], deleted_at: expect.any(String) });
    expect(await ledgerProblems(gateway)).toEqual([]);
  });
});

describe('unknown outcomes', () => {
  test('a final one is resolved once, with one adjustment', async () => {
    const account = await gateway.addAccount();
    const id = await unknown(account, 'lost answer');
    expect((await opened.staff.queries.unresolved(100)).map((line) => line.id)).toContain(id);
    const before = await balance(account);
    const judgement = { ...judged, generationId: id, found: true, adjustment: 25 };
    await resolveUnknown(opened.staff, judgement);
    expect(await balance(account)).toBe(before + 25);
    await expect(resolveUnknown(opened.staff, judgement)).rejects.toThrow('resolved before');
    expect(await balance(account)).toBe(before + 25);
    expect((await opened.staff.queries.unresolved(100)).map((line) => line.id)).not.toContain(id);
    expect(await account.untilEnded(id)).toMatchObject({ status: 'failed' });
    expect(await ledgerProblems(gateway)).toEqual([]);
  });

  test('one that is not final is adopted once the provider confirms it', async () => {
    const account = await gateway.addAccount();
    const id = await runningVideo({ gateway, ark }, account, 'adopt me');
    const task = ark.submitted().find(({ prompt }) => prompt === 'adopt me')?.taskId;
    // As a process leaves it that was killed while it called the provider.
    await gateway.gateway.database.collections.generations.updateOne({ _id: id }, [
      {
        $set: {
          step: 'submitting',
          leaseUntil: new Date(0),
          'attempts.outcome': 'open',
          'attempts.operation': null,
          dueAt: { $add: ['$$NOW', 60_000] },
        },
      },
    ]);
    const judgement = { ...judged, generationId: id, found: true };
    await expect(
      resolveUnknown(opened.staff, { ...judgement, operation: 'cgt-999999' }),
    ).rejects.toThrow('does not confirm');
    await resolveUnknown(opened.staff, { ...judgement, operation: String(task) });
    const { generation } = await inspectGeneration(opened.staff, id);
    expect(generation).toMatchObject({ step: 'submitted', status: 'processing' });
    expect(ark.accepted('adopt me')).toBe(1);
    await failAndRefund(opened.staff, id, { by, reason: 'tidy up' });
    expect(await ledgerProblems(gateway)).toEqual([]);
  });
});

describe('actions on accounts', () => {
  test('an adjustment never takes more than there is', async () => {
    const account = await gateway.addAccount({ credits: 100 });
    const change = { accountId: account.accountId, reason: 'test', generationId: null };
    const adjust = (amount: number) =>
      adjustCredits(opened.staff.work, { ...change, amount, requestId: 'req_1' });
    await adjust(-60);
    await expect(adjust(-60)).rejects.toThrow(PlainRefusal);
    await adjust(5);
    await expect(adjust(0)).rejects.toThrow(PlainRefusal);
    expect(await balance(account)).toBe(45);
    expect(await ledgerProblems(gateway)).toEqual([]);
  });

  test('support give a little goodwill, admins as much as is needed', async () => {
    const { accountId } = await gateway.addAccount({ credits: 0 });
    const give = (amount: number, role: 'support' | 'admin') =>
      giveGoodwill(opened.staff, {
        ...{ accountId, amount, reason: 'late' },
        by: { role, email: `${role}@framegate.example` },
      });
    await expect(give(1_001, 'support')).rejects.toThrow(PlainRefusal);
    await give(1_000, 'support');
    await give(5_000, 'admin');
    await expect(give(100_001, 'admin')).rejects.toThrow('Grant credits');
    expect(await ledgerProblems(gateway)).toEqual([]);
  });

  test('erasing waits for the end of what runs, removes the person and keeps the ledger', async () => {
    const account = await gateway.addAccount({ hosts: ['pictures.example.com'] });
    const { database, collections } = gateway.gateway.database;
    const { accountId, keyId } = account;
    const done = await createVideo(account, 'my face at the sea');
    await account.untilEnded(done);
    const open = await runningVideo({ gateway, ark }, account, 'still running');
    await expect(eraseAccount(opened.staff, accountId)).rejects.toThrow('unfinished');
    await failAndRefund(opened.staff, open, { by, reason: 'erasure' });
    const email = (await database.accounts.find(accountId))?.email;
    await collections.mails.insertOne({ _id: 'mail_1', to: email, subject: 'not taken yet' });
    await eraseAccount(opened.staff, accountId);
    expect(await collections.mails.countDocuments()).toBe(0);
    await untilErased(opened.staff, accountId);
    await eraseAccount(opened.staff, accountId);
    await untilErased(opened.staff, accountId);
    expect(await database.erasures.find(accountId)).toMatchObject({ count: 2 });
    const left = JSON.stringify([
      await collections.accounts.findOne({ _id: accountId }),
      await collections.generations.find({ accountId }).toArray(),
    ]);
    for (const word of ['my face', 'still running', String(email), 'pictures.example.com']) {
      expect([word, left.includes(word)]).toEqual([word, false]);
    }
    expect(left).toContain(keyId);
    expect((await database.ledger.find(accountId)).map(({ kind }) => kind)).toEqual([
      'grant',
      'charge',
      'charge',
      'refund',
    ]);
    expect(await ledgerProblems(gateway)).toEqual([]);
  });
});

describe('the audit log', () => {
  const plan = { targets: ['gen_audited'], reason: 'a test', formId: null };

  test('holds an action before it is done, and what came of it', async () => {
    const seen: string[] = [];
    const result = await runAction(
      opened.staff,
      actor,
      { ...plan, action: 'look now' },
      async () => {
        const [entry] = await opened.staff.audit.search('gen_audited', null, 1);
        seen.push(String(entry?.outcome));
        return 'looked';
      },
    );
    expect([result, ...seen]).toEqual(['looked', 'begun']);
    const [entry] = await opened.staff.audit.search(actor.email, null, 1);
    expect(entry).toMatchObject({ action: 'look now', outcome: 'done', result: 'looked' });
  });

  test('acts upon a form once', async () => {
    let done = 0;
    const once = () =>
      runAction(
        opened.staff,
        actor,
        { ...plan, action: 'look now', formId: 'form 1' },
        async () => {
          done += 1;
          return 'done';
        },
      );
    const both = await Promise.allSettled([once(), once()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(done).toBe(1);
  });

  test('refuses what the role may not, and writes that down', async () => {
    const work = async () => {
      throw new Error('was done');
    };
    const attempt = runAction(opened.staff, actor, { ...plan, action: 'erase account' }, work);
    await expect(attempt).rejects.toThrow('may not');
    const [entry] = await opened.staff.audit.search('erase account', null, 1);
    expect(entry).toMatchObject({ outcome: 'refused', accountId: actor.accountId });
  });
});
