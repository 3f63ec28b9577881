import {
  endStaffSession,
  findStaff,
  startStaffSession,
} from '../../application/staff/signInStaff.ts';
import type { Next, StaffConsole, StaffContext } from './staffContext.ts';

/**
 * The console's own cookie: a random value for this browser's session, gone with the browser. It is not
 * the account site's, so that a signed-in customer's session opens nothing here.
 */
function cookieOf({ deps }: StaffConsole): { name: string; secure: boolean } {
  const secure = deps.site.accountUrl.startsWith('https:');
  return { name: secure ? '__Host-fg_staff' : 'fg_staff', secure };
}

/** Finds out who is signed in. @param isUse False where a page asks by itself: that keeps nobody in. */
export function recogniseStaff(console: StaffConsole, isUse: (ctx: StaffContext) => boolean) {
  const { name } = cookieOf(console);
  return async (ctx: StaffContext, next: Next): Promise<void> => {
    const cookie = ctx.cookies.get(name, { signed: false });
    const found = cookie === undefined ? null : await findStaff(console.deps, cookie, isUse(ctx));
    ctx.state.staff = found?.account ?? null;
    await next();
  };
}

/** Signs somebody in under a new value, whatever the browser brought along. */
export async function enter(console: StaffConsole, ctx: StaffContext, accountId: string) {
  const { name, secure } = cookieOf(console);
  const value = await startStaffSession(console.deps, accountId);
  ctx.cookies.set(name, value, { httpOnly: true, sameSite: 'lax', secure, signed: false });
}

/** Ends the session, here and in the database. */
export async function leave(console: StaffConsole, ctx: StaffContext): Promise<void> {
  const { name, secure } = cookieOf(console);
  const cookie = ctx.cookies.get(name, { signed: false });
  if (cookie !== undefined) await endStaffSession(console.deps, cookie);
  ctx.cookies.set(name, null, { httpOnly: true, sameSite: 'lax', secure, signed: false });
}
