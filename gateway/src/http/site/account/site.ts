import type { Model } from '@framegate/contract';
import type { RouterContext } from '@koa/router';
import type { Allowances } from '../../../application/allowances.ts';
import type { CreateCommand } from '../../../application/generations/createGeneration.ts';
import type { CreateAnswer } from '../../../application/generations/idempotently.ts';
import type { Addresses } from '../../../application/generations/presentGeneration.ts';
import type { MediaStore } from '../../../application/ports/media.ts';
import type { Log, Clock } from '../../../application/ports/system.ts';
import type { DurationStats } from '../../../application/ports/upkeep.ts';
import type { Session, SessionStore } from '../../../application/site/ports.ts';
import type { SiteDeps } from '../../../application/site/siteDeps.ts';
import type { Account } from '../../../domain/account.ts';
import type { PlainRefusal } from '../../../domain/refusal.ts';
import { sessionIdleMs } from '../../../domain/signIn.ts';
import { callerAddress } from '../../context.ts';
import {
  newSessionValue,
  pageCookie,
  sessionIdOf,
  type PageState,
  type Next,
} from '../../pages/context.ts';
import { formOf, type Form } from '../../pages/form.ts';
import { html, type Html } from '../../pages/html.ts';
import type { ApiDocument } from '../docs/apiDocument.ts';

/** What the account site is made of. */
export interface AccountSite {
  deps: SiteDeps;
  /** The same use case as the API's. */
  createGeneration: (command: CreateCommand) => Promise<CreateAnswer>;
  /** Models that have a provider, in the order in which they are listed. */
  models: readonly Model[];
  durations: DurationStats;
  addresses: Addresses;
  samples: readonly Sample[];
  /** Whether a picture can be taken of a finished video. */
  takesFrames: boolean;
  /** The API's own description, for the studio's form as a request. */
  openApi: ApiDocument;
  /** Finished files. */
  files: Pick<MediaStore, 'open'>;
  links: OutsideLinks;
  allowances: Allowances;
  log: Log;
}

/** A sample picture for the studio. */
export interface Sample {
  name: string;
  /** Its address on the sample host, as a request names it. */
  url: string;
  /** A small WebP of it. */
  poster: Buffer;
}

/** What the site's pages work with. */
export type Site = AccountSite & {
  /** Answers a page. */
  showPage: (ctx: SiteContext, page: SitePage) => void;
};

/** One page of the site. */
export interface SitePage {
  title: string;
  content: Html;
  status?: number | undefined;
  /** Without JavaScript the page reloads after this number of seconds. */
  refreshSeconds?: number | undefined;
}

/** What the account site knows of a request. */
export interface SiteState extends PageState {
  /** The browser's session; null without a sign-in. */
  session: SiteSession | null;
  /** Whose session it is; null without a sign-in. */
  account: Account | null;
  /** What is wrong with files that came with the form, or that it names, by the field of their input. */
  inputProblems: Readonly<Record<string, PlainRefusal>>;
}

/** A session as it is stored, for the time of one request. */
export type SiteSession = Pick<Session, 'id' | 'accountId' | 'data'> & {
  /** Whether its data have to be stored. */
  isChanged: boolean;
};

/** One request to the account site. */
export type SiteContext = RouterContext<SiteState>;

/** The account that is signed in; the route requires it. */
export function accountOf(ctx: SiteContext): Account {
  if (ctx.state.account === null) throw new Error('the route does not require an account');
  return ctx.state.account;
}

/** Addresses outside of the site that the operator has set; null where there is none. */
export interface OutsideLinks {
  /** Where customers get credits. */
  credits: string | null;
  /** Where customers reach support. */
  support: string | null;
}

/** The way to credits, for a customer with too few: one button, or a sentence where there is none to link to. */
export function creditsWay({ credits, support }: OutsideLinks): Html {
  if (credits !== null) return html`<a class="button" href="${credits}">Get credits</a>`;
  if (support !== null)
    return html`<a class="button" href="${support}">Ask support for credits</a>`;
  return html`<p class="quiet">The operator of this site adds credits to your account.</p>`;
}

/** The word support, with a link where there is one. @param word As it stands in its sentence. */
export function supportWay({ support }: OutsideLinks, word = 'support'): Html {
  return support === null ? html`${word}` : html`<a href="${support}">${word}</a>`;
}

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
    const found = value === undefined ? null : await store.visit(sessionIdOf(value), sessionIdleMs);
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
