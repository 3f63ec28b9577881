/**
 * Orders the routes to try for a generation: the operator's order, except that neighbours with a weight are
 * shuffled, with each weight setting the probability of coming first.
 * @param fraction Returns a random number from 0 to below 1.
 */
export function orderRoutes<R extends { weight: number | null }>(
  routes: readonly R[],
  fraction: () => number,
): R[] {
  const ordered: R[] = [];
  let group: R[] = [];
  for (const route of routes) {
    if (route.weight !== null) {
      group.push(route);
      continue;
    }
    ordered.push(...drawn(group, fraction), route);
    group = [];
  }
  return [...ordered, ...drawn(group, fraction)];
}

/** Draws a whole group one by one, by weight. */
function drawn<R extends { weight: number | null }>(
  group: readonly R[],
  fraction: () => number,
): R[] {
  const left = [...group];
  const order: R[] = [];
  while (left.length > 0) {
    let lot = fraction() * left.reduce((sum, { weight }) => sum + (weight ?? 0), 0);
    const found = left.findIndex(({ weight }) => (lot -= weight ?? 0) < 0);
    order.push(...left.splice(Math.max(found, 0), 1));
  }
  return order;
}
