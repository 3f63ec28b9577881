import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import type { FaultWorld } from './faultWorld.ts';
import type { GatewayProcess } from './startGatewayProcess.ts';

/** The gateway processes of a crash run. */
export interface Fleet {
  origins: () => string[];
  ready(): GatewayProcess[];
  /** Kills the first process that reaches the step for the `times`th time. */
  arm(point: FaultPoint, times: number): void;
  disarm(): void;
  /** Resolves when a process has died since `arm`, or was already dead. */
  death(): Promise<unknown>;
  /** Replaces dead processes in the background. @returns Their number. */
  replaceDead(): number;
  /** Waits until all have been replaced. */
  complete(): Promise<void>;
}

/** Starts this many processes. */
export async function startFleet(world: FaultWorld, size: number): Promise<Fleet> {
  const starting = new Set<Promise<unknown>>();
  let members: GatewayProcess[] = [];
  const add = () => {
    const started = world.start().then((each) => members.push(each));
    starting.add(started);
    // A failed start is kept and reported by `complete`.
    started.then(
      () => starting.delete(started),
      () => undefined,
    );
  };
  const fleet: Fleet = {
    origins: () => fleet.ready().map(({ origin }) => origin),
    ready: () => members.filter((each) => each.isAlive()),
    arm: (point, times) => {
      for (const each of members) each.command({ arm: { point, times, signal: 'SIGKILL' } });
    },
    disarm: () => {
      for (const each of fleet.ready()) each.command({ disarm: true });
    },
    death: () => Promise.race(members.map(({ ended }) => ended)),
    replaceDead() {
      const dead = members.filter((each) => !each.isAlive());
      members = fleet.ready();
      for (let count = 0; count < dead.length; count += 1) add();
      return dead.length;
    },
    async complete() {
      while (starting.size > 0) await Promise.all(starting);
    },
  };
  for (let count = 0; count < size; count += 1) add();
  await fleet.complete();
  return fleet;
}
