import type Koa from 'koa';
import type { RequestState } from '../context.ts';
import { formOf, type Form } from './form.ts';

/** What every page knows of its request. */
export interface PageState extends RequestState {
  /** What every form of this browser carries against forged requests. */
  formToken: string;
  /** The fields of a POST. */
  form: Form;
}

/** One request to a page. */
export type PageContext = Koa.ParameterizedContext<PageState>;

/** The steps of a request that come after this one. */
export type Next = () => Promise<unknown>;

/**
 * Prepares a request's state and cookies; stands before every other step of the pages.
 * @param own What the state of these pages begins with, beside that of all pages.
 */
export function beginPage(
  accountUrl: string,
  own: object,
): (ctx: PageContext, next: Next) => Promise<unknown> {
  const isHttps = accountUrl.startsWith('https:');
  return (ctx, next) => {
    // By our public address: the connection that we see may come from a proxy, which has seen to https.
    ctx.cookies.secure = isHttps;
    Object.assign(ctx.state, { formToken: '', form: formOf([]), ...own });
    return next();
  };
}

/** Sends the browser on by GET. */
export function redirect(ctx: PageContext, path: string): void {
  ctx.redirect(path);
  ctx.status = 303;
}

/** A path that a request asks to be sent to, where it is one of those allowed; null otherwise. */
export function pathToReturnTo(asked: unknown, allowed: RegExp): string | null {
  return typeof asked === 'string' && allowed.test(asked) ? asked : null;
}
