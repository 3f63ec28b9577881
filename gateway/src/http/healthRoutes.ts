import { Router } from '@koa/router';
import { Refusal } from '../domain/refusal.ts';
import { answerJson } from './answer.ts';
import type { RequestState } from './context.ts';

/**
 * `/healthz`: the process is alive, restart it when this fails. `/readyz`: it can serve; false while
 * the database cannot be reached and from the moment a stop is requested, so that a load balancer
 * sends nothing more.
 */
export function healthRoutes(ready: () => boolean): Router<RequestState> {
  const router = new Router<RequestState>({ sensitive: true, strict: true });
  router.get('/healthz', (ctx) => {
    answerJson(ctx, 200, '{"status":"ok"}');
  });
  router.get('/readyz', (ctx) => {
    if (!ready()) throw new Refusal('service_unavailable');
    answerJson(ctx, 200, '{"status":"ready"}');
  });
  return router;
}
