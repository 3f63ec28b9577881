import type { Origin } from '../../../application/site/countAttempt.ts';
import type { SiteDeps } from '../../../application/site/siteDeps.ts';
import { addMark } from '../../../domain/knownBrowser.ts';
import { callerAddress } from '../../callerAddress.ts';
import type { HttpContext } from '../../context.ts';

/** How long a browser is known to an account after a sign-in, in ms: 180 days. */
const keptMs = 180 * 24 * 3600 * 1000;

const cookieOf = (ctx: HttpContext) => (ctx.cookies.secure ? '__Host-fg_browser' : 'fg_browser');

/** Where a request comes from, with what earlier sign-ins left in the browser. */
export function originOf(ctx: HttpContext): Origin {
  const marks = ctx.cookies.get(cookieOf(ctx), { signed: false }) ?? '';
  return { address: callerAddress(ctx), requestId: ctx.state.requestId, marks };
}

/** Leaves a mark of a sign-in in the browser; it opens nothing. */
export function rememberBrowser(
  ctx: HttpContext,
  { random, secrets }: Pick<SiteDeps, 'random' | 'secrets'>,
  { email }: { email: string },
): void {
  const name = Buffer.from(random.bytes(16)).toString('base64url');
  ctx.cookies.set(cookieOf(ctx), addMark(originOf(ctx).marks, email, name, secrets), {
    ...{ httpOnly: true, sameSite: 'lax', secure: ctx.cookies.secure, signed: false },
    maxAge: keptMs,
  });
}
