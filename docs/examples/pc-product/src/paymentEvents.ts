import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Router } from '@koa/router';
import { bodyOf } from './body.ts';
import type { Data, Payment } from './data.ts';

/** An event of the payment provider. The shop set `customer` and `credits` when it created the payment. */
interface PaymentEvent {
  type: 'payment.succeeded' | 'payment.refunded' | 'dispute.opened' | (string & {});
  payment: { id: string; customer: string; credits: number };
}

/** The webhook: stores an event and answers. The credits move later, in `settle.ts`. */
export function addPaymentEvents(router: Router, { payments }: Data, secret: string): void {
  router.post('/payment-events', async (ctx) => {
    const body = await bodyOf(ctx.req);
    if (!isSigned(body, ctx.get('payment-signature'), secret)) ctx.throw(401, 'Wrong signature.');
    const event = JSON.parse(body) as PaymentEvent;
    const facts = paymentChange(event);
    if (facts) {
      // An upsert, because a refund may arrive before its payment.
      await payments.updateOne({ _id: event.payment.id }, { $set: facts }, { upsert: true });
    }
    // Without this response the provider sends the event again.
    ctx.status = 204;
  });
}

function paymentChange({ type, payment }: PaymentEvent): Partial<Payment> | null {
  switch (type) {
    case 'payment.succeeded':
      return { paid: true, customerId: payment.customer, credits: payment.credits };
    case 'payment.refunded':
      return { refunded: true };
    case 'dispute.opened':
      return { disputed: true };
    default:
      return null;
  }
}

function isSigned(body: string, signature: string, secret: string): boolean {
  const expected = createHmac('sha256', secret).update(body).digest();
  const requestSignature = Buffer.from(signature, 'hex');
  return requestSignature.length === expected.length && timingSafeEqual(requestSignature, expected);
}
