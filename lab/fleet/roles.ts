import type { FaultWorld } from '../../test/faults/faultWorld.ts';
import type { GatewayProcess } from '../../test/faults/startGatewayProcess.ts';

/** Role of a process. */
export type Role = 'api' | 'worker';

/** A process of the fleet. Times in ms since the epoch. */
export interface Member extends GatewayProcess {
  role: Role;
  /** Whether it accepts new requests or work: false from the moment it is killed, stopped or terminated. */
  isUp: boolean;
  /** Periods in which it could not be expected to answer; open-ended while they last. */
  troubles: { kind: 'killed' | 'stopped' | 'rolled'; from: number; to: number }[];
}

/** The api and worker processes of a run, and their replacements. */
export interface Roles {
  members(): readonly Member[];
  /** Origins to which a load balancer with checks each second would send requests. */
  origins(): string[];
  /** A random running process, if another one of its role is also running. */
  pick(role: Role, below: (limit: number) => number): Member | null;
  kill(member: Member): Promise<void>;
  /** SIGSTOP, and SIGCONT after this time. */
  pause(member: Member, forMs: number): Promise<void>;
  /** Starts another one, then sends SIGTERM: it drains in the background. */
  roll(member: Member): Promise<void>;
  /** Waits for draining processes. @returns Those that did not exit by themselves, with the cause. */
  waitUntilDrained(): Promise<string[]>;
}

/** How long a load balancer keeps sending requests to a process that does not respond, in ms. */
const noticedAfterMs = 1_000;
/** How long an orchestrator takes to start another process, in ms. */
const replacedAfterMs = 2_000;

/** Starts processes of each role. */
export async function startRoles(world: FaultWorld, sizes: Record<Role, number>): Promise<Roles> {
  const members: Member[] = [];
  const draining: Promise<string | null>[] = [];
  const add = async (role: Role): Promise<void> => {
    members.push({ ...(await world.start({ ROLE: role })), role, isUp: true, troubles: [] });
  };
  for (const role of ['api', 'worker'] as const) {
    for (let count = 0; count < sizes[role]; count += 1) await add(role);
  }
  const markDown = (member: Member) => {
    setTimeout(() => (member.isUp = false), noticedAfterMs);
  };
  return {
    members: () => members,
    origins: () =>
      members.filter(({ role, isUp }) => role === 'api' && isUp).map(({ origin }) => origin),
    pick(role, below) {
      const up = members.filter(
        (each) =>
          each.role === role && each.isUp && each.troubles.every(({ to }) => to < Date.now()),
      );
      return up.length > 1 ? (up[below(up.length)] ?? null) : null;
    },
    async kill(member) {
      member.troubles.push({ kind: 'killed', from: Date.now(), to: Infinity });
      member.signal('SIGKILL');
      markDown(member);
      await new Promise((resolve) => setTimeout(resolve, replacedAfterMs));
      await add(member.role);
    },
    async pause(member, forMs) {
      const trouble = { kind: 'stopped' as const, from: Date.now(), to: Infinity };
      member.troubles.push(trouble);
      member.signal('SIGSTOP');
      markDown(member);
      await new Promise((resolve) => setTimeout(resolve, Math.max(forMs, 2 * noticedAfterMs)));
      member.signal('SIGCONT');
      trouble.to = Date.now();
      member.isUp = true;
    },
    async roll(member) {
      member.troubles.push({ kind: 'rolled', from: Date.now(), to: Infinity });
      await add(member.role);
      member.isUp = false;
      void member.stop();
      draining.push(
        member.ended.then((how) =>
          how === '0' ? null : `a ${member.role} told to stop ended with ${how}: ${member.log()}`,
        ),
      );
    },
    async waitUntilDrained() {
      return (await Promise.all(draining)).filter((each) => each !== null);
    },
  };
}
