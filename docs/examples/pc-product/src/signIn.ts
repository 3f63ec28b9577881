import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Router, RouterContext } from '@koa/router';
import type { FramegateOperator } from '@framegate/operator';
import { formOf } from './body.ts';
import type { Customer, Data } from './data.ts';
import { html, page } from './page.ts';

const linkLastsMs = 15 * 60_000;
const weekMs = 7 * 24 * 60 * 60_000;
const kept = { signed: true, httpOnly: true, sameSite: 'lax' } as const;

/** The product's own login: a mailed link, printed here. It also proves that the address belongs to the customer. */
export function addSignIn(
  router: Router,
  { data, operator, secret, url }: Parts & { secret: string; url: string },
): void {
  router.get('/sign-in', (ctx) => {
    ctx.body = page(
      html`<form method="post">
        <input name="email" type="email" required aria-label="Email" />
        <button>Send me a link</button>
      </form>`,
    );
  });

  router.post('/sign-in', async (ctx) => {
    const email = (await formOf(ctx.req))('email').trim().toLowerCase();
    if (!/^[^\s@]+@[^\s@]+$/.test(email)) ctx.throw(400, 'This is not an address.');
    const expires = String(Date.now() + linkLastsMs);
    const query = new URLSearchParams({ email, expires, mac: macOf(email, expires) });
    // The link works in the browser that requested it.
    ctx.cookies.set('asked', encodeURIComponent(email), { ...kept, maxAge: linkLastsMs });
    console.log(`Mail to ${email}: ${url}/sign-in/confirm?${query.toString()}`);
    ctx.body = page(html`<p>A link was sent to ${email}.</p>`);
  });

  router.get('/sign-in/confirm', async (ctx) => {
    const { email, expires, mac } = ctx.query as Record<string, string | undefined>;
    const isRight = email && expires && mac && isSame(mac, macOf(email, expires));
    const question = ctx.cookies.get('asked', { signed: true });
    if (!isRight || Number(expires) < Date.now() || question !== encodeURIComponent(email)) {
      return ctx.throw(403, 'The link is too old, or of another browser.');
    }
    const customer = await customerOf({ data, operator }, email);
    ctx.cookies.set('customer', customer._id, { ...kept, maxAge: weekMs });
    seeOther(ctx, '/');
  });

  const macOf = (email: string, expires: string) =>
    createHmac('sha256', secret).update(`sign in ${expires} ${email}`).digest('hex');
}

interface Parts {
  data: Data;
  operator: FramegateOperator;
}

const isSame = (one: string, other: string) =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** The customer with this address, with an account at the gateway. Idempotent. */
async function customerOf({ data, operator }: Parts, email: string): Promise<Customer> {
  const known = await data.customers.findOneAndUpdate(
    { email },
    { $setOnInsert: { _id: randomUUID() } },
    { upsert: true, returnDocument: 'after' },
  );
  if (!known) throw new Error('the customer was not stored');
  await openAccount({ data, operator }, known);
  return known;
}

/** Opens the customer's account at the gateway, or finds it. */
export async function openAccount({ data, operator }: Parts, { _id, email }: Customer) {
  const account = await operator.upsertAccount(_id, { email, email_verified: true });
  await data.customers.updateOne({ _id }, { $set: { accountId: account.id } });
}

type ForCustomer = (ctx: RouterContext, customer: Required<Customer>) => Promise<void>;

/** Serves pages to signed-in customers only; anyone else is redirected to the login. */
export function forCustomers({ customers }: Data) {
  return (show: ForCustomer) => async (ctx: RouterContext) => {
    const id = ctx.cookies.get('customer', { signed: true });
    const customer = id ? await customers.findOne({ _id: id }) : null;
    if (!customer?.accountId) seeOther(ctx, '/sign-in');
    else await show(ctx, { ...customer, accountId: customer.accountId });
  };
}

/** Redirects the browser to another page (303). */
export function seeOther(ctx: RouterContext, to: string): void {
  ctx.status = 303;
  ctx.redirect(to);
}
