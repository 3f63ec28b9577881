import { readBalance } from './balance.ts';
import { parseBaseUrl } from './baseUrl.ts';
import { isUnacceptableUrl } from './checkInputs.ts';
import { orderProblems } from './checkOrder.ts';
import { creditsSentence, markAsUserFacing, sentenceFor } from './errors.ts';
import type { CreateVideoBody, ModelEntry } from './generated/contract.ts';
import { requireModel } from './listModels.ts';
import { checkMaximum } from './maxCredits.ts';
import type { Order } from './order.ts';
import { type PriceParameters, pricedParameters, priceOf } from './price.ts';
import type { Step } from './step.ts';

/** Findings of a test in the editor. */
export interface DryRun {
  model: string;
  /** The values that determine the price, with the model's defaults for missing ones. */
  parameters: PriceParameters;
  costCredits: number;
  availableCredits: number;
}

/**
 * Checks an order without making anything, using only free requests: the key, the model, the parameters of the model,
 * and the price against the balance and Maximum Credits.
 * @throws Zapier's errors with which a run of this order would end.
 */
export async function dryRun(step: Step, order: Order): Promise<DryRun> {
  const model = await requireModel(step, order);
  const refused = refusalSentence(step, order, model);
  if (refused !== null) throw markAsUserFacing(new step.z.errors.HaltedError(refused));
  const orderParameters: PriceParameters = order.body.parameters ?? {};
  const costCredits = priceOf(model, orderParameters);
  checkMaximum(step, order, costCredits, model);
  const { available } = await readBalance(step);
  if (costCredits === null || costCredits > available) {
    const sentence = creditsSentence(costCredits ?? 0, available);
    throw markAsUserFacing(new step.z.errors.HaltedError(sentence));
  }
  const parameters = pricedParameters(model, orderParameters);
  return { model: model.id, parameters, costCredits, availableCredits: available };
}

/** The sentence with which the API would refuse the order; null if it is valid as far as known. */
function refusalSentence({ bundle }: Step, order: Order, model: ModelEntry): string | null {
  const problems = orderProblems(model, order);
  if (problems.length > 0) return sentenceFor('invalid_request', problems);
  const apiHost = new URL(parseBaseUrl(bundle.authData['base_url'])).hostname;
  const urls = (order.body.inputs ?? []).map(({ url }) => url);
  if (urls.some((url) => isUnacceptableUrl(url, apiHost))) return sentenceFor('input_url_invalid');
  return 'mode' in order.body ? realPersonRefusal(order.body, model) : null;
}

function realPersonRefusal(body: CreateVideoBody, { capabilities }: ModelEntry): string | null {
  if (body.parameters?.real_person_mode !== true) return null;
  if (!capabilities.real_person_modes.includes(body.mode)) {
    return sentenceFor('real_person_not_allowed');
  }
  const { rights_confirmed: isConfirmed, consent_reference: reference } = body.compliance ?? {};
  return isConfirmed === true && reference !== undefined ? null : sentenceFor('consent_required');
}
