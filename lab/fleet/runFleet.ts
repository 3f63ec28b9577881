import { setTimeout as pause } from 'node:timers/promises';
import { minuteMs } from '@framegate/contract';
import { createChance } from '../../test/faults/chance.ts';
import { untilAllEnded } from '../../test/faults/checkWorld.ts';
import type { FaultAccount } from '../../test/faults/faultWorld.ts';
import { formatCounts, withSeconds } from '../figures.ts';
import { boundsTable } from './bounds.ts';
import { startCustomers } from './customers.ts';
import { openFleetWorld } from './fleetWorld.ts';
import { judge } from './judge.ts';
import { type Role, startRoles } from './roles.ts';
import { playStorm } from './storm.ts';
import { watchGenerations } from './watch.ts';

const warmUpMs = 10_000;
/** Part of the storm's duration that is measured before it, in the quiet phase. */
const quietPart = 0.25;
const maxQuietMs = minuteMs;
/** Maximum time for everything to end after the storm: a lost call's lease and a long image. */
const drainedWithinMs = 5 * minuteMs;
const plenty = 1_000_000_000;

/** Runs a storm on a fleet under load. */
export async function runFleet(options: {
  sizes: Record<Role, number>;
  minutes: number;
  /** Ordinary accounts; each has a child process of its own for its files. */
  accountCount: number;
  seed: number;
  perSecond: { ordinary: number; hot: number };
  record: (line: string) => void;
}): Promise<{ wrong: string[]; table: string }> {
  const { sizes, accountCount, seed, perSecond } = options;
  const note = withSeconds(options.record);
  note(`seed ${seed}`);
  const forMs = options.minutes * minuteMs;
  const world = await openFleetWorld();
  const watch = watchGenerations(world.mongo);
  try {
    const roles = await startRoles(world, sizes);
    const accounts: FaultAccount[] = [];
    for (let count = 0; count < accountCount; count += 1) {
      accounts.push(await world.addAccount(plenty));
    }
    const hot = await world.addAccount(plenty);
    const customers = startCustomers({
      origins: () => roles.origins(),
      chance: createChance(seed),
      parts: [
        { perSecond: perSecond.ordinary, accounts },
        { perSecond: perSecond.hot, accounts: [hot] },
      ],
    });
    note('quiet');
    await pause(warmUpMs + Math.min(maxQuietMs, quietPart * forMs));
    const stormAt = Date.now();
    const troubles = await playStorm({
      world,
      roles,
      chance: createChance(seed + 1),
      forMs,
      record: note,
      killProcess: ({ pid }) => watch.follow(pid),
    });
    await customers.stop();
    note(`the storm is over: ${customers.histories.length} creates were accepted`);
    const late = await untilAllEnded(world, drainedWithinMs).then(
      () => [],
      (error: unknown) => [String(error)],
    );
    const drained = await roles.waitUntilDrained();
    note('everything has ended');
    const { histories, attempts } = customers;
    const [origin = ''] = roles.origins();
    const { wrong, counts } = await judge(world, origin, histories, roles.members());
    note(JSON.stringify(counts));
    note(`responses to creates: ${formatCounts(statusesOf(attempts))}`);
    const table = boundsTable({
      world,
      histories,
      attempts,
      troubles,
      watch,
      stormAt,
      hotAccountId: hot.accountId,
      members: roles.members(),
    });
    return { wrong: [...late, ...drained, ...wrong], table };
  } finally {
    await watch.close();
    await world.close();
  }
}

/** Number of attempts by response. */
function statusesOf(attempts: readonly { status: number | null }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status } of attempts) {
    const response = status ?? 'none';
    counts[response] = (counts[response] ?? 0) + 1;
  }
  return counts;
}
