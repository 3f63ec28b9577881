import { goTo } from './layout.ts';
import { showSignIn } from './signInPages.ts';
import type { Next, StaffContext } from './staffContext.ts';

/** Only for staff; others sign in first and come back. */
export async function requireStaff(ctx: StaffContext, next: Next): Promise<void> {
  if (ctx.state.staff !== null) {
    await next();
    return;
  }
  if (ctx.method === 'GET') {
    goTo(ctx, `/staff/sign-in?next=${encodeURIComponent(ctx.path)}`);
    return;
  }
  const problem = 'You were signed out in the meantime: nothing was done. Sign in again.';
  showSignIn(ctx, { problem, status: 401 });
}
