import { quantile, sum } from '@framegate/contract';
/**
 * Orders the routes to try for a generation: the operator's order, except that weighted neighbours are shuffled, with
 * each weight setting the probability of coming first.
 * @param fraction Returns a random number from 0 to below 1.
 */
export function rankRoutes<R extends { weight: number | null }>(
  routes: readonly R[],
  fraction: () => number,
): R[] {
  const ranking: R[] = [];
  let group: R[] = [];
  for (const route of routes) {
    if (route.weight !== null) {
      group.push(route);
      continue;
    }
    ranking.push(...drawByWeight(group, fraction), route);
    group = [];
  }
  return [...ranking, ...drawByWeight(group, fraction)];
}

/** Draws a whole group one by one, by weight. */
function drawByWeight<R extends { weight: number | null }>(
  group: readonly R[],
  fraction: () => number,
): R[] {
  const remaining = [...group];
  const ranking: R[] = [];
  while (remaining.length > 0) {
    let lot = fraction() * sum(remaining.map(({ weight }) => weight ?? 0));
    const drawnIndex = remaining.findIndex(({ weight }) => (lot -= weight ?? 0) < 0);
    ranking.push(...remaining.splice(Math.max(drawnIndex, 0), 1));
  }
  return ranking;
}

/** A finished order of a route: its amount of work and its duration. */
export interface FinishedOrder {
  /** Key of the route. */
  route: string;
  /** Equal for orders with the same amount of work. */
  size: string;
  seconds: number;
}

/** Minimum results for measuring a route. */
const minResults = 3;

/**
 * Relative speeds of routes: the median of their times in proportion to the median of all orders of the same size, so
 * that a route does not look slow because of larger orders. Routes with fewer than three results are left out.
 */
export function routeSpeeds(orders: readonly FinishedOrder[]): Map<string, number> {
  const usual = new Map(
    [...Map.groupBy(orders, ({ size }) => size)].map(([size, same]) => [
      size,
      quantile(
        same.map(({ seconds }) => seconds),
        0.5,
      ),
    ]),
  );
  const groups = [...Map.groupBy(orders, ({ route }) => route)].filter(
    ([, own]) => own.length >= minResults,
  );
  return new Map(
    groups.map(([route, own]) => [
      route,
      quantile(
        own.map(({ size, seconds }) => seconds / Math.max(usual.get(size) ?? 0, 0.001)),
        0.5,
      ),
    ]),
  );
}

/** Sorts routes by a number, routes without one last; equal ones keep their order. */
export function sortRoutesBy<R>(routes: readonly R[], numberOf: (route: R) => number | null): R[] {
  const ranked = routes.map((route) => ({ route, rank: numberOf(route) ?? Infinity }));
  // Compared, not subtracted: the difference of two infinities is NaN.
  const sorted = ranked.toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank < b.rank ? -1 : 1));
  return sorted.map(({ route }) => route);
}
