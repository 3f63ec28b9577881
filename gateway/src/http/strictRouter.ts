import { Router } from '@koa/router';

/** A router with one spelling of each path: letter case and a slash at the end count. */
export function strictRouter<State>(prefix = ''): Router<State> {
  return new Router<State>({ prefix, sensitive: true, strict: true });
}
