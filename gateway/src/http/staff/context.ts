import type { RouterContext } from '@koa/router';
import type { App } from '../../application/app.ts';
import type { StaffSession } from '../../application/ports/staff.ts';
import type { StaffActor } from '../../application/staff/runAction.ts';
import type { StaffAccount } from '../../application/staff/signInStaff.ts';
import { callerAddress } from '../context.ts';
import type { PageState } from '../pages/context.ts';

/** Request state of the console. */
export interface StaffState extends PageState {
  /** The signed-in staff member, or null. */
  staff: StaffAccount | null;
  /** The session of the request's cookie, or null. */
  session: StaffSession | null;
  /** Requires a proof of the signed-in person with this request, once for all its actions. @throws Refusal */
  prove: () => Promise<void>;
  /** Whether customers sign up by invitation. */
  sendsInvitations: boolean;
  /** Notes refused attempts. */
  log: Pick<App, 'audit' | 'clock' | 'random'>;
}

/** One request of the console and its response. */
export type StaffContext = RouterContext<StaffState>;

/** The signed-in staff member. @throws Error on a route without `requireStaff`. */
export function staffOf(ctx: StaffContext): StaffAccount {
  if (ctx.state.staff === null) throw new Error('the route does not require staff');
  return ctx.state.staff;
}

/** The acting staff member, for the audit log. */
export function actorOf(ctx: StaffContext): StaffActor {
  const { id: accountId, email, staffRole: role } = staffOf(ctx);
  const { requestId, prove } = ctx.state;
  return { accountId, email, role, requestId, address: callerAddress(ctx), prove };
}
