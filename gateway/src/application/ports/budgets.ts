import type { Money } from '../../domain/cost.ts';

/** What the orders at providers cost in a day (UTC), counted over all processes. */
export interface BudgetStore {
  /** Counts an amount, unless the sum of the day would be above the limit; false: nothing was counted. */
  reserve(provider: string, day: string, amount: Money, limit: Money): Promise<boolean>;
  /** Takes an amount that was counted out again. */
  giveBack(provider: string, day: string, amount: Money): Promise<void>;
  /** What was counted on a day, by provider and currency. */
  spentOn(day: string): Promise<{ provider: string; spent: Money }[]>;
}
