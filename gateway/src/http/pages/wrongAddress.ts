import { Refusal } from '../../domain/refusal.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import { headersOf, statusOf } from '../presentRefusal.ts';
import { html } from './html.ts';
import { htmlType, renderDocument, staticPageHeaders } from './layout.ts';

/**
 * Answers a page, not JSON, where a later step knows no such address and a browser asked for a page: its
 * `Accept` prefers HTML. Below the API's path programs are answered as ever.
 * @param basePath Where the API is mounted, such as `/v1`.
 */
export function explainWrongAddress(basePath: string): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof Refusal) || !isForPerson(ctx, basePath)) throw error;
      ctx.state.refused = error.code;
      ctx.status = statusOf(error);
      ctx.set({ ...staticPageHeaders, ...headersOf(error) });
      ctx.set({ 'Content-Type': htmlType, 'Cache-Control': 'no-store', Vary: 'Accept' });
      ctx.body = pageFor(ctx);
    }
  };
}

function isForPerson(ctx: HttpContext, basePath: string): boolean {
  const isApi = ctx.path === basePath || ctx.path.startsWith(`${basePath}/`);
  return !isApi && ctx.accepts('json', 'html') === 'html';
}

function pageFor(ctx: HttpContext): string {
  const isStaff = /^\/staff(\/|$)/.test(ctx.path);
  const isKnown = ctx.status === 405;
  const title = isKnown ? 'This address is not a page' : 'There is no such page';
  return renderDocument({
    title: `${title} · Framegate`,
    stylesheet: '/site/site.css',
    body: html`<main class="page">
      <h1>${title}</h1>
      <p>
        ${
          isKnown
            ? 'It takes what a form sends. Go back, and send the form again.'
            : 'Check the address for a typing error, or begin again from here.'
        }
      </p>
      <p>
        ${
          isStaff
            ? html`<a class="button" href="/staff">To the staff console</a>`
            : html`<a class="button" href="/">To the start</a>`
        }
      </p>
      <p><a href="/docs">API reference</a></p>
      <p class="quiet">Request id, for support: <code>${ctx.state.requestId}</code></p>
    </main>`,
  });
}
