import type { Brand } from '../../domain/brand/brand.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { RefusalCode } from '../../domain/refusalCodes.ts';
import type { Language } from '../../domain/text/language.ts';
import { describeRefusal } from '../../texts/describeRefusal.ts';
import { inLanguage } from '../../texts/language.ts';
import { text } from '../../texts/text.ts';
import { isDisconnect } from '../body.ts';
import type { HttpContext, HttpMiddleware } from '../context.ts';
import {
  headersOf,
  logError,
  refusalFor,
  type ResponseDeps,
  statusOf,
} from '../respondToErrors.ts';
import { brandLink } from './brand.ts';
import type { Next, PageContext } from './context.ts';
import { htmlType, renderDocument } from './document.ts';
import { html, richText } from './html.ts';
import { languageOf } from './languageChoice.ts';
import { staticPageHeaders } from './pageHeaders.ts';

/** An error as a page shows it. */
export interface ShownError {
  status: number;
  message: string;
}

/** Shows a page for errors of later middleware. */
export function errorPages<Context extends PageContext>(options: {
  deps: ResponseDeps;
  show: (ctx: Context, error: ShownError) => void;
  /** Messages for people that replace those of the API, in the language of the request. */
  messages?: () => Partial<Record<RefusalCode, string>>;
}): (ctx: Context, next: Next) => Promise<void> {
  const { deps, show, messages } = options;
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (isDisconnect(error)) throw error;
      logError(error, ctx.state.requestId, deps);
      const refusal = refusalFor(error, deps.isDatabaseTrouble);
      const message = messages?.()[refusal.code] ?? describeRefusal(refusal);
      ctx.set(headersOf(refusal));
      show(ctx, { status: statusOf(refusal), message });
    }
  };
}

/**
 * Shows a page instead of a JSON error when a browser (`Accept` prefers HTML) requests an unknown URL
 * outside the API.
 * @param basePath Path prefix of the API, such as `/v1`.
 * @param offered Languages of customers; pages of the console are in English.
 */
export function showWrongPath(
  basePath: string,
  brand: Brand,
  offered: readonly Language[],
): HttpMiddleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (!(error instanceof Refusal) || !isForPerson(ctx, basePath)) throw error;
      ctx.state.refused = error.code;
      ctx.status = statusOf(error);
      ctx.set({ ...staticPageHeaders, ...headersOf(error) });
      ctx.set({
        'Content-Type': htmlType,
        'Cache-Control': 'no-store',
        Vary: 'Accept, Accept-Language, Cookie',
      });
      const chosen = isOfStaff(ctx) ? 'en' : languageOf(ctx, offered);
      ctx.body = inLanguage(chosen, () => pageFor(ctx, brand));
    }
  };
}

function isForPerson(ctx: HttpContext, basePath: string): boolean {
  const isApi = ctx.path === basePath || ctx.path.startsWith(`${basePath}/`);
  return !isApi && ctx.accepts('json', 'html') === 'html';
}

const isOfStaff = ({ path }: HttpContext) => /^\/staff(\/|$)/.test(path);

function pageFor(ctx: HttpContext, brand: Brand): string {
  const isKnown = ctx.status === 405;
  const title = text(isKnown ? 'errors.formsOnly' : 'errors.noPage');
  return renderDocument(brand, {
    title: `${title} · ${brand.name}`,
    stylesheet: '/site/site.css',
    body: html`<header class="top">${brandLink(brand, isOfStaff(ctx) ? '/staff' : '/')}</header>
      <main id="content" class="page">
        <h1>${title}</h1>
        <p>${text(isKnown ? 'errors.formsOnlyAdvice' : 'errors.noPageAdvice')}</p>
        <p>
          ${
            isOfStaff(ctx)
              ? html`<a class="button" href="/staff">To the staff console</a>`
              : html`<a class="button" href="/">${text('site.toStart')}</a>`
          }
        </p>
        <p><a href="/docs">${text('errors.apiReference')}</a></p>
        <p class="quiet">
          ${richText('errors.requestIdForSupport', { id: html`<code>${ctx.state.requestId}</code>` })}
        </p>
      </main>`,
  });
}
