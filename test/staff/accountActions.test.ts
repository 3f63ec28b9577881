import { beforeAll, describe, expect, test } from '@jest/globals';
import { minuteMs } from '@framegate/contract';
import { createMailStore } from '../../gateway/src/adapters/mongo/mails/mailStore.ts';
import { eraseAccount, giveGoodwill } from '../../gateway/src/application/staff/accountActions.ts';
import { adjustCredits } from '../../gateway/src/application/staff/adjustCredits.ts';
import { failAndRefund } from '../../gateway/src/application/staff/generationActions.ts';
import { actor } from './openStaff.ts';
import { createVideo, ledgerProblems, runningVideo, untilErased } from './staffFixtures.ts';
import { balance, type StaffWorld, useStaff } from './staffWorld.ts';

const world = useStaff();
let { ark, gateway, staff } = {} as StaffWorld;
beforeAll(() => {
  ({ ark, gateway, staff } = world());
});

describe('actions on accounts', () => {
  test('an adjustment never takes more than there is', async () => {
    const account = await gateway.addAccount({ credits: 100 });
    const change = { accountId: account.accountId, reason: 'test', generationId: null };
    const adjust = (amount: number) =>
      adjustCredits(staff, { ...change, amount, requestId: 'req_1' });
    await adjust(-60);
    await expect(adjust(-60)).rejects.toMatchObject({ code: 'insufficient_credits' });
    await adjust(5);
    await expect(adjust(0)).rejects.toMatchObject({ code: 'amount_zero' });
    await expect(adjust(10 ** 12 + 1)).rejects.toMatchObject({ code: 'amount_invalid' });
    expect(await balance(account)).toBe(45);
    expect(await ledgerProblems(gateway)).toEqual([]);
  });

  test('support may give a little goodwill, and admins any amount', async () => {
    const { accountId } = await gateway.addAccount({ credits: 0 });
    const give = (amount: number, role: 'support' | 'admin') =>
      giveGoodwill(staff, {
        accountId,
        amount,
        reason: 'late',
        by: { role, email: `${role}@framegate.example` },
      });
    await expect(give(1_001, 'support')).rejects.toMatchObject({
      code: 'support_amount_too_high',
    });
    await give(1_000, 'support');
    await give(5_000, 'admin');
    await expect(give(100_001, 'admin')).rejects.toMatchObject({ code: 'goodwill_too_high' });
    expect(await ledgerProblems(gateway)).toEqual([]);
  });

  test('erasing waits for running generations, removes the person and keeps the ledger', async () => {
    const account = await gateway.addAccount({ hosts: ['pictures.example.com'] });
    const { database, collections, models, clock } = gateway;
    const { accountId, keyId } = account;
    const done = await createVideo(account, 'my face at the sea');
    await account.untilEnded(done);
    const open = await runningVideo({ gateway, ark }, account, 'still running');
    await expect(eraseAccount(staff, accountId)).rejects.toMatchObject({
      code: 'generations_unfinished',
    });
    await failAndRefund(staff, open, { by: actor.email, reason: 'erasure' });
    const email = (await database.accounts.find(accountId))?.email;
    const nowMs = clock.now();
    await createMailStore(models).insert({
      id: 'mail_1',
      to: email ?? '',
      subject: 'not taken yet',
      sealed: '1:x',
      sealedHtml: '1:x',
      attempts: 0,
      createdAt: nowMs,
      nextAttemptAt: nowMs + minuteMs,
      validUntil: nowMs + minuteMs,
      goneAt: nowMs + minuteMs,
    });
    await eraseAccount(staff, accountId);
    await untilErased(staff, accountId);
    expect(await collections.mails.countDocuments()).toBe(0);
    await eraseAccount(staff, accountId);
    await untilErased(staff, accountId);
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
