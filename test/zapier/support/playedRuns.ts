import { minuteMs } from '@framegate/contract';
import {
  type SimulatedOutcome,
  type SimulatedRun,
  type SimulatedWorld,
  simulateZapier,
} from './simulatedZapier.ts';

export const minute = minuteMs;
export const hour = 60 * minute;
export const day = 24 * hour;
/** Noon, UTC. */
export const noon = Date.UTC(2026, 10, 20, 12);

/** The generation of each run. */
export const ids = (outcomes: readonly SimulatedOutcome[]) => outcomes.map(({ id }) => id);
/** Number of generations made, and thus paid. */
export const made = ({ api }: SimulatedWorld) => api.generations.length;

/** Plays runs in a separate world, which `set` changes first. */
export async function play(
  runs: readonly SimulatedRun[],
  set: (world: SimulatedWorld) => void = () => {},
) {
  const world = simulateZapier();
  set(world);
  return { world, outcomes: await world.play(runs) };
}

/** Plays without z.cache. */
export const noCache = (world: SimulatedWorld) => {
  world.hasCache = false;
};
