import { createHash, randomBytes } from 'node:crypto';
import { createSession } from 'koa-session';
import type { Clock } from '../../../application/ports/clock.ts';
import type { SessionStore } from '../../../application/site/ports.ts';
import type { HttpApp, HttpMiddleware } from '../../context.ts';
import { callerAddress } from '../../callerAddress.ts';
import type { SiteContext } from './siteContext.ts';

/** A session unused for this long is over, in ms: a week. */
export const idleMs = 7 * 24 * 3600 * 1000;
/** A session is over after this long however much it is used, in ms: 30 days. */
const absoluteMs = 30 * 24 * 3600 * 1000;
/** For so long after the password was typed nothing asks for it again, in ms: a quarter of an hour. */
const freshMs = 15 * 60 * 1000;
const userAgentLengthMax = 200;
/** Where a session keeps when the password was typed last, in ms since the epoch. */
const confirmedAt = 'confirmedAtMs';

/** What koa-session puts into the context. */
interface KoaSession {
  [name: string]: unknown;
  externalKey: string | undefined;
  regenerate(): Promise<void>;
}

const held = (ctx: unknown) => (ctx as { session: KoaSession | null }).session;

/** The id under which a cookie's session is stored. */
const idOf = (cookie: string) => createHash('sha256').update(cookie).digest('hex');

/** Fields of koa-session's own beside our data. */
const isOurs = (name: string) => !name.startsWith('_') && name !== 'accountId';

/**
 * Sessions by koa-session, kept in the database, with a cookie that holds a random name and nothing
 * else. Only signing in makes one.
 * @param options.secure Whether the site is behind https.
 */
export function siteSessions(
  app: HttpApp,
  options: { store: SessionStore; clock: Clock; secure: boolean },
): HttpMiddleware {
  const { store, clock, secure } = options;
  return createSession(
    {
      key: secure ? '__Host-fg_session' : 'fg_session',
      maxAge: absoluteMs,
      httpOnly: true,
      signed: true,
      sameSite: 'lax',
      secure,
      genid: () => randomBytes(32).toString('base64url'),
      store: {
        async get(cookie) {
          const session = await store.visit(idOf(cookie), idleMs);
          return session && { ...session.data, accountId: session.accountId };
        },
        async set(cookie, session: Record<string, unknown>, _maxAge, { ctx }) {
          const { state } = ctx as SiteContext;
          const data = Object.fromEntries(Object.entries(session).filter(([name]) => isOurs(name)));
          const id = idOf(cookie);
          if (state.sessionId === id) return store.keep(id, data);
          // Only a sign-in puts an account into a session that is not stored yet.
          const now = clock.now();
          state.sessionId = id;
          await store.insert({
            id,
            accountId: String(session['accountId']),
            createdAt: now,
            seenAt: now,
            expiresAt: now + absoluteMs,
            userAgent: (ctx as SiteContext).get('user-agent').slice(0, userAgentLengthMax),
            address: callerAddress(ctx as SiteContext),
            data,
          });
        },
        destroy: (cookie) => store.remove(idOf(cookie)),
      },
    },
    app,
  );
}

/** The account of the session, and the session's id; null when nobody is signed in. */
export function signedIn(ctx: SiteContext): { accountId: string; sessionId: string } | null {
  const session = held(ctx);
  const accountId = session?.['accountId'];
  const cookie = session?.externalKey;
  if (typeof accountId !== 'string' || cookie === undefined) return null;
  return { accountId, sessionId: idOf(cookie) };
}

/** Signs an account in under a new session id, whatever the browser brought along. */
export async function startSession(
  ctx: SiteContext,
  { accountId, now }: { accountId: string; now: number },
  data: Record<string, string> = {},
): Promise<void> {
  ctx.state.sessionId = null;
  const holder = ctx as unknown as { session: unknown };
  holder.session = { accountId, ...data, [confirmedAt]: now };
  await held(ctx)?.regenerate();
}

/** Notes that the password was typed just now. */
export function confirmSession(ctx: SiteContext, now: number): void {
  const session = held(ctx);
  if (session) session[confirmedAt] = now;
}

/** Whether the password was typed in this session a short while ago. */
export function isFresh(ctx: SiteContext, now: number): boolean {
  const at = held(ctx)?.[confirmedAt];
  return typeof at === 'number' && now - at < freshMs;
}

/** Ends the session. */
export function endSession(ctx: SiteContext): void {
  (ctx as unknown as { session: unknown }).session = null;
}

/** Keeps a word for the next page of this session. */
export function keepForNextPage(ctx: SiteContext, name: 'notice' | 'draft', value: string): void {
  const session = held(ctx);
  if (session && ctx.state.account) session[name] = value;
}

/** Takes what an earlier page kept. */
export function takeKept(ctx: SiteContext, name: 'notice' | 'draft'): string | null {
  const session = held(ctx);
  const kept = session?.[name];
  if (!session || typeof kept !== 'string') return null;
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- koa-session stores what is left
  delete session[name];
  return kept;
}
