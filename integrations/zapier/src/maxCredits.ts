import { markAsUserFacing } from './errors.ts';
import type { ModelEntry } from './generated/contract.ts';
import { requireModel } from './listModels.ts';
import type { Order } from './order.ts';
import { priceOf } from './price.ts';
import type { Step } from './step.ts';

/**
 * Refuses an order that costs more than the field Maximum Credits allows, before anything is made.
 * @throws z.errors.HaltedError; also if the field contains no number, or the price is unknown.
 */
export async function requireWithinMaximum(step: Step, order: Order): Promise<void> {
  if (order.maxCredits === undefined) return;
  requireReadable(step, order);
  const model = await requireModel(step, order);
  checkMaximum(step, order, priceOf(model, order.body.parameters ?? {}), model);
}

/** Stops a step whose known price exceeds its maximum. @param price Credits, or null if there is no such price. */
export function checkMaximum(
  step: Step,
  order: Order,
  price: number | null,
  { display_name }: Pick<ModelEntry, 'display_name'>,
): void {
  const { maxCredits } = order;
  if (maxCredits === undefined) return;
  requireReadable(step, order);
  if (price !== null && price <= maxCredits) return;
  const reason =
    price === null
      ? `The price cannot be calculated from these values. Check the resolution, duration and number for ${display_name}, or leave Maximum Credits empty.`
      : `This would cost ${price} credits, more than the maximum of ${maxCredits}. Raise Maximum Credits in this step, or choose a lower resolution, a shorter duration or fewer images.`;
  throw markAsUserFacing(
    new step.z.errors.HaltedError(`${reason} Nothing was created or charged.`),
  );
}

function requireReadable({ z }: Step, { maxCredits }: Order): void {
  if (!Number.isNaN(maxCredits)) return;
  throw markAsUserFacing(
    new z.errors.HaltedError(
      'Maximum Credits must be a number above 0. Correct it, check the value that is mapped into it, or leave the field empty. Nothing was created or charged.',
    ),
  );
}
