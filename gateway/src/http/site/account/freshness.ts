import { requireCurrentPassword } from '../../../application/site/changePassword.ts';
import { originOf } from '../../pages/context.ts';
import { personOf } from './acting.ts';
import { confirmSession, isFresh, type Site, type SiteContext } from './site.ts';

/** Requires a recent password entry, because a key or a membership outlives its session. @throws PlainRefusal */
export async function requireFresh({ deps }: Site, ctx: SiteContext): Promise<void> {
  const now = deps.clock.now();
  if (isFresh(ctx, now)) return;
  const password = ctx.state.form.get('current_password');
  await requireCurrentPassword(deps, personOf(ctx), password, originOf(ctx));
  confirmSession(ctx, now);
}
