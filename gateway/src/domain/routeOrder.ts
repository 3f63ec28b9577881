/**
 * The order in which a generation's routes are tried: the operator's, where
 * neighbours with a weight are shuffled, each being first with a probability by its weight.
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

/** All of a group, drawn one by one by their weights. */
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
