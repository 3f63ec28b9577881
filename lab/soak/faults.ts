import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { TestReplicaSet } from '../../test/faults/startReplicaSet.ts';
import type { Disks } from './disk.ts';

/** The parts that the faults of a soak affect. */
export interface Parts {
  replicas: TestReplicaSet;
  disks: Disks;
  provider: ChildProcess;
  /** Processes besides the watched ones, which are killed, frozen and replaced. */
  second: Record<'api' | 'worker', ChildProcess>;
  /** Starts one in the place of another. */
  start(role: 'api' | 'worker'): Promise<void>;
  /** How long the database is unavailable once, in ms. */
  awayMs: number;
}

const momentMs = 10_000;

async function withPrimary(
  { replicas }: Parts,
  act: (member: number) => Promise<unknown>,
): Promise<string> {
  const member = await replicas.primary();
  await act(member);
  const next = await replicas.primary().catch(() => 'none');
  return `member ${member}; then the primary is ${next}`;
}

async function replace(parts: Parts, role: 'api' | 'worker', signal: 'SIGKILL' | 'SIGTERM') {
  const before = parts.second[role];
  const ended = once(before, 'exit');
  if (signal === 'SIGKILL') before.kill(signal);
  else await parts.start(role);
  before.kill(signal);
  await ended;
  if (signal === 'SIGKILL') await parts.start(role);
  return `ended with ${before.exitCode ?? before.signalCode ?? ''}`;
}

async function freeze(child: ChildProcess) {
  child.kill('SIGSTOP');
  await pause(momentMs);
  child.kill('SIGCONT');
  return `${momentMs / 1_000} s`;
}

/** The faults by their names in the report. @returns A description of its effect. */
export const faults: Readonly<Record<string, (parts: Parts) => Promise<string>>> = {
  'primary killed by name': (parts) =>
    withPrimary(parts, async (member) => {
      await parts.replicas.kill(member);
      await pause(momentMs);
      await parts.replicas.restart(member);
    }),
  'primary steps down': async ({ replicas }) => {
    await replicas.stepDown();
    return '';
  },
  'primary frozen': (parts) =>
    withPrimary(parts, async (member) => {
      parts.replicas.freeze(member);
      await pause(momentMs);
      parts.replicas.thaw(member);
    }),
  'slow disk of the primary': (parts) =>
    withPrimary(parts, async (member) => {
      await parts.disks.set(member, 'SLOW_FILE', true);
      await pause(momentMs);
      await parts.disks.set(member, 'SLOW_FILE', false);
    }),
  'full disk of the primary': (parts) =>
    withPrimary(parts, async (member) => {
      await parts.disks.set(member, 'FULL_FILE', true);
      await pause(momentMs);
      await parts.disks.set(member, 'FULL_FILE', false);
      await parts.replicas.kill(member);
      await parts.replicas.restart(member);
    }),
  'api killed': (parts) => replace(parts, 'api', 'SIGKILL'),
  'worker killed': (parts) => replace(parts, 'worker', 'SIGKILL'),
  'worker frozen': ({ second }) => freeze(second.worker),
  'provider frozen': ({ provider }) => freeze(provider),
  'api rolled': (parts) => replace(parts, 'api', 'SIGTERM'),
  'worker rolled': (parts) => replace(parts, 'worker', 'SIGTERM'),
  'no database': async ({ replicas, awayMs }) => {
    const members = Array.from({ length: replicas.members }, (_, member) => member);
    for (const member of members) replicas.freeze(member);
    await pause(awayMs);
    for (const member of members) replicas.thaw(member);
    return `${awayMs / 1_000} s`;
  },
};
