import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import { availableCredits } from '../../../domain/credits.ts';
import { formatCredits, formatDate, formatTime, isoTime } from './format.ts';
import { takeKept } from './sessions.ts';
import type { SiteContext } from './siteContext.ts';
import { pageHeaders } from '../pageHeaders.ts';

/** What a page shows beside its own. */
export interface PageData {
  title: string;
  /** Sentences for fields at fault, by field. */
  problems?: Readonly<Record<string, string>>;
  /** What is wrong with a form as a whole. */
  problem?: string;
  /** Without JavaScript the page loads itself anew after so many seconds. */
  refreshSeconds?: number;
  [name: string]: unknown;
}

/** Answers a page of the account site. */
export type Show = (ctx: SiteContext, view: string, data: PageData, status?: number) => void;

/**
 * Pages from the templates in `views`, every value escaped.
 * @param options.mediaUrl Where results are loaded from.
 */
export function createRenderer(options: { mediaUrl: string; now: () => number }): Show {
  const eta = new Eta({
    views: fileURLToPath(new URL('views', import.meta.url)),
    cache: true,
    autoEscape: true,
    autoTrim: false,
  });
  const headers = pageHeaders(new URL(options.mediaUrl).origin);
  return (ctx, view, data, status = 200) => {
    const { account, formToken, requestId } = ctx.state;
    const page = {
      path: ctx.path,
      formToken,
      requestId,
      problems: {},
      problem: '',
      notice: account === null ? null : takeKept(ctx, 'notice'),
      account: account && {
        email: account.email,
        available: availableCredits(account.lots, options.now()),
        suspended: account.status !== 'active',
      },
      refreshSeconds: null,
      formatCredits,
      formatDate,
      formatTime,
      isoTime,
      ...data,
    };
    ctx.status = status;
    ctx.set(headers);
    ctx.set('Content-Type', 'text/html; charset=utf-8');
    ctx.body = eta.render(`./${view}`, page);
  };
}
