/**
 * `npm run payments`: a stand-in for a payment provider, to try the shop out. Its page at PAYMENTS_URL pays, refunds
 * and disputes payments, and sends their events again. It moves no money and forgets everything at its end.
 */
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { Router, type RouterContext } from '@koa/router';
import Koa from 'koa';
import { html, page } from './page.ts';
import { setting } from './setting.ts';

const eventTypes = {
  pay: 'payment.succeeded',
  refund: 'payment.refunded',
  dispute: 'dispute.opened',
} as const;

type Action = keyof typeof eventTypes;

interface Payment {
  id: string;
  customer: string;
  credits: number;
  cents: number;
  events: Action[];
  /** How the last deliveries ended. */
  told: string;
}

/** Older payments are forgotten. */
const kept = 100;
const responseMs = 10_000;
const url = setting('PAYMENTS_URL');
const key = setting('PAYMENTS_KEY');
const secret = setting('PAYMENTS_SECRET');
const shop = setting('SHOP_URL');
const payments = new Map<string, Payment>();
const router = new Router();

router.post('/payments', async (ctx) => {
  if (!isSame(ctx.get('authorization'), `Bearer ${key}`)) ctx.throw(401, 'Wrong key.');
  const order = JSON.parse(await text(ctx.req)) as Pick<Payment, 'customer' | 'credits' | 'cents'>;
  const payment = { ...order, id: `pay_${randomUUID()}`, events: [], told: '' };
  payments.set(payment.id, payment);
  for (const oldest of [...payments.keys()].slice(0, -kept)) payments.delete(oldest);
  ctx.status = 201;
  ctx.body = { id: payment.id, checkout_url: `${url}/checkout/${payment.id}` };
});

router.get('/checkout/:id', (ctx) => {
  const { id, credits, cents } = paymentOf(ctx);
  ctx.body = page(
    html`<p>${credits} credits for € ${cents / 100}</p>
      <form method="post" action="/checkout/${id}"><button>Pay</button></form>`,
    'Payment',
  );
});

router.post('/checkout/:id', async (ctx) => {
  await act(paymentOf(ctx), 'pay');
  ctx.status = 303;
  ctx.redirect(shop);
});

router.post('/payments/:id/:action', async (ctx) => {
  const payment = paymentOf(ctx);
  const action = ctx.params['action'] ?? '';
  if (action === 'send-again') {
    await deliver(
      payment,
      payment.events.flatMap((event) => [event, event, event]),
    );
  } else if (isAction(action)) {
    await act(payment, action);
  } else {
    ctx.throw(404);
  }
  ctx.status = 303;
  ctx.redirect('/');
});

router.get('/', (ctx) => {
  const button = (id: string, action: string, label: string) =>
    html`<form method="post" action="/payments/${id}/${action}"><button>${label}</button></form>`;
  ctx.body = page(
    html`<p>No money moves here. Reload <a href="${shop}">the shop</a> after each step.</p>
      <table>
        ${[...payments.values()].toReversed().map(
          ({ id, credits, cents, events, told }) =>
            html`<tr>
              <td>${id}</td>
              <td>${credits} credits, € ${cents / 100}</td>
              <td>${events.map((event) => eventTypes[event]).join(', ')}</td>
              <td>${button(id, 'pay', 'Pay')}</td>
              <td>${button(id, 'refund', 'Refund')}</td>
              <td>${button(id, 'dispute', 'Dispute')}</td>
              <td>${button(id, 'send-again', 'Send its events three times')}</td>
              <td>${told}</td>
            </tr>`,
        )}
      </table>`,
    'Payments',
  );
});

function paymentOf(ctx: RouterContext): Payment {
  return payments.get(ctx.params['id'] ?? '') ?? ctx.throw(404, 'There is no such payment.');
}

const isAction = (name: string): name is Action => Object.hasOwn(eventTypes, name);

/** Pays, refunds or disputes once; only what was paid can be refunded or disputed. */
async function act(payment: Payment, action: Action): Promise<void> {
  const isPaid = payment.events.includes('pay');
  if (payment.events.includes(action) || (action !== 'pay' && !isPaid)) return;
  payment.events.push(action);
  await deliver(payment, [action]);
}

/** Sends events to the shop, all at once: they arrive in any order. */
async function deliver(payment: Payment, events: readonly Action[]): Promise<void> {
  const { id, customer, credits } = payment;
  const statuses = await Promise.all(
    events.map(async (event) => {
      const body = JSON.stringify({ type: eventTypes[event], payment: { id, customer, credits } });
      const signature = createHmac('sha256', secret).update(body).digest('hex');
      const headers = { 'content-type': 'application/json', 'payment-signature': signature };
      const signal = AbortSignal.timeout(responseMs);
      const response = await fetch(`${shop}/payment-events`, {
        method: 'POST',
        headers,
        body,
        signal,
      }).catch(() => null);
      await response?.arrayBuffer().catch(() => undefined);
      return response?.status ?? 'no response';
    }),
  );
  payment.told = statuses.length > 0 ? `The shop answered ${statuses.join(', ')}.` : '';
}

function isSame(one: string, other: string): boolean {
  const digest = (value: string) => createHmac('sha256', secret).update(value).digest();
  return timingSafeEqual(digest(one), digest(other));
}

const app = new Koa();
app.use(router.routes()).use(router.allowedMethods());
app.listen(Number(new URL(url).port || 4000), '127.0.0.1', () => {
  console.log(`The payments are at ${url}`);
});
