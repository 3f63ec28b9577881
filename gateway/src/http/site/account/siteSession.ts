import type { Clock } from '../../../application/ports/system.ts';
import type { SessionStore } from '../../../application/site/ports.ts';
import { callerAddress } from '../../context.ts';
import { newSessionValue, pageCookie, sessionIdOf, type Next } from '../../pages/context.ts';
import { formOf, type Form } from '../../pages/form.ts';
import type { SiteContext } from './site.ts';

/** A session unused for this long is over, in ms: a week. */
export const idleMs = 7 * 24 * 3600 * 1000;
/** A session is over after this long however much it is used, in ms: 30 days. */
const absoluteMs = 30 * 24 * 3600 * 1000;
/** How long after the password was typed it is not asked for again, in ms: 15 minutes. */
const freshMs = 15 * 60 * 1000;
const maxUserAgentLength = 200;

const cookie = pageCookie('fg_session', { maxAgeMs: absoluteMs, signed: true });

/** Loads the session of a request, and stores what the request has changed in its data. */
export function loadSession(store: SessionStore) {
  return async (ctx: SiteContext, next: Next): Promise<void> => {
    const value = cookie.read(ctx);
    const found = value === undefined ? null : await store.visit(sessionIdOf(value), idleMs);
    ctx.state.session = found && { ...found, isChanged: false };
    try {
      await next();
    } finally {
      const { session } = ctx.state;
      if (session?.isChanged) await store.keep(session.id, session.data);
    }
  };
}

/**
 * Signs an account in under a new session; one that the browser brought along ends.
 * @param data What the session keeps for the next page.
 */
export async function startSession(
  ctx: SiteContext,
  { sessions, clock }: { sessions: SessionStore; clock: Clock },
  accountId: string,
  data: Kept = {},
): Promise<void> {
  if (ctx.state.session) await sessions.remove(ctx.state.session.id);
  const value = newSessionValue();
  const now = clock.now();
  const session = {
    id: sessionIdOf(value),
    accountId,
    createdAt: now,
    seenAt: now,
    expiresAt: now + absoluteMs,
    userAgent: ctx.get('user-agent').slice(0, maxUserAgentLength),
    address: callerAddress(ctx),
    data: { ...data, confirmedAtMs: now },
  };
  await sessions.insert(session);
  ctx.state.session = { ...session, isChanged: false };
  cookie.write(ctx, value);
}

/** Ends the session, in the database and in the browser. */
export async function endSession(ctx: SiteContext, sessions: SessionStore): Promise<void> {
  if (ctx.state.session) await sessions.remove(ctx.state.session.id);
  ctx.state.session = null;
  cookie.clear(ctx);
}

/** Notes that the password was typed just now. @param now In ms since the epoch. */
export function confirmSession(ctx: SiteContext, now: number): void {
  change(ctx, { confirmedAtMs: now });
}

/** Whether the password was typed in this session a short while ago. */
export function isFresh(ctx: SiteContext, now: number): boolean {
  const at = ctx.state.session?.data['confirmedAtMs'];
  return typeof at === 'number' && now - at < freshMs;
}

/** What a session may keep for its next page: a sentence, and a form that a sign-in interrupted. */
interface Kept {
  notice?: string;
  draft?: string;
}

/** Keeps a sentence for the next page of this session. */
export function keepNotice(ctx: SiteContext, notice: string): void {
  change(ctx, { notice });
}

/** Takes the sentence that an earlier page kept; null when there is none. */
export function takeNotice(ctx: SiteContext): string | null {
  return take(ctx, 'notice');
}

/** The draft of a form as `startSession` takes it. @param fields The form's fields as JSON. */
export function draftFor(path: string, fields: string): string {
  return JSON.stringify([path, fields]);
}

/** Takes what was typed into this page's form before a sign-in came between; null when nothing was. */
export function takeDraft(ctx: SiteContext, path: string): Form | null {
  const kept = take(ctx, 'draft');
  if (kept === null) return null;
  try {
    const [forPath, text] = JSON.parse(kept) as [unknown, unknown];
    if (forPath !== path || typeof text !== 'string') return null;
    const fields: unknown = JSON.parse(text);
    return Array.isArray(fields) ? formOf(fields.filter(isField)) : null;
  } catch {
    return null;
  }
}

function isField(value: unknown): value is [string, string] {
  return Array.isArray(value) && value.length === 2 && value.every((x) => typeof x === 'string');
}

function change({ state: { session } }: SiteContext, data: Record<string, unknown>): void {
  if (!session) return;
  session.data = { ...session.data, ...data };
  session.isChanged = true;
}

function take({ state: { session } }: SiteContext, name: keyof Kept): string | null {
  if (!session) return null;
  const { [name]: kept, ...rest } = session.data;
  if (typeof kept !== 'string') return null;
  session.data = rest;
  session.isChanged = true;
  return kept;
}
