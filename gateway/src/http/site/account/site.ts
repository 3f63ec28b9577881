import type { RouterContext } from '@koa/router';
import { dayMs, type Model } from '@framegate/contract';
import type { EmailChange } from '../../../application/accounts/changeEmail.ts';
import type { App } from '../../../application/app.ts';
import type { Session, SessionStore } from '../../../application/ports/site.ts';
import type { Clock } from '../../../application/ports/system.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { sessionIdleMs } from '../../../domain/signIn/session.ts';
import type { AtWork } from '../../atWork.ts';
import { callerAddress } from '../../context.ts';
import type { FileDeps } from '../../media/serveFile.ts';
import type { CachePart } from '../../pages/cachedParts.ts';
import {
  clearSiteData,
  newSessionValue,
  type Next,
  pageCookie,
  type PageState,
  sessionIdOf,
} from '../../pages/context.ts';
import { type Form, formOf } from '../../pages/form.ts';
import type { FormErrors } from '../../pages/formErrors.ts';
import type { Html } from '../../pages/html.ts';
import type { ApiDocument } from '../docs/apiDocument.ts';
import type { DocsFacts } from '../docs/facts.ts';
import type { ActingState } from './actingState.ts';

/** Dependencies of the account site. */
export interface AccountSite {
  deps: App;
  /** Models with a provider, in display order, at the account's prices. */
  modelsOf: (account: Pick<Account, 'group'>) => readonly Model[];
  /** The name of a model, current or former; its id if unknown. */
  modelName: (modelId: string) => string;
  samples: readonly SampleInput[];
  /** The OpenAPI document, for sample calls in the studio. */
  openApi: () => ApiDocument;
  /** Facts about this gateway; the same object until one changes. */
  facts: () => DocsFacts;
  files: FileDeps;
}

/** A bundled sample picture that a request can use. */
export interface SampleInput {
  name: string;
  /** URL on the sample host for use in a request. */
  url: string;
  /** Thumbnail in WebP format. */
  poster: Buffer;
}

/** Dependencies of the site's pages. */
export type Site = AccountSite & {
  showPage: (ctx: SiteContext, page: SitePage) => void;
  /** Keeps the parts that show generations which have ended. */
  cachePart: CachePart;
};

/** Whether frames can be extracted from finished videos. */
export const takesFrames = ({ deps }: Site): boolean => deps.posters.types.includes('video');

/** One page of the site. */
export interface SitePage {
  title: string;
  content: Html;
  status?: number | undefined;
  /** Reload interval without JavaScript, in seconds. */
  refreshSeconds?: number | undefined;
  /** Script of the page; the studio and the wall have their own, each with a style sheet. */
  script?: 'site' | 'studio' | 'wall';
}

/** Request state of the account site. */
export interface SiteState extends PageState, ActingState {
  /** Session of the browser; null if not signed in. */
  session: SiteSession | null;
  /** The account that the person acts for; null if not signed in. */
  account: Account | null;
  /** Problems of uploaded or linked files by field of the input. */
  inputProblems: Readonly<Record<string, Required<FormErrors>>>;
}

/** A stored session during one request. */
export type SiteSession = Pick<Session, 'id' | 'accountId' | 'actsFor' | 'data'> & {
  /** The account of its person as it was found with it; null if there is none, or the session has only begun. */
  visitor: Account | null;
  /** Whether the session must be saved. */
  isChanged: boolean;
};

/** One request of the account site and its response. */
export type SiteContext = RouterContext<SiteState>;

/** The callers of the site: people, whichever account they act for. */
export const atWorkOnSite = ({ deps }: Site): AtWork<SiteContext> => ({
  slots: deps.slots,
  ownerOf: ({ state: { session } }) => session?.accountId ?? null,
});

/** The account that the person acts for. @throws Error on a route without `requireSignedIn`. */
export function accountOf(ctx: SiteContext): Account {
  if (ctx.state.account === null) throw new Error('the route does not require an account');
  return ctx.state.account;
}

/** Maximum lifetime of a session, in ms: 30 days. */
const absoluteMs = 30 * dayMs;
const maxUserAgentLength = 200;

const cookie = pageCookie('fg_session', { maxAgeMs: absoluteMs, isSigned: true });

/** Middleware that loads the session and saves changes of its data. */
export function loadSession(store: SessionStore) {
  return async (ctx: SiteContext, next: Next): Promise<void> => {
    const value = cookie.read(ctx);
    const visit = value === undefined ? null : await store.visit(sessionIdOf(value), sessionIdleMs);
    ctx.state.session = visit && {
      ...visit.session,
      visitor: visit.account,
      isChanged: false,
    };
    try {
      await next();
    } finally {
      const { session } = ctx.state;
      if (session?.isChanged) await store.keep(session.id, session.data);
    }
  };
}

/**
 * Starts a session for an account and ends the browser's previous one.
 * @param data Data that the session keeps for the next page.
 */
export async function startSession(
  ctx: SiteContext,
  { sessions, clock }: { sessions: SessionStore; clock: Clock },
  accountId: string,
  data: SessionData = {},
): Promise<void> {
  if (ctx.state.session) await sessions.remove(ctx.state.session.id);
  const value = newSessionValue();
  const nowMs = clock.now();
  const session = {
    id: sessionIdOf(value),
    accountId,
    actsFor: null,
    createdAt: nowMs,
    seenAt: nowMs,
    expiresAt: nowMs + absoluteMs,
    userAgent: ctx.get('user-agent').slice(0, maxUserAgentLength),
    address: callerAddress(ctx),
    data: { ...data },
  };
  await sessions.insert(session);
  ctx.state.session = { ...session, visitor: null, isChanged: false };
  cookie.write(ctx, value);
}

/** Removes the session from the database and the browser. */
export async function endSession(ctx: SiteContext, sessions: SessionStore): Promise<void> {
  if (ctx.state.session) await sessions.remove(ctx.state.session.id);
  ctx.state.session = null;
  cookie.clear(ctx);
  clearSiteData(ctx);
}

/** Keeps the id of the confirmation whose code was mailed to prove the person; null if it is answered. */
export function keepConfirmation(ctx: SiteContext, confirmation: string | null): void {
  change(ctx, { confirmation });
}

/** Keeps a change of the address until both mailboxes have confirmed it; null once it is done. */
export function keepEmailChange(ctx: SiteContext, emailChange: EmailChange | null): void {
  change(ctx, { emailChange });
}

/** The change of address that `keepEmailChange` kept. */
export const emailChangeOf = ({ state: { session } }: SiteContext): EmailChange | null =>
  (session?.data['emailChange'] as EmailChange | null | undefined) ?? null;

/** The id that `keepConfirmation` kept. */
export function confirmationOf({ state: { session } }: SiteContext): string | null {
  const confirmation = session?.data['confirmation'];
  return typeof confirmation === 'string' ? confirmation : null;
}

/** Data for the next page: a message, and a form that a sign-in interrupted. */
interface SessionData {
  notice?: string;
  draft?: string;
  /** The provider's token of this session, sealed, for signing out there. */
  idToken?: string;
}

/** Keeps a message for the next page of this session. */
export function keepNotice(ctx: SiteContext, notice: string): void {
  change(ctx, { notice });
}

/** Removes and returns the kept message; null if there is none. */
export function takeNotice(ctx: SiteContext): string | null {
  return take(ctx, 'notice');
}

/** Draft of a form for `startSession`. @param fields Fields of the form as JSON. */
export function draftFor(path: string, fields: string): string {
  return JSON.stringify([path, fields]);
}

/** Removes and returns the form that a sign-in interrupted on this page; null if there is none. */
export function takeDraft(ctx: SiteContext, path: string): Form | null {
  const draft = take(ctx, 'draft');
  if (draft === null) return null;
  try {
    const [forPath, text] = JSON.parse(draft) as [unknown, unknown];
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

function take({ state: { session } }: SiteContext, name: keyof SessionData): string | null {
  if (!session) return null;
  const { [name]: value, ...rest } = session.data;
  if (typeof value !== 'string') return null;
  session.data = rest;
  session.isChanged = true;
  return value;
}
