import { Router } from '@koa/router';

/** A router with one spelling of each path: case and a trailing slash matter. */
export function strictRouter<State>(prefix = ''): Router<State> {
  return new Router<State>({ prefix, sensitive: true, strict: true });
}
