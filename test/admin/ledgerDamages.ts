import { changeAccount, changeEntry, changeGeneration, type Seed } from './seedLedger.ts';

/** Each damage breaks the stored data in one place, which the report must name. */
export const damages: [string, (seed: Seed) => Promise<unknown>, string[]][] = [
  [
    'credits appear in a lot',
    ({ admin, lotId }) =>
      changeAccount(admin, { 'lots.id': lotId }, { $inc: { 'lots.$.remaining': 5 } }),
    [
      'I1 accounts/ACCOUNT: holds 445 credits, its ledger adds up to 440',
      'I1 accounts/ACCOUNT: lot LOT holds 5, its ledger adds up to 0',
    ],
  ],
  [
    'credits move between lots',
    async ({ admin, lotId, accountId }) => {
      await changeAccount(admin, { 'lots.id': lotId }, { $inc: { 'lots.$.remaining': 5 } });
      const purchased = { _id: accountId, lots: { $elemMatch: { kind: 'purchased' } } };
      await changeAccount(admin, purchased, { $inc: { 'lots.$.remaining': -5 } });
    },
    [
      'I1 accounts/ACCOUNT: lot LOT holds 5, its ledger adds up to 0',
      'I1 accounts/ACCOUNT: lot lot_… holds 435, its ledger adds up to 440',
    ],
  ],
  [
    'a lot is below zero',
    ({ admin, lotId }) =>
      changeAccount(admin, { 'lots.id': lotId }, { $inc: { 'lots.$.remaining': -1 } }),
    [
      'I1 accounts/ACCOUNT: holds 439 credits, its ledger adds up to 440',
      'I9 accounts/ACCOUNT: lot LOT holds -1',
      'I1 accounts/ACCOUNT: lot LOT holds -1, its ledger adds up to 0',
    ],
  ],
  [
    'a lot is gone with its credits',
    ({ admin, accountId }) =>
      changeAccount(admin, { _id: accountId }, { $pull: { lots: { kind: 'purchased' } } }),
    [
      'I1 accounts/ACCOUNT: holds 0 credits, its ledger adds up to 440',
      'I1 accounts/ACCOUNT: has no lot lot_…, its ledger adds up to 440',
    ],
  ],
  [
    'a charge is gone from the ledger',
    ({ admin, done }) => admin.collections.ledger.deleteOne({ generationId: done.id }),
    [
      'I2 generations/DONE: has 0 charges instead of one',
      'I1 ledger/4: has number 4, 3 would be next',
      'I1 ledger/4: breaks the chain: it, or the entry before it, was changed',
      'I1 accounts/ACCOUNT: holds 440 credits, its ledger adds up to 510',
      'I1 accounts/ACCOUNT: lot LOT holds 0, its ledger adds up to 70',
    ],
  ],
  [
    'the ledger lacks its last entry',
    ({ admin, open }) => admin.collections.ledger.deleteOne({ generationId: open.id }),
    [
      'I2 generations/OPEN: has 0 charges instead of one',
      "I1 accounts/ACCOUNT: counts 6 ledger entries, the last one's number is 5",
      'I1 accounts/ACCOUNT: names a different hash than its last ledger entry has',
      'I1 accounts/ACCOUNT: holds 440 credits, its ledger adds up to 530',
      'I1 accounts/ACCOUNT: lot LOT holds 0, its ledger adds up to 30',
      'I1 accounts/ACCOUNT: lot lot_… holds 440, its ledger adds up to 500',
    ],
  ],
  [
    'more was charged than there was',
    ({ admin, done }) =>
      changeEntry(
        admin,
        { generationId: done.id },
        { $inc: { amount: -600, 'movements.0.amount': -600 } },
      ),
    [
      'I2 ledger/3: charges 670, the generation costs 70',
      'I1 ledger/3: breaks the chain: it, or the entry before it, was changed',
      'I9 ledger/3: takes lot LOT to -570',
      'I9 ledger/3: takes the balance to -70',
      'I9 ledger/4: takes lot LOT to -600',
      'I9 ledger/4: takes the balance to -130',
      'I9 ledger/5: takes lot LOT to -570',
      'I9 ledger/5: takes the balance to -70',
      'I9 ledger/6: takes lot LOT to -600',
      'I9 ledger/6: takes the balance to -160',
      'I1 accounts/ACCOUNT: holds 440 credits, its ledger adds up to -160',
      'I1 accounts/ACCOUNT: lot LOT holds 0, its ledger adds up to -600',
    ],
  ],
  [
    'a charge is not what the generation costs',
    ({ admin, done }) => changeGeneration(admin, done, { costCredits: 71 }),
    ['I2 ledger/3: charges 70, the generation costs 71'],
  ],
  [
    'a generation names other payers',
    ({ admin, done }) => changeGeneration(admin, done, { 'charge.0.lotId': 'lot_x' }),
    ['I2 generations/DONE: names other lots as payers than its charge does'],
  ],
  [
    'a generation is charged to another account',
    ({ admin, done }) => changeGeneration(admin, done, { accountId: 'acct_x' }),
    ['I2 ledger/3: belongs to account ACCOUNT, but its generation to another'],
  ],
  [
    'a completed generation was refunded',
    ({ admin, failed }) => changeGeneration(admin, failed, { status: 'completed' }),
    ['I2 generations/FAILED: is completed and has 1 refunds'],
  ],
  [
    'a failed generation was not refunded',
    ({ admin, done }) => changeGeneration(admin, done, { status: 'failed' }),
    ['I2 generations/DONE: is failed and has 0 refunds'],
  ],
  [
    'a refund is too large',
    ({ admin, failed }) =>
      changeEntry(admin, { generationId: failed.id, kind: 'refund' }, { $inc: { amount: 1 } }),
    [
      'I2 ledger/5: refunds 61, the generation says 60',
      'I1 ledger/5: breaks the chain: it, or the entry before it, was changed',
      'I1 ledger/5: says 61, its movements add up to 60',
      'I1 accounts/ACCOUNT: holds 440 credits, its ledger adds up to 441',
    ],
  ],
  [
    'a generation says less than its refund',
    ({ admin, failed }) => changeGeneration(admin, failed, { refundedCredits: 30 }),
    ['I2 ledger/5: refunds 60, the generation says 30'],
  ],
  [
    'a generation says more than its cost was refunded',
    ({ admin, failed }) => changeGeneration(admin, failed, { refundedCredits: 61 }),
    [
      'I2 ledger/5: refunds 60, the generation says 61',
      'I2 generations/FAILED: costs 60 and says 61 were refunded',
    ],
  ],
  [
    'a refund gives another kind of credits',
    ({ admin, failed }) =>
      changeEntry(
        admin,
        { generationId: failed.id, kind: 'refund' },
        { $set: { 'movements.0.kind': 'subscription' } },
      ),
    [
      'I2 ledger/5: returns other kinds of credits than were charged',
      'I1 ledger/5: breaks the chain: it, or the entry before it, was changed',
      'I9 ledger/5: gives lot LOT the kind subscription, but the ledger has promotional',
    ],
  ],
  [
    'a generation is gone',
    ({ admin, done }) => admin.collections.generations.deleteOne({ _id: done.id }),
    ['I4 ledger/3: is a charge of generation DONE, which does not exist'],
  ],
  [
    'a charge names no generation',
    ({ admin, done }) =>
      changeEntry(admin, { generationId: done.id }, { $unset: { generationId: 1 } }),
    [
      'I2 generations/DONE: has 0 charges instead of one',
      'I1 ledger/3: breaks the chain: it, or the entry before it, was changed',
      'I4 ledger/3: is a charge without a generation',
    ],
  ],
  [
    'an account is gone',
    ({ admin, accountId }) => admin.collections.accounts.deleteOne({ _id: accountId }),
    [
      ...[1, 2, 3, 4, 5, 6].map(
        (number) => `I1 ledger/${number}: belongs to account ACCOUNT, which does not exist`,
      ),
      'I4 accounts/ACCOUNT: does not exist, but 1 unfinished generations belong to it',
      'I1 accountLookups: has 2 documents for 1 values of accounts',
    ],
  ],
  [
    'the counts are wrong',
    ({ admin, accountId }) =>
      changeAccount(admin, { _id: accountId }, { $inc: { running: 1, inFlightCredits: -90 } }),
    [
      'I4 accounts/ACCOUNT: counts 2 unfinished generations, there are 1',
      'I1 accounts/ACCOUNT: has 0 credits in flight, its unfinished generations cost 90',
    ],
  ],
  [
    'an entry goes the wrong way',
    ({ admin, accountId }) =>
      changeEntry(admin, { accountId, number: 2 }, { $set: { kind: 'expiry' } }),
    [
      'I1 ledger/2: breaks the chain: it, or the entry before it, was changed',
      'I1 ledger/2: is of kind expiry and of 500 credits',
    ],
  ],
];
