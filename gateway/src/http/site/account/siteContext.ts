import type { RouterContext } from '@koa/router';
import type { Account } from '../../../domain/account.ts';
import type { RequestState } from '../../context.ts';
import type { Form } from './form.ts';

/** What the account site knows of a request. */
export interface SiteState extends RequestState {
  /** Whose session it is; null when nobody is signed in. */
  account: Account | null;
  /** Id of the session as it is stored; null without one. */
  sessionId: string | null;
  /** What every form of this browser carries against forged requests. */
  formToken: string;
  /** The fields of a POST. */
  form: Form;
}

/** One request to the account site. */
export type SiteContext = RouterContext<SiteState>;

/** Whoever is signed in; the route requires it. */
export function accountOf(ctx: SiteContext): Account {
  if (ctx.state.account === null) throw new Error('the route does not require an account');
  return ctx.state.account;
}
