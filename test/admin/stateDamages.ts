import { dayMs } from '@framegate/contract';
import { grantCredits } from '../../gateway/src/application/credits/grantCredits.ts';
import { startPlan } from '../../gateway/src/application/credits/plans.ts';
import { createKey } from '../../gateway/src/application/keys/keys.ts';
import { countMonthlySpending } from '../../gateway/src/domain/credits/monthlyLimits.ts';
import { plain } from '../support/plainCollection.ts';
import { changeAccount, changeEntry, changeGeneration, type Seed } from './seedLedger.ts';
import { spend } from './spending.ts';

const far = new Date('2099-01-01');
const past = new Date('2020-01-01');
type Fields = Record<string, unknown>;
type Damage = [string, (seed: Seed) => Promise<unknown>, string[]];

const ofAccount = (seed: Seed, $set: Fields) =>
  changeAccount(seed.admin, { _id: seed.accountId }, { $set });
const ofLot = (seed: Seed, fields: Fields, kind = 'purchased') =>
  changeAccount(
    seed.admin,
    { _id: seed.accountId, 'lots.kind': kind },
    {
      $set: Object.fromEntries(Object.entries(fields).map(([name, to]) => [`lots.$.${name}`, to])),
    },
  );
const ofEntry = (seed: Seed, number: number, $set: Fields) =>
  changeEntry(seed.admin, { accountId: seed.accountId, number }, { $set });

/** Grants credits that expire, under a reference. */
const grant = ({ admin, otherId }: Seed, reference: string) =>
  grantCredits(admin, {
    accountId: otherId,
    amountCredits: 10,
    kind: 'subscription',
    reason: 'a reason',
    expiresAt: { afterMs: dayMs },
    reference,
  });
const withPlan = async (seed: Seed, $set: Fields) => {
  await startPlan(seed.admin, {
    accountId: seed.accountId,
    name: 'gold',
    credits: 40,
    startsAt: null,
  });
  await ofAccount(seed, $set);
};
const ofReference = async (seed: Seed, $set: Fields) => {
  await grant(seed, 'operator pay-1');
  await changeEntry(seed.admin, { reference: 'operator pay-1' }, { $set });
};

/** Spends 10 credits under the monthly limit of a key, and damages its account. */
const ofKey = async (seed: Seed, damage: Fields) => {
  const { admin, otherId } = seed;
  await grant(seed, 'operator pay-1');
  const made = { accountId: otherId, name: 'k', hosts: [], models: [], monthlyCredits: 500 };
  const { keyId } = await createKey(admin, made);
  const generation = await spend(admin, otherId, 10);
  const by = { keyId, memberId: null };
  const month = await admin.database.changeAccount(otherId, (before) => {
    const counted = countMonthlySpending(before, by, 10, admin.clock.now());
    if (!counted.ok) throw new Error('the limit is too low');
    return { after: counted.account, result: counted.counted?.month };
  });
  await changeGeneration(admin, generation, { monthCounted: { month, ...by } });
  await changeAccount(admin, { _id: otherId }, damage);
};

const chain = (number: number) =>
  `I1 ledger/${number}: breaks the chain: it, or the entry before it, was changed`;
const chainOfOther = 'I1 ledger/OTHER.3: breaks the chain: it, or the entry before it, was changed';
const account = (problem: string) => `I1 accounts/ACCOUNT: ${problem}`;
const late = (what: string) =>
  `I4 generations/OPEN: has its ${what} at TIME, later than any rule sets it`;

/** Damage to values derived from the ledger, and damage that makes the ledger inconsistent. */
export const stateDamages: Damage[] = [
  [
    'a lot expires that does not',
    (seed) => ofLot(seed, { expiresAt: far }),
    [
      account('lot lot_… expires TIME, its ledger says never'),
      account('is found for expiry at never, its lots expire next at TIME'),
    ],
  ],
  [
    'a lot is of another kind',
    (seed) => ofLot(seed, { kind: 'subscription' }),
    [account('lot lot_… is of kind subscription, its ledger says purchased')],
  ],
  [
    'a lot was given another amount',
    (seed) => ofLot(seed, { amount: 501 }),
    [account('lot lot_… was given 501, its ledger says 500')],
  ],
  [
    'a lot was opened at another time',
    (seed) => ofLot(seed, { createdAt: past }),
    [account('lot lot_… was opened TIME, its ledger says TIME')],
  ],
  [
    'a spent lot is gone',
    (seed) =>
      changeAccount(seed.admin, { _id: seed.accountId }, { $pull: { lots: { id: seed.lotId } } }),
    [account('has no lot LOT, its ledger adds up to 0')],
  ],
  [
    'a spent lot that was never granted',
    ({ admin, accountId, otherId }) =>
      changeAccount(
        admin,
        { _id: accountId },
        {
          $push: {
            lots: {
              id: `lot_${otherId}`,
              kind: 'purchased',
              amount: 5,
              remaining: 0,
              expiresAt: null,
              createdAt: past,
            },
          },
        },
      ),
    [account('has lot lot_OTHER, which is not in its ledger')],
  ],
  [
    'nobody finds an account when its credits expire',
    async (seed) => {
      await grant(seed, 'operator pay-1');
      await changeAccount(seed.admin, { _id: seed.otherId }, { $set: { nextExpiryAt: null } });
    },
    ['I1 accounts/OTHER: is found for expiry at never, its lots expire next at TIME'],
  ],
  [
    'an account is found for expiry too late',
    (seed) => ofAccount(seed, { nextExpiryAt: far }),
    [account('is found for expiry at TIME, its lots expire next at never')],
  ],
  ['an entry has another reason', (seed) => ofReference(seed, { reason: 'other' }), [chainOfOther]],
  ['an entry is of another request', (seed) => ofEntry(seed, 3, { requestId: 'x' }), [chain(3)]],
  ['an entry is of another time', (seed) => ofEntry(seed, 3, { at: past }), [chain(3)]],
  ['a grant is an adjustment', (seed) => ofEntry(seed, 2, { kind: 'adjustment' }), [chain(2)]],
  [
    'a movement has another expiry',
    (seed) => ofEntry(seed, 4, { 'movements.0.expiresAt': far }),
    [
      'I2 generations/FAILED: names other lots as payers than its charge does',
      chain(4),
      'I9 ledger/4: gives lot LOT the expiry TIME, but the ledger has never',
    ],
  ],
  ['an entry has another hash', (seed) => ofEntry(seed, 3, { hash: 'x' }), [chain(3), chain(4)]],
  [
    'an account has another hash',
    (seed) => ofAccount(seed, { ledgerHash: 'x' }),
    [account('names a different hash than its last ledger entry has')],
  ],
  [
    'an account is of an earlier version',
    (seed) => ofAccount(seed, { version: 1 }),
    [account('is of version 1, its ledger needs more')],
  ],
  [
    'a charge is smaller everywhere',
    async (seed) => {
      await changeGeneration(seed.admin, seed.done, { costCredits: 7, 'charge.0.amount': -7 });
      await ofEntry(seed, 3, { amount: -7, 'movements.0.amount': -7 });
      await ofLot(seed, { remaining: 63 }, 'promotional');
    },
    [chain(3)],
  ],
  [
    'nobody works on an unfinished generation',
    (seed) => changeGeneration(seed.admin, seed.open, { open: false }),
    ['I5 generations/OPEN: is at step ready, and workers do not look for it'],
  ],
  [
    'an ended generation is looked for',
    (seed) => changeGeneration(seed.admin, seed.done, { open: true }),
    ['I5 generations/DONE: is at step ended, and workers still look for it'],
  ],
  [
    'a generation never ends',
    (seed) => changeGeneration(seed.admin, seed.open, { deadlineAt: far }),
    [late('deadline')],
  ],
  [
    'a generation is never looked at',
    (seed) => changeGeneration(seed.admin, seed.open, { dueAt: far }),
    [late('next poll')],
  ],
  [
    'a generation is held for ever',
    (seed) => changeGeneration(seed.admin, seed.open, { leaseUntil: far }),
    [late('lease')],
  ],
  [
    'a charge would be refunded as another kind',
    (seed) => changeGeneration(seed.admin, seed.open, { 'charge.0.kind': 'subscription' }),
    ['I2 generations/OPEN: names other lots as payers than its charge does'],
  ],
  [
    'a charge would be refunded with another expiry',
    (seed) => changeGeneration(seed.admin, seed.open, { 'charge.0.expiresAt': far }),
    ['I2 generations/OPEN: names other lots as payers than its charge does'],
  ],
  [
    'a plan stands still',
    (seed) => withPlan(seed, { 'plan.nextAt': null }),
    [account('grants the next month of its plan at never, it is due at TIME')],
  ],
  [
    'a plan goes on late',
    (seed) => withPlan(seed, { 'plan.nextAt': far }),
    [account('grants the next month of its plan at TIME, it is due at TIME')],
  ],
  [
    'a plan has fewer months than were granted',
    async (seed) => {
      await withPlan(seed, { 'plan.months': 0 });
      const found = await seed.admin.collections.accounts.findOne({ _id: seed.accountId });
      await ofAccount(seed, { 'plan.nextAt': found?.plan?.startedAt });
    },
    [account('counts 0 months of its plan, its ledger has 1')],
  ],
  [
    'a plan that has ended goes on',
    (seed) => withPlan(seed, { 'plan.endedAt': past }),
    [account('grants the next month of its plan at TIME, it is due at never')],
  ],
  [
    'a key counts less than it spent',
    (seed) => ofKey(seed, { $set: { 'keys.0.monthSpent.credits': 3 } }),
    ['I9 accounts/OTHER: key key_… counts 3 credits in its month, its generations spent 10'],
  ],
  [
    'a key counts in an earlier month',
    (seed) => ofKey(seed, { $inc: { 'keys.0.monthSpent.month': -1 } }),
    ['I9 accounts/OTHER: key key_… counts 0 credits in its month, its generations spent 10'],
  ],
  [
    'a key has no count',
    (seed) => ofKey(seed, { $unset: { 'keys.0.monthSpent': true } }),
    ['I9 accounts/OTHER: key key_… counts 0 credits in its month, its generations spent 10'],
  ],
  [
    'a spent lot is there twice',
    async (seed) => {
      const { admin, accountId: _id, lotId } = seed;
      const found = await admin.collections.accounts.findOne({ _id });
      const lot = found?.lots.find(({ id }) => id === lotId);
      await changeAccount(admin, { _id }, { $push: { lots: lot } });
    },
    [account('has lot LOT twice')],
  ],
  [
    'two entries have changed places',
    async (seed) => {
      const { ledger } = seed.admin.collections;
      const two = { accountId: seed.accountId, number: { $in: [3, 4] } };
      const [a, b] = await ledger.find(two).sort({ number: 1 }).toArray();
      if (!a || !b) throw new Error('there are no entries');
      await ledger.deleteMany({ _id: { $in: [a._id, b._id] } });
      await ledger.insertMany([
        { ...b, _id: a._id, number: 3 },
        { ...a, _id: b._id, number: 4 },
      ]);
    },
    [chain(3), chain(4), chain(5)],
  ],
  [
    'an ended generation has no end',
    (seed) => changeGeneration(seed.admin, seed.done, { endedAt: null }),
    ['I5 generations/DONE: is completed and has no end'],
  ],
  [
    'a generation ended before it began',
    (seed) => changeGeneration(seed.admin, seed.done, { endedAt: past }),
    ['I5 generations/DONE: ended before it began'],
  ],
  [
    'a generation was started before it was created',
    (seed) => changeGeneration(seed.admin, seed.done, { startedAt: past }),
    ['I5 generations/DONE: was started before it was created'],
  ],
  [
    'an unfinished generation seems to have ended',
    (seed) => changeGeneration(seed.admin, seed.open, { endedAt: new Date() }),
    ['I5 generations/OPEN: is queued and has an end'],
  ],
  [
    'a payment could be booked again',
    async (seed) => {
      await grant(seed, 'operator pay-1');
      await seed.admin.collections.references.deleteOne({ _id: 'operator pay-1' });
    },
    ['I1 ledger/OTHER.3: is not found: its reference "operator pay-1" is missing'],
  ],
  [
    'a reference leads to another account',
    async (seed) => {
      await grant(seed, 'operator pay-1');
      const { references } = seed.admin.collections;
      const $set = { accountId: seed.accountId };
      await plain(references).updateOne({ _id: 'operator pay-1' }, { $set });
    },
    ['I1 ledger/OTHER.3: is not found: its reference "operator pay-1" leads to account ACCOUNT'],
  ],
  [
    'an entry has another reference',
    (seed) => ofReference(seed, { reference: 'operator pay-2' }),
    [chainOfOther, 'I1 ledger/OTHER.3: is not found: its reference "operator pay-2" is missing'],
  ],
  [
    'a reference that no entry has',
    ({ admin, accountId }) =>
      admin.collections.references.insertOne({ _id: 'operator pay-9', accountId }),
    ['I1 references: has 4 documents for 3 entries'],
  ],
  [
    'a second account could take an address',
    ({ admin, accountId }) =>
      admin.collections.accountLookups.deleteOne({ _id: /^email /, accountId }),
    [account('is not found: its lookup by email is missing')],
  ],
  [
    'an address leads to another account',
    ({ admin, accountId, otherId }) =>
      plain(admin.collections.accountLookups).updateOne(
        { _id: /^email /, accountId },
        { $set: { accountId: otherId } },
      ),
    [account('is not found: its lookup by email leads to account OTHER')],
  ],
  [
    'the feed would give a position again',
    async (seed) => {
      await plain(seed.admin.collections.ledger).updateOne(
        { accountId: seed.accountId, number: 1 },
        { $set: { position: 7 } },
      );
    },
    ['I1 feeds: has given position 7 and counts 0: it would give it again'],
  ],
];
