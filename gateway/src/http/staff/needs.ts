import type { Router } from '@koa/router';
import { runAction } from '../../application/staff/runAction.ts';
import { Refusal } from '../../domain/refusal.ts';
import { mayDo, type StaffAction } from '../../domain/staff/staffRights.ts';
import type { Next } from '../pages/context.ts';
import { actorOf, type StaffContext, type StaffState } from './context.ts';

/** The action that each route's middleware requires. */
const gates = new WeakMap<object, StaffAction>();

/**
 * Names the action that a route requires, for `staffRights`. A role without it gets a page with 403; if it sent a form,
 * the audit log has the attempt. Without a sign-in it lets every request pass, because `requireStaff` runs before it.
 */
export function needs(action: StaffAction) {
  const requireRight = async (ctx: StaffContext, next: Next): Promise<void> => {
    const { staff } = ctx.state;
    if (staff !== null && !mayDo(staff.staffRole, action)) await refuse(ctx, action);
    await next();
  };
  gates.set(requireRight, action);
  return requireRight;
}

async function refuse(ctx: StaffContext, action: StaffAction): Promise<never> {
  const refusal = new Refusal('role_lacks_right');
  if (ctx.method === 'GET') throw refusal;
  const { id } = ctx.params;
  const plan = { action, targets: id === undefined ? [] : [id], reason: '', formId: null };
  await runAction(ctx.state.log, actorOf(ctx), plan, () => Promise.reject(refusal)).catch(
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    },
  );
  throw refusal;
}

/** The action that a route names among its steps; undefined without one. */
export function actionOf(steps: readonly object[]): StaffAction | undefined {
  return steps.map((each) => gates.get(each)).find((action) => action !== undefined);
}

/** @throws Error for a route that names no action: the gateway does not start with it. */
export function requireActions(router: Router<StaffState>): void {
  for (const { path, methods, stack } of router.stack) {
    if (methods.length === 0 || actionOf(stack)) continue;
    throw new Error(`the route ${methods.join()} ${path} does not name the action it needs`);
  }
}
