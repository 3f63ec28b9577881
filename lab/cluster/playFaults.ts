import { setTimeout as pause } from 'node:timers/promises';
import { seconds, since } from '../figures.ts';
import type { Role, Roles } from '../fleet/roles.ts';
import type { Backup } from './backup.ts';
import type { ClusterWorld } from './clusterWorld.ts';

/** A part of a run. Times in ms since the epoch. */
export interface Phase {
  what: string;
  from: number;
  to: number;
  /** Effect of the fault, in words. */
  did: string;
}

/** How long things last, in ms. */
export interface Pace {
  quietMs: number;
  /** Pause after each fault, before the next one. */
  afterMs: number;
  memberLostMs: number;
  storeDownMs: number;
  skewedMs: number;
}

/** A deviation beyond the tolerance for workers that take work, in both directions, in ms. */
const skewMs = 45_000;

/** Rolls every process and plays each fault once, one after the other, and makes a backup in between. */
export async function playFaults(options: {
  world: ClusterWorld;
  roles: Roles;
  pace: Pace;
  record: (line: string) => void;
  /** Whether only the backup is made, for the drill alone. */
  drillOnly: boolean;
  takeBackup: () => Promise<Backup>;
}): Promise<{ phases: Phase[]; backup: Backup }> {
  const { world, roles, pace, record: note } = options;
  const { replicas, s3 } = world;
  const phases: Phase[] = [];
  const play = async (what: string, act: () => Promise<string>) => {
    const phase: Phase = { what, from: Date.now(), to: Infinity, did: '' };
    phases.push(phase);
    phase.did = await act();
    await pause(pace.afterMs);
    phase.to = Date.now();
    note(`${what}: ${phase.did}`);
  };
  const upMembers = (role: Role) =>
    roles.members().filter((each) => each.role === role && each.isUp && each.isAlive());
  const rollAll = async (role: Role) => {
    const took: string[] = [];
    for (const member of upMembers(role)) {
      await roles.roll(member);
      const startedMs = performance.now();
      await member.ended;
      took.push(since(startedMs));
    }
    return `ended after ${took.join(', ')}`;
  };

  /** Rolls the processes and loses members of the database. */
  async function playMembers(): Promise<void> {
    await play('every api rolled', () => rollAll('api'));
    await play('every worker rolled', () => rollAll('worker'));
    await play('primary killed', async () => {
      const member = await replicas.primary();
      const from = performance.now();
      await replicas.kill(member);
      while ((await replicas.primary().catch(() => member)) === member) await pause(50);
      const elected = since(from);
      await replicas.restart(member);
      return `another was elected after ${elected}`;
    });
    await play('a member lost', async () => {
      const member = ((await replicas.primary()) + 1) % replicas.members;
      await replicas.kill(member);
      await pause(pace.memberLostMs);
      await replicas.restart(member);
      return `${pace.memberLostMs / 1_000} s with two members`;
    });
  }

  /** Fails the parts other than the database. */
  async function playParts(): Promise<void> {
    await play('S3 server restarted', async () => {
      await s3.kill();
      await pause(pace.storeDownMs);
      await s3.start();
      return `${pace.storeDownMs / 1_000} s without files`;
    });
    await play('worker killed (-9)', async () => {
      const [member] = upMembers('worker');
      if (!member) throw new Error('no worker is up');
      await roles.kill(member);
      return 'another was started';
    });
    await play("a worker's clock off", async () => {
      const member = upMembers('worker').at(-1);
      for (const skew of [skewMs, -skewMs, 0]) {
        member?.command({ skewMs: skew });
        if (skew !== 0) await pause(pace.skewedMs);
      }
      return `${skewMs / 1_000} s fast, then slow, ${pace.skewedMs / 1_000} s each`;
    });
  }

  await play('nothing', async () => {
    await pause(pace.quietMs);
    return '';
  });
  if (!options.drillOnly) await playMembers();
  let backup: Backup | undefined;
  await play('backup', async () => {
    backup = await options.takeBackup();
    return `took ${seconds(backup.to - backup.from)}`;
  });
  if (!options.drillOnly) await playParts();
  if (!backup) throw new Error('no backup was made');
  return { phases, backup };
}
