import { beforeAll, describe, expect, test } from '@jest/globals';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { searchAll } from '../../gateway/src/application/staff/search.ts';
import { operatorReference } from '../../gateway/src/domain/credits/credits.ts';
import { parseSearch } from '../../gateway/src/domain/staff/staffSearch.ts';
import { runningVideo } from './staffFixtures.ts';
import { type StaffWorld, useStaff } from './staffWorld.ts';

const world = useStaff();
let { ark, gateway, staff } = {} as StaffWorld;
beforeAll(() => {
  ({ ark, gateway, staff } = world());
});

describe('search', () => {
  test('finds a generation by every id that it has', async () => {
    const account = await gateway.addAccount();
    const consent = 'consent 2031/7';
    const id = await runningVideo({ gateway, ark }, account, 'search me');
    await gateway.collections.generations.updateOne(
      { _id: id },
      {
        $set: {
          realPerson: { consentReference: consent, policyVersion: '1', callerAddress: '' },
        },
      },
    );
    const generation = await staff.staffQueries.findGeneration(id);
    const job = await staff.staffQueries.findJob(id);
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
      id.slice(4),
      `see (${id.slice(4).toUpperCase()}).`,
    ];
    for (const word of words) {
      const found = await searchAll(staff, word);
      expect([word, found.generations.map((line) => line.id)]).toEqual([word, [id]]);
    }
  });

  test('finds all ids of a pasted email, however long it is', async () => {
    const [first, second] = [await gateway.addAccount(), await gateway.addAccount()];
    const id = await runningVideo({ gateway, ark }, first, 'in a mail');
    const mail = `${'Dear support, '.repeat(200)}${id}, again ${id}, and key ${second.keyId}.`;
    const found = await searchAll(staff, mail);
    expect(found.generations.map((line) => line.id)).toEqual([id]);
    expect(found.accounts.map(({ account }) => account.id)).toEqual([second.accountId]);
  });

  test('finds an account by id, address and key', async () => {
    const { accountId, keyId, apiKey } = await gateway.addAccount();
    const account = await gateway.database.accounts.find(accountId);
    const words = [
      accountId,
      String(account?.email),
      keyId,
      apiKey,
      `fg_live_…${apiKey.slice(-4)}`,
      // Prefixes; only six characters of a key are stored, but more may be typed.
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
    const nothing = { generations: [], accounts: [], missing: [], near: [], idsLeftOut: 0 };
    expect(await searchAll(staff, 'nothing is called so')).toEqual(nothing);
    expect(await searchAll(staff, '  ')).toEqual(nothing);
  });

  test('finds a customer by a payment that an email names', async () => {
    const { accountId } = await gateway.addAccount();
    const { database, clock } = gateway;
    await grantCredits(
      { database, clock, random: gateway.random },
      {
        accountId,
        amountCredits: 5,
        kind: 'purchased',
        expiresAt: null,
        reason: null,
        reference: operatorReference('order-4711'),
      },
    );
    const { accounts } = await searchAll(
      staff,
      'Hello!\nWhere is (order-4711)?\nMiss Ada, flat 12b',
    );
    expect(accounts.map(({ account, entry }) => [account.id, entry])).toEqual([[accountId, 2]]);
  });

  test('offers the intended generation for an id with a wrong letter', async () => {
    const id = await runningVideo({ gateway, ark }, await gateway.addAccount(), 'mistyped');
    const last = id.endsWith('2') ? '3' : '2';
    const wrong = id.slice(0, -1) + last;
    const { generations, missing, near } = await searchAll(staff, `About ${wrong}!`);
    expect([generations, missing]).toEqual([[], [wrong]]);
    expect(near.map((line) => line.id)).toContain(id);
  });

  test('names the ids that it did not find, and counts those that are too many', async () => {
    const id = (number: number) => `gen_${String(number).padStart(26, '0')}`;
    const ids = Array.from({ length: 52 }, (_, number) => id(number));
    const { missing, idsLeftOut } = await searchAll(staff, ids.join('\n'));
    expect([missing, idsLeftOut]).toEqual([ids.slice(0, 50), 2]);
  });
});

describe('parseSearch', () => {
  const kinds = (text: string) =>
    parseSearch(text).groups.map((group) => group.map(({ kind, value }) => `${kind} ${value}`));

  test('sorts by certainty', () => {
    const gen = `gen_${'0'.repeat(26)}`;
    const text = `Ada <ada@example.com>: ${gen}, key …cVWE, gen_01abc, see A-4711.`;
    expect(kinds(text)).toEqual([
      [`generation ${gen}`],
      ['start gen_01abc'],
      ['email ada@example.com'],
      ['lastFour cVWE'],
      [`text ${text}`],
      [`reference ${gen}`, 'reference gen_01abc', 'reference A-4711'],
    ]);
  });

  test('takes neither sentences nor short numbers for references', () => {
    expect(kinds('Not a word of it, 12 times')).toEqual([['text Not a word of it, 12 times']]);
    expect(kinds(' ')).toEqual([]);
  });
});
