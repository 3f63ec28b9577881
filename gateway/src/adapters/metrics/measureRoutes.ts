import type { Route, Routes } from '../../application/ports/providers.ts';
import type { Metrics } from './metrics.ts';

/** The routes, counting and timing each call by what came of it. */
export function measureRoutes(routes: Routes, metrics: Metrics, nowMs: () => number): Routes {
  const measured = new WeakMap<Route, Route>();
  const measure = (route: Route): Route => {
    const known = measured.get(route);
    if (known) return known;
    const wrapped = measureRoute(route, metrics, nowMs);
    measured.set(route, wrapped);
    return wrapped;
  };
  return {
    ...routes,
    of: (modelId) => routes.of(modelId).map(measure),
    find: (provider, model, key) => {
      const route = routes.find(provider, model, key);
      return route && measure(route);
    },
  };
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
