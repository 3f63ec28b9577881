import { formReference } from '../../domain/credits.ts';
import { PlainRefusal } from '../../domain/refusal.ts';
import type { StaffAction } from '../../domain/staffRights.ts';
import { giveGoodwill } from './accountActions.ts';
import { mailCustomer } from './customerMails.ts';
import { runAction, type Actor } from './runAction.ts';
import type { StaffDeps } from './staffDeps.ts';

/** Customers of one form. */
export const maxCustomers = 100;

/** The outcome for one customer, as a sentence. */
export interface CustomerOutcome {
  accountId: string;
  isDone: boolean;
  said: string;
}

/** Chosen customers, and the form in which they were chosen. */
export interface ChosenCustomers {
  accountIds: readonly string[];
  reason: string;
  /** Makes the action for each customer unique. */
  formId: string;
}

/**
 * Does something for several customers, one after another: each is an action of its own, with its own entry in the
 * audit log and under the same limits. Of a form sent again, only the missing ones are done.
 * @throws PlainRefusal without customers, or with more than 100.
 */
async function forCustomers(
  deps: StaffDeps,
  actor: Actor,
  action: StaffAction,
  of: ChosenCustomers,
  work: (accountId: string, formId: string) => Promise<string>,
): Promise<CustomerOutcome[]> {
  const accountIds = [...new Set(of.accountIds)];
  if (accountIds.length === 0) throw new PlainRefusal('Choose at least one customer.');
  if (accountIds.length > maxCustomers) {
    throw new PlainRefusal(`Choose at most ${maxCustomers} customers at once.`);
  }
  const { reason } = of;
  const outcomes: CustomerOutcome[] = [];
  for (const accountId of accountIds) {
    const formId = `${of.formId} ${accountId}`;
    const plan = { action, targets: [accountId], reason, formId };
    try {
      const said = await runAction(deps, actor, plan, () => work(accountId, formId));
      outcomes.push({ accountId, isDone: true, said });
    } catch (error) {
      if (!(error instanceof PlainRefusal)) throw error;
      outcomes.push({ accountId, isDone: false, said: error.message });
    }
  }
  return outcomes;
}

/** Gives several customers goodwill credits. @throws PlainRefusal */
export const goodwillForMany = (
  deps: StaffDeps,
  actor: Actor,
  { amount, ...of }: ChosenCustomers & { amount: number },
): Promise<CustomerOutcome[]> =>
  forCustomers(deps, actor, 'goodwill credits', of, (accountId, formId) => {
    const reference = formReference(formId);
    return giveGoodwill(deps, { accountId, amount, reason: of.reason, by: actor, reference });
  });

/** Mails several customers the same template. @throws PlainRefusal */
export const mailToMany = (
  deps: StaffDeps,
  actor: Actor,
  { template, ...of }: ChosenCustomers & { template: string },
): Promise<CustomerOutcome[]> =>
  forCustomers(deps, actor, 'mail customer', of, (accountId) =>
    mailCustomer(deps, accountId, { template, own: '' }),
  );
