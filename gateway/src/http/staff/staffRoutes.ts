import { Router } from '@koa/router';
import { atWork, needsNoSlot, routesOf } from '../atWork.ts';
import { compressPage } from '../compressPage.ts';
import type { HttpMiddleware } from '../context.ts';
import { requireTimeOfForms } from '../middleware/everyRequest.ts';
import { beginPage, guardForms, type Next } from '../pages/context.ts';
import { errorPages, type ShownError } from '../pages/errorPages.ts';
import { html } from '../pages/html.ts';
import { formPageHeaders, pageStyle, script } from '../pages/layout.ts';
import { accountActions } from './accountActions.ts';
import { accountPages } from './accountPage.ts';
import { actionPages } from './actionPages.ts';
import { auditPages, proposalPages } from './auditPages.ts';
import { chartPages } from './chartPages.ts';
import { bookPages } from './bookPages.ts';
import { costPages } from './costPages.ts';
import { enrolPages } from './enrolPages.ts';
import { loadConsoleSession, requireStaff, staffSignInPages } from './signInPages.ts';
import { signOnPages } from './signOnPages.ts';
import { generationActions } from './generationActions.ts';
import { goodwillPages } from './goodwillPages.ts';
import { invitationPages } from './invitationPages.ts';
import { requireActs } from './needs.ts';
import { passkeyPages } from './passkeyPages.ts';
import { mailPages } from './mailPages.ts';
import { generationPages } from './generationPage.ts';
import { creditRequestPages } from './creditRequestPages.ts';
import { jobPages } from './jobPages.ts';
import {
  isRenewal,
  showPage,
  type StaffConsole,
  type StaffContext,
  type StaffState,
} from './layout.ts';
import { chosenPages } from './chosenPages.ts';
import { listPages } from './listPages.ts';
import { peoplePages } from './peoplePages.ts';
import { routePages } from './routePages.ts';
import { searchPages } from './searchPages.ts';
import { overviewPages } from './overviewPage.ts';

/** Routes of the staff console, below `/staff`. */
export function staffRoutes(console: StaffConsole): HttpMiddleware {
  const { deps } = console;
  const { consoleUrl, sessionKeys } = deps;
  const answerDeps = { log: deps.log, isDatabaseTrouble: deps.database.isTrouble };
  const options = { sensitive: true, strict: true };
  const router = new Router<StaffState>(options);
  router.use(needsNoSlot);
  router.get('/staff/console.css', pageStyle(deps.brand, 'console.css'));
  router.get('/staff/console.js', script('base.js', 'passkeys.js', 'console.js'));
  router.get('/staff/figures.js', script('base.js', 'figures.js'));

  const headers = {
    ...formPageHeaders(deps.addresses),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
  const first = [
    beginPage(deps, {
      staff: null,
      session: null,
      invites: deps.signUp === 'invite',
      log: deps,
    }),
    (ctx: StaffContext, next: Next) => {
      ctx.set(headers);
      return next();
    },
    errorPages<StaffContext>({ deps: answerDeps, messages, show: showError }),
    requireTimeOfForms(deps.clock),
  ] as const;
  const session = loadConsoleSession(deps, (ctx) => !isRenewal(ctx));
  const { slots } = deps;
  const callerOf = ({ state: { staff } }: StaffContext) => staff?.id ?? null;
  const work = atWork({ slots, callerOf }, 'console');
  const guard = guardForms({ random: deps.random, sessionKeys, accountUrl: consoleUrl });

  const entrance = new Router<StaffState>(options);
  entrance.use(...first, guard, session, work, compressPage);
  staffSignInPages(entrance, console);
  signOnPages(entrance, console);
  enrolPages(entrance, console);

  const pages = new Router<StaffState>(options);
  pages.use(...first, guard, session, work, compressPage, requireStaff(deps));
  const ofGenerations = generationActions(console);
  const ofAccounts = accountActions(console);
  overviewPages(pages, console);
  searchPages(pages, console, { ofGenerations, ofAccounts });
  listPages(pages, console);
  chosenPages(pages, console);
  goodwillPages(pages, console);
  chartPages(pages, console);
  jobPages(pages, console);
  creditRequestPages(pages, console);
  auditPages(pages, console);
  costPages(pages, console);
  bookPages(pages, console);
  mailPages(pages, console);
  routePages(pages, console);
  passkeyPages(pages, console);
  invitationPages(pages, console);
  peoplePages(pages, console);
  proposalPages(pages, console, ofAccounts);
  generationPages(pages, console, ofGenerations);
  accountPages(pages, console, ofAccounts);
  actionPages(pages, console, { path: '/staff/generations', actions: ofGenerations });
  actionPages(pages, console, { path: '/staff/accounts', actions: ofAccounts });

  for (const each of [entrance, pages]) requireActs(each);
  return inTurn([router, entrance, pages]);
}

/** Runs routers in turn; nested in one, the middleware of each would run for all routes. */
function inTurn(routers: readonly Router<StaffState>[]): HttpMiddleware {
  // `beginPage` sets the console's own state.
  const steps = routers.map((each) => routesOf(each) as unknown as HttpMiddleware);
  return (ctx, next) => {
    const run = (index: number): Promise<unknown> => {
      const step = steps[index];
      return Promise.resolve(step ? step(ctx, () => run(index + 1)) : next());
    };
    return run(0);
  };
}

function showError(ctx: StaffContext, { status, message }: ShownError): void {
  const title = status === 404 ? 'Not found' : "That didn't work";
  const content = html`<div class="narrow">
    <h1>${title}</h1>
    <p>${message}</p>
    <p class="quiet">Request <code>${ctx.state.requestId}</code></p>
  </div>`;
  showPage(ctx, title, content, status);
}

/** Messages for staff that replace those of the API. */
const messages = () => ({
  service_unavailable: 'The database is unreachable or overloaded. Try again in a few seconds.',
  internal_error: 'Something went wrong. See the log.',
});
