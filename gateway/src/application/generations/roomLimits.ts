import { modelBreakerKey } from '../../domain/breaker.ts';
import type { Generation } from '../../domain/generation.ts';
import type { Route } from '../ports/providers.ts';
import type { RoomLimit } from '../ports/upkeep.ts';
import type { ProviderRoom } from './providerRoom.ts';

/** The limit of a provider, over all its routes. */
export function providerLimit({
  provider,
  maxConcurrent,
}: Pick<Route, 'provider' | 'maxConcurrent'>): RoomLimit {
  return { key: provider, kind: 'provider', max: maxConcurrent };
}

/** The further limit of a route that has limits of its own; null for others. */
export function routeLimit(route: Pick<Route, 'provider' | 'model' | 'limits'>): RoomLimit | null {
  if (!route.limits) return null;
  const { maxConcurrent, startsPerMinute } = route.limits;
  return {
    key: modelBreakerKey(route),
    kind: 'route',
    max: maxConcurrent ?? Infinity,
    ...(startsPerMinute !== null && { startsPerMinute }),
  };
}

/**
 * Runs `write` where there is room at the provider, and at the route where that has limits of its own. A place
 * that the generation was called to is its own already.
 * @returns `full` without running it; `resting` when it wrote nothing.
 */
export async function withinRoomLimits(
  room: ProviderRoom,
  { place, routePlace }: Pick<Generation, 'place' | 'routePlace'>,
  route: Route,
  write: () => Promise<boolean>,
): Promise<'done' | 'full' | 'resting'> {
  const inside = { written: false, reached: false };
  const enter = async () => {
    inside.reached = true;
    return (inside.written = await write());
  };
  const own = routeLimit(route);
  const isCalled = place === route.provider;
  const hasOwnRoom = own === null || (isCalled && routePlace === own.key);
  const throughRoute = () => (hasOwnRoom ? enter() : room.enter(own, enter));
  await (isCalled ? throughRoute() : room.enter(providerLimit(route), throughRoute));
  if (inside.written) return 'done';
  return inside.reached ? 'resting' : 'full';
}
