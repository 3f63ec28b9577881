import { formReference } from '../../domain/credits/credits.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { StaffAction } from '../../domain/staff/staffRights.ts';
import type { App } from '../app.ts';
import { giveGoodwill } from './accountActions.ts';
import { sendMailToCustomer } from './customerMails.ts';
import { failAndRefund } from './generationActions.ts';
import { undoGoodwill } from './goodwill.ts';
import { runAction, type StaffActor } from './runAction.ts';

/** Maximum accounts or generations in one form. */
export const maxChosen = 100;

/** The outcome for one account or generation: a sentence, or why it was refused. */
export interface ChosenOutcome {
  id: string;
  result: string | Refusal;
}

/** Chosen accounts or generations, and the form with the choice. */
export interface Selection {
  ids: readonly string[];
  reason: string;
  /** Makes each item's action unique. */
  formId: string;
}

/** The id of the form for one of several accounts or generations. */
const formOfItem = (formId: string, id: string) => `${formId} ${id}`;

type Noun = 'customer' | 'generation';

/** The chosen ids, each once. @throws Refusal `choice_missing`, `choice_too_many`. */
export function requireChosen(chosen: readonly string[], noun: Noun): string[] {
  const ids = [...new Set(chosen)];
  const param = noun === 'customer' ? 'account' : noun;
  if (ids.length === 0) throw new Refusal('choice_missing', { values: { of: noun }, param });
  if (ids.length <= maxChosen) return ids;
  throw new Refusal('choice_too_many', { values: { max: maxChosen, of: noun }, param });
}

/**
 * Applies an action to several accounts or generations one after another. Each is a separate action, with its own audit
 * entry and under the same limits. If a form is sent again, only the missing ones are done.
 * @throws Refusal `choice_missing`, `choice_too_many`.
 */
async function runForEach(
  deps: App,
  actor: StaffActor,
  { action, noun }: { action: StaffAction; noun: Noun },
  selection: Selection,
  work: (id: string, formId: string) => Promise<string>,
): Promise<ChosenOutcome[]> {
  const ids = requireChosen(selection.ids, noun);
  const { reason } = selection;
  const outcomes: ChosenOutcome[] = [];
  for (const id of ids) {
    const formId = formOfItem(selection.formId, id);
    const plan = { action, targets: [id], reason, formId };
    try {
      outcomes.push({ id, result: await runAction(deps, actor, plan, () => work(id, formId)) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      outcomes.push({ id, result: error });
    }
  }
  return outcomes;
}

/** Gives goodwill credits to several customers. @param gifts Credits by account id. @throws Refusal */
export const giveGoodwillToMany = (
  deps: App,
  actor: StaffActor,
  { gifts, ...selection }: Omit<Selection, 'ids'> & { gifts: ReadonlyMap<string, number> },
): Promise<ChosenOutcome[]> =>
  runForEach(
    deps,
    actor,
    { action: 'goodwill credits', noun: 'customer' },
    { ...selection, ids: [...gifts.keys()] },
    (accountId, formId) => {
      const amount = gifts.get(accountId) ?? 0;
      const reference = formReference(formId);
      return giveGoodwill(deps, {
        accountId,
        amount,
        reason: selection.reason,
        by: actor,
        reference,
      });
    },
  );

/**
 * Takes back the unspent part of the credits that `giveGoodwillToMany` gave with a form.
 * @param givenBy The id of that form.
 */
export const undoGoodwillForMany = (
  deps: App,
  actor: StaffActor,
  { givenBy, ...selection }: Selection & { givenBy: string },
): Promise<ChosenOutcome[]> =>
  runForEach(deps, actor, { action: 'undo goodwill', noun: 'customer' }, selection, (accountId) => {
    const grantReference = formReference(formOfItem(givenBy, accountId)) ?? '';
    return undoGoodwill(deps, {
      accountId,
      grantReference,
      reason: selection.reason,
      requestId: actor.requestId,
    });
  });

/** Sends several customers the same template. @throws Refusal */
export const sendMailToMany = (
  deps: App,
  actor: StaffActor,
  { template, ...selection }: Selection & { template: string },
): Promise<ChosenOutcome[]> =>
  runForEach(deps, actor, { action: 'mail customer', noun: 'customer' }, selection, (accountId) =>
    sendMailToCustomer(deps, accountId, { template, own: '' }),
  );

/** Fails and refunds several unfinished generations. @throws Refusal */
export const failAndRefundMany = (
  deps: App,
  actor: StaffActor,
  selection: Selection,
): Promise<ChosenOutcome[]> =>
  runForEach(
    deps,
    actor,
    { action: 'fail and refund', noun: 'generation' },
    selection,
    (generationId) =>
      failAndRefund(deps, generationId, { by: actor.email, reason: selection.reason }),
  );
