import { randomUUID } from 'node:crypto';
import type { Router } from '@koa/router';
import type { FramegateOperator } from '@framegate/operator';
import { formOf } from './body.ts';
import type { Data } from './data.ts';
import { html, page } from './page.ts';
import { forCustomers, seeOther } from './signIn.ts';

/** Credits and their price in cents. */
const packs = new Map([
  ['50', 500],
  ['200', 1800],
]);

const kindOfVideo = {
  model: 'alpha-2.0-mini',
  mode: 'text-to-video',
  parameters: { duration_seconds: 4, resolution: '480p' },
} as const;

/** The payment provider's URL and key. */
export interface PaymentProvider {
  url: string;
  key: string;
}

/** The pages behind the login: balance, tasks, buying, creating a video, and the way to the gateway's own site. */
export function addShop(
  router: Router,
  data: Data,
  operator: FramegateOperator,
  provider: PaymentProvider,
): void {
  const customers = forCustomers(data);

  router.get(
    '/',
    customers(async (ctx, { email, accountId }) => {
      const [credits, tasks, notices] = await Promise.all([
        operator.getCredits(accountId),
        operator.listGenerations(accountId, { channel: 'pc', limit: 20 }),
        data.notices.find({ accountId }).sort({ _id: -1 }).limit(5).toArray(),
      ]);
      ctx.body = page(
        html`<p>${email} has ${credits.available} credits.</p>
          <ul>
            ${notices.map(({ text }) => html`<li>${text}</li>`)}
          </ul>
          <form method="post" action="/buy">
            ${[...packs].map(
              ([size, cents]) =>
                html`<button name="pack" value="${size}">
                  ${size} credits: € ${cents / 100}
                </button>`,
            )}
          </form>
          <form method="post" action="/videos">
            <input name="prompt" required aria-label="Prompt" />
            <input type="hidden" name="order" value="${randomUUID()}" /><button>
              Make a video
            </button>
          </form>
          <table>
            ${tasks.data.map(
              ({ prompt, status, billing, output }) =>
                html`<tr>
                  <td>${prompt}</td>
                  <td>${status}</td>
                  <td>${billing.cost_credits}</td>
                  <td>${(output?.urls ?? []).map((url) => html`<a href="${url}">Watch</a>`)}</td>
                </tr>`,
            )}
          </table>
          <form method="post" action="/api-settings"><button>API keys and settings</button></form>`,
      );
    }),
  );

  router.post(
    '/buy',
    customers(async (ctx, customer) => {
      const pack = (await formOf(ctx.req))('pack');
      const cents = packs.get(pack) ?? ctx.throw(400, 'There is no such pack.');
      // Created by the server, so that no browser can change the recipient or the number of credits.
      const response = await fetch(`${provider.url}/payments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${provider.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ customer: customer._id, credits: Number(pack), cents }),
        signal: AbortSignal.timeout(10_000),
      });
      if (!response.ok) ctx.throw(502, 'The payment provider does not answer.');
      const { checkout_url: checkout } = (await response.json()) as { checkout_url: string };
      seeOther(ctx, checkout);
    }),
  );

  router.post(
    '/videos',
    customers(async (ctx, customer) => {
      const field = await formOf(ctx.req);
      const video = { ...kindOfVideo, prompt: field('prompt') };
      // The form contains the id of its order: sent twice, it creates one video.
      const order = encodeURIComponent(field('order')).slice(0, 100);
      const options = { idempotencyKey: `video-${customer._id}-${order}` };
      await operator.createVideo(customer.accountId, video, options);
      seeOther(ctx, '/');
    }),
  );

  router.post(
    '/api-settings',
    customers(async (ctx, customer) => {
      const destination = { return_to: '/settings/public-api' };
      const { url } = await operator.createSignInLink(customer.accountId, destination);
      if (url === null) return ctx.throw(503, 'The link has expired. Try again.');
      seeOther(ctx, url);
    }),
  );
}
