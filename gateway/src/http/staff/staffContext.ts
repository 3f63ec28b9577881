import type { RouterContext } from '@koa/router';
import type { Actor } from '../../application/staff/runAction.ts';
import type { StaffAccount } from '../../application/staff/signInStaff.ts';
import type { JobQueries } from '../../application/staff/ports.ts';
import type { StaffDeps } from '../../application/staff/staffDeps.ts';
import type { LaneState } from '../../application/upkeep/lanes.ts';
import type { Log } from '../../application/ports/system.ts';
import { callerAddress } from '../context.ts';
import type { PageState } from '../pages/context.ts';

/** What the console is made of. */
export interface StaffConsole {
  deps: StaffDeps;
  jobs: JobsPage;
  /** Agenda's jobs, for our own page of them. */
  jobQueries: JobQueries;
  /** When each lane of upkeep finished its last round. */
  findLanes: () => Promise<LaneState[]>;
  log: Log;
}

/** Agendash's page and what it reads (adapters/agendash). */
export interface JobsPage {
  file(path: string): { type: string; body: string | Buffer } | null;
  jobs(query: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** What the console knows of a request. */
export interface StaffState extends PageState {
  /** Who is signed in to the console; null without a sign-in. */
  staff: StaffAccount | null;
  /** Whether customers sign up by invitation. */
  invites: boolean;
}

/** One request to the console. */
export type StaffContext = RouterContext<StaffState>;

/** The account that is signed in; the route requires it. */
export function staffOf(ctx: StaffContext): StaffAccount {
  if (ctx.state.staff === null) throw new Error('the route does not require staff');
  return ctx.state.staff;
}

/** Who acts, for the audit log. */
export function actorOf(ctx: StaffContext): Actor {
  const { id: accountId, email, staffRole: role } = staffOf(ctx);
  return { accountId, email, role, requestId: ctx.state.requestId, address: callerAddress(ctx) };
}
