import {
  BillingError,
  type FramegateOperator,
  IdempotencyError,
  NotFoundError,
} from '@framegate/operator';
import type { Data, Payment } from './data.ts';
import { pause } from './forever.ts';
import { openAccount } from './signIn.ts';

/** Payments settled at the same time. */
const lanes = 10;

/** Moves the credits of all payments, including those of earlier processes, until the signal is aborted. */
export async function settlePayments(data: Data, operator: FramegateOperator, signal: AbortSignal) {
  const unsettled = {
    paid: true as const,
    $or: [
      { grantEntry: { $exists: false } },
      { taken: { $exists: false }, refunded: true as const },
      { taken: { $exists: false }, disputed: true as const },
    ],
  };
  while (!signal.aborted) {
    // Failed ones come last, so they do not block the others.
    const open = await data.payments.find(unsettled).sort({ triedAt: 1 }).limit(lanes).toArray();
    const settled = await Promise.all(open.map((payment) => tryToSettle(data, operator, payment)));
    if (!settled.some(Boolean)) await pause(1_000, signal);
  }
}

async function tryToSettle(data: Data, operator: FramegateOperator, payment: Payment) {
  try {
    await settle(data, operator, payment);
    return true;
  } catch (error) {
    const customer = await data.customers.findOne({ _id: payment.customerId ?? '' });
    // A restore of the gateway may have lost the account.
    if (customer && error instanceof NotFoundError) await openAccount({ data, operator }, customer);
    console.error(`Payment ${payment._id} is not settled yet: ${String(error)}`);
    await data.payments.updateOne({ _id: payment._id }, { $set: { triedAt: new Date() } });
    return false;
  }
}

/**
 * Grants the credits of a payment, and takes them back after a refund or a dispute. The process can be killed between
 * any two lines: each request is repeated with the same Idempotency-Key and the same body, and takes effect once. The
 * reference outlives the key's 30 days, and links the ledger to the payment.
 */
async function settle(data: Data, operator: FramegateOperator, payment: Payment): Promise<void> {
  const { _id: id, customerId = '', credits = 0 } = payment;
  const customer = await data.customers.findOne({ _id: customerId });
  if (!customer?.accountId) throw new Error(`there is no customer ${customerId}`);
  const { accountId } = customer;
  if (!payment.grantEntry) {
    const grant = { amount: credits, kind: 'purchased' as const, reference: grantReference(id) };
    const options = { idempotencyKey: grantReference(id) };
    const entry = await operator.grantCredits(accountId, grant, options);
    await data.payments.updateOne({ _id: id }, { $set: { grantEntry: entry.id } });
  }
  if ((payment.refunded ?? payment.disputed) && payment.taken === undefined) {
    const takeback = await takeBack(data, operator, accountId, payment);
    await data.payments.updateOne({ _id: id }, { $set: { taken: takeback } });
  }
}

/** Takes the credits back, or those that the customer has not spent. Returns their number. */
async function takeBack(
  { payments }: Data,
  operator: FramegateOperator,
  accountId: string,
  { _id: id, credits = 0, toTake = credits }: Payment,
): Promise<number> {
  if (toTake === 0) return 0;
  const reference = takeBackReference(id);
  // A refund and a dispute of one payment are one adjustment: the reason names neither.
  const reason = `Payment ${id} was refunded or disputed`;
  try {
    const adjustment = { amount: -toTake, reason, reference };
    await operator.adjustCredits(accountId, adjustment, { idempotencyKey: reference });
    return toTake;
  } catch (error) {
    if (error instanceof BillingError) {
      // Nothing was taken. A smaller amount is stored before it is sent, so a repeated request is identical.
      const { available } = await operator.getCredits(accountId);
      await payments.updateOne({ _id: id }, { $set: { toTake: Math.min(toTake, available) } });
    } else if (error instanceof IdempotencyError) {
      // An earlier request with another amount took effect after all: the ledger has its entry.
      for await (const entry of operator.iterateAccountLedger(accountId)) {
        if (entry.reference === reference) return -entry.amount;
      }
    }
    throw error;
  }
}

/** Reference and Idempotency-Key of the grant for a payment. */
export const grantReference = (paymentId: string) => `payment-${paymentId}`;
/** Reference and Idempotency-Key of the adjustment that takes the credits back. */
export const takeBackReference = (paymentId: string) => `take-back-${paymentId}`;
