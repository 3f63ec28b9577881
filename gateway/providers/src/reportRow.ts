import type { Log } from '@framegate/contract';
import type { RouteEntry } from './configuredRoutes.ts';
import { isOld, type RoutePlan } from './routePlan.ts';

/**
 * Logs which row a route uses. Warns if no row describes its model, if the row is old, and if the provider shuts the
 * model down, because its orders will fail.
 */
export function reportRow(
  { row, meant, missing }: RoutePlan,
  { id, entry, nowMs }: { id: string; entry: RouteEntry; nowMs: number },
  log: Log,
): void {
  const where = { provider: entry.provider, providerModel: entry.model };
  if (meant !== null) {
    log.warn({ ...where, meant }, 'model of a route resembles that of another row');
  }
  if (!row) {
    log.warn(
      { model: id, ...where, ...(missing.length > 0 && { missing }) },
      missing.length > 0
        ? 'no row describes the model of a route, and its entry states too little: the route takes no orders'
        : 'no row describes the model of a route: it covers the parameters of its entry',
    );
    return;
  }
  const { match, source, readOn, retired } = row;
  log.info(
    { model: id, ...where, row: match[0], source, readOn },
    "row from a provider's document describes the model of a route",
  );
  if (isOld(row, nowMs)) {
    log.warn(
      { ...where, source, readOn },
      'row that describes the model of a route is old: check it',
    );
  }
  if (!retired) return;
  const { on, replacement } = retired;
  const successor = replacement ?? 'none that its package reaches';
  log.warn(
    { ...where, retiredOn: on, replacement: successor },
    'provider shuts down the model of a route',
  );
}
