import type { Route, Routes } from '@framegate/provider-routes';
import { mapRoutes } from '../../application/ports/providers.ts';
import type { Traces } from '../../application/ports/system.ts';

/** Wraps the routes so that each provider call is a span. No trace data is sent to providers. */
export function traceRoutes(routes: Routes, traces: Traces): Routes {
  return mapRoutes(routes, (route) => traceRoute(route, traces));
}

function traceRoute(route: Route, traces: Traces): Route {
  const attributes = { 'framegate.provider': route.provider, 'framegate.route': route.model };
  const runTraced = <T extends { kind: string }>(
    name: string,
    work: () => Promise<T>,
  ): Promise<T> =>
    traces.runInSpan(name, { kind: 'client', attributes }, async (span) => {
      const result = await work();
      span.set({ 'framegate.outcome': result.kind });
      return result;
    });
  return {
    ...route,
    submit: (...args) => runTraced('provider submit', () => route.submit(...args)),
    poll: (...args) => runTraced('provider poll', () => route.poll(...args)),
  };
}
