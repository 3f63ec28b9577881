import { AdminProblem } from '../admin/adminProblem.ts';
import type { Actor } from './runAction.ts';
import type { StaffDeps } from './staffDeps.ts';

/** Credits that support may move at once; an admin grants what is needed. */
export const goodwillMax = 1_000;

const dayMs = 24 * 3600 * 1000;

/**
 * Takes credits from what a member of support may move in a day (UTC), by goodwill and by adjustments
 * together; admins have no such limit.
 * @param credits Below zero counts as above.
 * @returns gives them back: nothing was moved after all.
 * @throws AdminProblem when they are too many.
 */
export async function takeAllowance(
  { work: { clock }, attempts, supportCreditsPerDay }: StaffDeps,
  { role, email }: Pick<Actor, 'role' | 'email'>,
  credits: number,
): Promise<() => Promise<void>> {
  const amount = Math.abs(credits);
  if (role !== 'support' || amount === 0) return () => Promise.resolve();
  if (amount > goodwillMax) {
    throw new AdminProblem(`Support move ${goodwillMax} credits at most; ask an admin for more.`);
  }
  const name = `goodwill:${email}:${Math.floor(clock.now() / dayMs)}`;
  const { count } = await attempts.count(name, dayMs, amount);
  const giveBack = async () => {
    await attempts.count(name, dayMs, -amount);
  };
  if (count <= supportCreditsPerDay) return giveBack;
  await giveBack();
  throw new AdminProblem(
    `You have ${supportCreditsPerDay} credits to give in a day (UTC), and ${supportCreditsPerDay - count + amount} are left; ask an admin for more.`,
  );
}
