import { setTimeout as pause } from 'node:timers/promises';
import type { Chance } from '../../test/faults/chance.ts';
import type { FleetWorld } from './fleetWorld.ts';
import type { Member, Role, Roles } from './roles.ts';

/** A fault that was caused in the fleet. Times in ms since the epoch; `member` if it was a process. */
export interface Trouble {
  kind: TroubleKind;
  from: number;
  to: number;
  member: Member | null;
}

const troubleKinds = [
  'api killed',
  'worker killed',
  'api stopped',
  'worker stopped',
  'api rolled',
  'worker rolled',
  'primary steps down',
  'store silent',
  'provider silent',
] as const;

/** Faults of a fleet. */
export type TroubleKind = (typeof troubleKinds)[number];

/** Shorter than a lease, so that a stopped worker keeps its leases, in ms. */
const stopMs = { min: 3_000, max: 15_000 };
const storeSilentMs = { min: 5_000, max: 15_000 };
const providerSilentMs = { min: 15_000, max: 30_000 };
const pauseMs = { min: 2_000, max: 6_000 };

/**
 * Causes faults in a random order, every kind once before any is repeated, until the time is over; then waits until
 * the last one is over.
 */
export async function playStorm(options: {
  world: FleetWorld;
  roles: Roles;
  chance: Chance;
  forMs: number;
  record: (line: string) => void;
  /** Callback for a process as soon as it is killed. */
  killProcess: (member: Member) => Promise<void>;
}): Promise<Trouble[]> {
  const { world, roles, chance, forMs, record: note } = options;
  const between = ({ min, max }: { min: number; max: number }) => min + chance.below(max - min);
  const troubles: Trouble[] = [];
  const under = new Set<Promise<void>>();
  const busy = new Set<TroubleKind>();
  const end = Date.now() + forMs;
  let deck: TroubleKind[] = [];

  const silenceProcess = async (
    each: { setSilent(isSilent: boolean): void },
    forSoLong: number,
  ) => {
    each.setSilent(true);
    await pause(forSoLong);
    each.setSilent(false);
  };
  const toOne = (
    role: Role,
    act: (member: Member) => Promise<void>,
  ): [Member, Promise<void>] | null => {
    const member = roles.pick(role, (limit) => chance.below(limit));
    return member && [member, act(member)];
  };
  const kill = async (member: Member) => {
    await Promise.all([roles.kill(member), options.killProcess(member)]);
  };
  const begin = (kind: TroubleKind): [Member | null, Promise<void>] | null => {
    const forSoLong = between(stopMs);
    switch (kind) {
      case 'api killed':
        return toOne('api', kill);
      case 'worker killed':
        return toOne('worker', kill);
      case 'api stopped':
        return toOne('api', (member) => roles.pause(member, forSoLong));
      case 'worker stopped':
        return toOne('worker', (member) => roles.pause(member, forSoLong));
      case 'api rolled':
        return toOne('api', (member) => roles.roll(member));
      case 'worker rolled':
        return toOne('worker', (member) => roles.roll(member));
      case 'primary steps down':
        return [null, world.replicas.stepDown()];
      case 'store silent':
        return [null, silenceProcess(world.store, between(storeSilentMs))];
      case 'provider silent':
        return [null, silenceProcess(world.silenced, between(providerSilentMs))];
    }
  };

  const play = (kind: TroubleKind): boolean => {
    const begun = busy.has(kind) ? null : begin(kind);
    if (!begun) return false;
    const [member, ended] = begun;
    const trouble: Trouble = { kind, member, from: Date.now(), to: Infinity };
    troubles.push(trouble);
    busy.add(kind);
    note(`${kind}${member ? ` (process ${member.pid})` : ''}`);
    const over = ended.finally(() => {
      trouble.to = Date.now();
      busy.delete(kind);
    });
    under.add(over);
    over.then(
      () => under.delete(over),
      // Thrown when the storm is over, to stop everything that it started.
      (error: unknown) => note(`FAILED: ${kind}: ${String(error)}`),
    );
    return true;
  };

  while (Date.now() < end) {
    if (deck.length === 0) deck = shuffle(troubleKinds, chance);
    // A fault whose processes are all busy is postponed.
    const played = deck.find(play);
    deck = deck.filter((kind) => kind !== played);
    await pause(Math.min(between(pauseMs), Math.max(0, end - Date.now())));
  }
  await Promise.all(under);
  return troubles;
}

function shuffle<T>(all: readonly T[], chance: Chance): T[] {
  const left = [...all];
  return all.map(() => left.splice(chance.below(left.length), 1)[0] as T);
}
