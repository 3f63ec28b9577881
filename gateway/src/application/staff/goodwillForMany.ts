import { formReference } from '../../domain/credits.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import { giveGoodwill } from './accountActions.ts';
import { runAction, type Actor } from './runAction.ts';
import type { StaffDeps } from './staffDeps.ts';

/** Customers of one form. */
export const maxCustomers = 100;

/** The outcome for one customer, as a sentence. */
export interface GoodwillOutcome {
  accountId: string;
  isGiven: boolean;
  said: string;
}

/**
 * Gives several customers goodwill credits, one after another: each gift is an action of its own, with its own
 * entry in the audit log and under the same limits. Of a form sent again, only the gifts that are missing are
 * given.
 * @param formId Makes each customer's gift unique.
 * @throws PlainRefusal without customers, or with more than 100.
 */
export async function goodwillForMany(
  deps: StaffDeps,
  actor: Actor,
  of: { accountIds: readonly string[]; amount: number; reason: string; formId: string },
): Promise<GoodwillOutcome[]> {
  const accountIds = [...new Set(of.accountIds)];
  if (accountIds.length === 0) throw new PlainRefusal('Choose at least one customer.');
  if (accountIds.length > maxCustomers) {
    throw new PlainRefusal(`Choose at most ${maxCustomers} customers at once.`);
  }
  const { amount, reason } = of;
  const outcomes: GoodwillOutcome[] = [];
  for (const accountId of accountIds) {
    const formId = `${of.formId} ${accountId}`;
    const plan = { action: 'goodwill credits' as const, targets: [accountId], reason, formId };
    try {
      const said = await runAction(deps, actor, plan, () =>
        giveGoodwill(deps, {
          accountId,
          amount,
          reason,
          by: actor,
          reference: formReference(formId),
        }),
      );
      outcomes.push({ accountId, isGiven: true, said });
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      outcomes.push({ accountId, isGiven: false, said: error.message });
    }
  }
  return outcomes;
}
