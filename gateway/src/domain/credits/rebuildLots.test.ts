import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { Account } from '../accounts/account.ts';
import { book, giveCredits } from './book.ts';
import {
  expireLots,
  lotKinds,
  type LotMovement,
  refundCredits,
  refundLotMs,
  takeCredits,
} from './credits.ts';
import { entryHash } from './ledgerChain.ts';
import { rebuildLots } from './rebuildLots.ts';

const step = fc.record({
  what: fc.constantFrom('grant', 'charge', 'refund', 'expiry', 'adjustment'),
  kind: fc.constantFrom(...lotKinds),
  credits: fc.integer({ min: 1, max: 30 }),
  livesMs: fc.option(fc.constantFrom(5, 50, refundLotMs)),
  passMs: fc.constantFrom(0, 1, 10, 100),
});

test('the entries of an account determine all of its lots, whatever was booked, and form a chain', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      let account = {
        id: 'acct_1',
        lots: [],
        ledgerEntries: 0,
        ledgerHash: null,
      } as never as Account;
      const rebuilt = rebuildLots([]);
      const charges: LotMovement[][] = [];
      let [nowMs, made, hash] = [1_000, 0, null as string | null];
      for (const { what, kind, credits: amount, livesMs, passMs } of steps) {
        nowMs += passMs;
        const id = `lot_${(made += 1)}`;
        const expiresAt = livesMs === null ? null : nowMs + livesMs;
        const given = () =>
          giveCredits(account.lots, { id, kind, amount, expiresAt, createdAt: nowMs });
        const changes = {
          grant: given,
          charge: () => takeCredits(account.lots, amount, nowMs),
          refund: () => {
            const charge = charges.shift();
            return charge
              ? refundCredits(account.lots, charge, nowMs, () => `${id}_${(made += 1)}`)
              : null;
          },
          expiry: () => expireLots(account.lots, nowMs),
          adjustment: () => (amount % 2 === 0 ? given() : takeCredits(account.lots, amount, nowMs)),
        } as const;
        const change = changes[what]();
        if (!change) continue;
        if (what === 'charge') charges.push(change.movements);
        const { after, entry } = book(account, change, { kind: what, requestId: 'req', at: nowMs });
        account = after;
        expect(rebuilt.apply(entry)).toEqual([]);
        expect([...rebuilt.lots().values()]).toEqual(account.lots);
        expect(entryHash(hash, entry)).toBe(account.ledgerHash);
        hash = entry.hash;
      }
    }),
    { numRuns: 300 },
  );
});
