import type { BudgetStore } from '../../application/ports/budgets.ts';
import { dayMs } from '../../domain/utcDay.ts';
import type { Collections } from './collections.ts';
import { isDuplicate } from './errors.ts';

/** How long the sum of a day is kept, in ms. */
const keptMs = 40 * dayMs;

interface Spending {
  _id: string;
  provider: string;
  currency: string;
  day: string;
  micros: number;
}

/**
 * Sums in MongoDB, one small document for each day, provider and currency. The limit is part of the write,
 * so that the orders of all processes together never go beyond it.
 */
export function createBudgetStore({ spending }: Pick<Collections, 'spending'>): BudgetStore {
  const idOf = (provider: string, day: string, currency: string) =>
    `${day} ${provider} ${currency}`;
  return {
    async reserve(provider, day, { currency, micros }, limit) {
      const _id = idOf(provider, day, currency);
      const fits = { _id, micros: { $lte: limit.micros - micros } };
      const count = async () =>
        (await spending.updateOne(fits, { $inc: { micros } as never })).matchedCount === 1;
      if (await count()) return true;
      const goneAt = new Date(Date.parse(day) + keptMs);
      try {
        await spending.insertOne({ _id, provider, currency, day, micros: 0, goneAt });
      } catch (error) {
        if (isDuplicate(error)) return count();
        throw error;
      }
      return count();
    },
    async giveBack(provider, day, { currency, micros }) {
      const _id = idOf(provider, day, currency);
      await spending.updateOne({ _id }, { $inc: { micros: -micros } as never });
    },
    async spentOn(day) {
      const found = await spending.find({ day }, { limit: 1_000 }).toArray();
      return (found as unknown as Spending[]).map(({ provider, currency, micros }) => ({
        provider,
        spent: { currency, micros },
      }));
    },
  };
}
