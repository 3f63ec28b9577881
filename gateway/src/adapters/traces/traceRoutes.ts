import { type Route, type Routes, mapRoutes } from '../../application/ports/providers.ts';
import type { Traces } from '../../application/ports/traces.ts';

/** The routes, each call of a provider as a span. Nothing about a trace is sent along. */
export function traceRoutes(routes: Routes, traces: Traces): Routes {
  return mapRoutes(routes, (route) => traceRoute(route, traces));
}

function traceRoute(route: Route, traces: Traces): Route {
  const attributes = { 'framegate.provider': route.provider, 'framegate.route': route.model };
  const traced = <T extends { kind: string }>(name: string, work: () => Promise<T>): Promise<T> =>
    traces.span(name, { kind: 'client', attributes }, async (span) => {
      const result = await work();
      span.set({ 'framegate.outcome': result.kind });
      return result;
    });
  return {
    ...route,
    submit: (...given) => traced('provider submit', () => route.submit(...given)),
    poll: (...given) => traced('provider look', () => route.poll(...given)),
  };
}
