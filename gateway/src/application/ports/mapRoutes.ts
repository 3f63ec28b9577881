import type { Route, Routes } from './providers.ts';

/** The routes, each as a change makes it, once. */
export function mapRoutes(routes: Routes, change: (route: Route) => Route): Routes {
  const changed = new WeakMap<Route, Route>();
  const changeOnce = (route: Route): Route => {
    const known = changed.get(route);
    if (known) return known;
    const made = change(route);
    changed.set(route, made);
    return made;
  };
  return {
    ...routes,
    of: (modelId) => routes.of(modelId).map(changeOnce),
    find: (provider, model, key) => {
      const route = routes.find(provider, model, key);
      return route && changeOnce(route);
    },
  };
}
