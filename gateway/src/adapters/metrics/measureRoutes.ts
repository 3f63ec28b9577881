import { type Route, type Routes, mapRoutes } from '../../application/ports/providers.ts';
import type { Metrics } from './metrics.ts';

/** The routes, counting and timing each call by what came of it. */
export function measureRoutes(routes: Routes, metrics: Metrics, nowMs: () => number): Routes {
  return mapRoutes(routes, (route) => measureRoute(route, metrics, nowMs));
}

function measureRoute(route: Route, metrics: Metrics, nowMs: () => number): Route {
  const { provider, model } = route;
  async function timed<T>(
    call: 'submit' | 'look',
    work: () => Promise<T>,
    outcomeOf: (result: T) => string,
  ): Promise<T> {
    const startedAt = nowMs();
    let outcome = 'aborted';
    try {
      const result = await work();
      outcome = outcomeOf(result);
      return result;
    } finally {
      metrics.providerCalls.inc({ provider, model, call, outcome });
      metrics.providerSeconds.observe({ provider, call }, (nowMs() - startedAt) / 1000);
    }
  }
  return {
    ...route,
    submit: (request, signal, key) =>
      timed(
        'submit',
        () => route.submit(request, signal, key),
        (result) => (result.kind === 'refused' && result.busy ? 'busy' : result.kind),
      ),
    poll: (operation, request, signal, source, key) =>
      timed(
        'look',
        () => route.poll(operation, request, signal, source, key),
        ({ kind }) => kind,
      ),
  };
}
