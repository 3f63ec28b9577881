import type { Model } from '@framegate/contract';
import type { RouterContext } from '@koa/router';
import type { Allowances } from '../../../application/allowances.ts';
import type { CreateCommand } from '../../../application/generations/createGeneration.ts';
import type { CreateAnswer } from '../../../application/generations/idempotently.ts';
import type { Addresses } from '../../../application/generations/presentGeneration.ts';
import type { MediaStore } from '../../../application/ports/media.ts';
import type { Log } from '../../../application/ports/system.ts';
import type { DurationStats } from '../../../application/ports/upkeep.ts';
import type { Session } from '../../../application/site/ports.ts';
import type { SiteDeps } from '../../../application/site/siteDeps.ts';
import type { Account } from '../../../domain/account.ts';
import type { PlainRefusal } from '../../../domain/refusal.ts';
import type { PageState } from '../../pages/context.ts';
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
