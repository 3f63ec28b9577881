import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { sum } from '@framegate/contract';
import {
  addCredits,
  availableCredits,
  balanceOf,
  expireLots,
  type Lot,
  lotKinds,
  pruneSpentLots,
  refundCredits,
  refundLotMs,
  takeCredits,
} from './credits.ts';

const nowMs = 1_000_000;
const lot = (fields: Partial<Lot>): Lot => ({
  id: 'lot_a',
  kind: 'purchased',
  amount: 100,
  remaining: 100,
  expiresAt: null,
  createdAt: 0,
  ...fields,
});

const lots = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 0, max: 50 }).map((number) => `lot_${number}`),
    kind: fc.constantFrom(...lotKinds),
    amount: fc.constant(100),
    remaining: fc.integer({ min: 0, max: 100 }),
    expiresAt: fc.option(fc.integer({ min: nowMs - 5, max: nowMs + 5 })),
    createdAt: fc.integer({ min: 0, max: 10 }),
  }),
  { selector: ({ id }) => id, maxLength: 8 },
);

describe('taking credits', () => {
  test('uses the soonest to expire first, then by kind, then the oldest; lots without expiry last', () => {
    const wallet = [
      lot({ id: 'bought', kind: 'purchased' }),
      lot({ id: 'gift', kind: 'promotional' }),
      lot({ id: 'late', kind: 'promotional', expiresAt: nowMs + 2 }),
      lot({ id: 'young', kind: 'subscription', expiresAt: nowMs + 1, createdAt: 2 }),
      lot({ id: 'old', kind: 'subscription', expiresAt: nowMs + 1, createdAt: 1 }),
      lot({ id: 'soon gift', kind: 'promotional', expiresAt: nowMs + 1, createdAt: 3 }),
    ];
    const change = takeCredits(wallet, 550, nowMs);
    const order = ['soon gift', 'old', 'young', 'late', 'gift', 'bought'];
    const taken = new Map(change?.movements.map(({ lotId, amount }) => [lotId, amount]));
    expect(order.map((id) => taken.get(id))).toEqual([-100, -100, -100, -100, -100, -50]);
  });

  test('an expired lot cannot be spent from the moment of its expiry', () => {
    const wallet = [lot({ expiresAt: nowMs })];
    expect(takeCredits(wallet, 1, nowMs)).toBeNull();
    expect(takeCredits(wallet, 1, nowMs - 1)).not.toBeNull();
  });

  test('takes exactly the cost from live lots, or nothing at all', () => {
    fc.assert(
      fc.property(lots, fc.integer({ min: 1, max: 500 }), (wallet, cost) => {
        const change = takeCredits(wallet, cost, nowMs);
        if (change === null) {
          expect(availableCredits(wallet, nowMs)).toBeLessThan(cost);
          return;
        }
        expect(balanceOf(wallet) - balanceOf(change.lots)).toBe(cost);
        expect(sum(change.movements.map(({ amount }) => amount))).toBe(-cost);
        expect(change.lots.every(({ remaining }) => remaining >= 0)).toBe(true);
      }),
    );
  });

  test('refuses invalid costs', () => {
    for (const cost of [0, -1, 1.5, NaN]) {
      expect(() => takeCredits([lot({})], cost, nowMs)).toThrow(RangeError);
    }
  });
});

describe('refunding credits', () => {
  test('restores the same lots', () => {
    fc.assert(
      fc.property(lots, fc.integer({ min: 1, max: 300 }), (wallet, cost) => {
        const charge = takeCredits(wallet, cost, nowMs);
        fc.pre(charge !== null);
        const refund = refundCredits(charge.lots, charge.movements, nowMs, () => 'lot_new');
        expect(refund.lots).toEqual(wallet);
      }),
    );
  });

  test('an expired lot opens a refund lot of the same kind for 30 days', () => {
    const charge = takeCredits([lot({ kind: 'promotional', expiresAt: nowMs + 1 })], 40, nowMs);
    const refund = refundCredits(
      charge?.lots ?? [],
      charge?.movements ?? [],
      nowMs + 1,
      () => 'lot_b',
    );
    expect(refund.lots.map(({ id, remaining }) => [id, remaining])).toEqual([
      ['lot_a', 60],
      ['lot_b', 40],
    ]);
    expect(refund.lots[1]).toMatchObject({
      kind: 'promotional',
      expiresAt: nowMs + 1 + refundLotMs,
    });
  });

  test('expired lots of one kind are replaced together', () => {
    const kinds = ['promotional', 'promotional', 'purchased'] as const;
    const wallet = kinds.map((kind, index) =>
      lot({ id: `lot_${index}`, kind, remaining: 10, expiresAt: nowMs + index + 1 }),
    );
    const charge = takeCredits(wallet, 30, nowMs);
    let made = 0;
    const refund = refundCredits([], charge?.movements ?? [], nowMs + 9, () => `lot_new${made++}`);
    expect(refund.lots.map(({ kind, remaining }) => [kind, remaining])).toEqual([
      ['promotional', 20],
      ['purchased', 10],
    ]);
  });

  test('a dropped spent lot returns under its own id', () => {
    const charge = takeCredits([lot({})], 100, nowMs);
    const refund = refundCredits([], charge?.movements ?? [], nowMs, () => 'lot_b');
    expect(refund.lots).toMatchObject([{ id: 'lot_a', remaining: 100 }]);
  });
});

describe('adding credits', () => {
  test('keeps one lot for each kind and expiry that holds credits, and gives exactly what was asked', () => {
    const given = fc.array(
      fc.record({
        kind: fc.constantFrom(...lotKinds),
        amount: fc.integer({ min: 1, max: 100 }),
        expiresAt: fc.option(fc.integer({ min: nowMs, max: nowMs + 2 })),
        cost: fc.integer({ min: 0, max: 50 }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(given, (all) => {
        let wallet: Lot[] = [];
        all.forEach(({ cost, ...each }, index) => {
          const before = balanceOf(wallet);
          const change = addCredits(wallet, { ...each, id: `lot_${index}`, createdAt: index });
          const [home] = change.movements;
          expect(balanceOf(change.lots)).toBe(before + each.amount);
          expect(change.lots.find(({ id }) => id === home?.lotId)).toMatchObject({
            kind: each.kind,
            expiresAt: each.expiresAt,
          });
          wallet = (cost > 0 && takeCredits(change.lots, cost, nowMs)?.lots) || change.lots;
          const held = wallet.filter(({ remaining }) => remaining > 0);
          const kinds = new Set(held.map(({ kind, expiresAt }) => `${kind} ${expiresAt}`));
          expect(held).toHaveLength(kinds.size);
        });
      }),
    );
  });

  test('an amount that cannot be counted exactly begins another lot', () => {
    const full = lot({ amount: Number.MAX_SAFE_INTEGER, remaining: 1 });
    const given = { ...lot({ id: 'lot_b', amount: 1 }) };
    expect(addCredits([full], given).lots).toHaveLength(2);
  });
});

describe('expiry', () => {
  test('empties only expired lots', () => {
    fc.assert(
      fc.property(lots, (wallet) => {
        const change = expireLots(wallet, nowMs);
        const after = change?.lots ?? wallet;
        expect(availableCredits(after, nowMs)).toBe(availableCredits(wallet, nowMs));
        expect(balanceOf(after)).toBe(availableCredits(wallet, nowMs));
      }),
    );
  });

  test('spent lots beyond those kept are dropped, the oldest first', () => {
    const spent = [1, 2, 3].map((age) => lot({ id: `lot_${age}`, remaining: 0, createdAt: age }));
    const kept = pruneSpentLots([...spent, lot({ id: 'lot_full' })], 2);
    expect(kept.map(({ id }) => id)).toEqual(['lot_2', 'lot_3', 'lot_full']);
  });
});
