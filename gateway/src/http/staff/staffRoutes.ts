import type { Router } from '@koa/router';
import type { App } from '../../application/app.ts';
import { atWork, needsNoSlot, routesOf } from '../atWork.ts';
import { compressPage } from '../compressPage.ts';
import type { HttpMiddleware } from '../context.ts';
import { requireTimeOfForms } from '../middleware/everyRequest.ts';
import { pageStyle, script } from '../pages/assetFiles.ts';
import { beginPage, guardForms, type Next } from '../pages/context.ts';
import { errorPages, type ShownError } from '../pages/errorPages.ts';
import { html } from '../pages/html.ts';
import { formPageHeaders } from '../pages/pageHeaders.ts';
import { strictRouter } from '../strictRouter.ts';
import { accountActions } from './accounts/accountActions.ts';
import { addAccountPages } from './accounts/accountPage.ts';
import { addInvitationPages } from './accounts/invitationPages.ts';
import { addMailPages } from './accounts/mailPages.ts';
import { addActionPages } from './actions/actionPages.ts';
import { addChosenPages } from './actions/chosenPages.ts';
import { addAuditPages } from './audit/auditPages.ts';
import { addProposalPages } from './audit/proposalPages.ts';
import { addSearchPages } from './cases/searchPages.ts';
import { addPricePages } from './catalogue/pricePages.ts';
import type { StaffContext, StaffState } from './context.ts';
import { addBookPages } from './credits/bookPages.ts';
import { addCreditRequestPages } from './credits/creditRequestPages.ts';
import { addGoodwillPages } from './credits/goodwillPages.ts';
import { addChartPages } from './figures/chartPages.ts';
import { addOverviewPages } from './figures/overviewPage.ts';
import { generationActions } from './generations/generationActions.ts';
import { addGenerationPages } from './generations/generationPage.ts';
import { addJobPages } from './generations/jobPages.ts';
import { addListPages } from './generations/listPages.ts';
import { isRenewal, showPage } from './layout.ts';
import { requireActions } from './needs.ts';
import { addCostPages } from './providers/costPages.ts';
import { addRoutePages } from './providers/routePages.ts';
import { addEnrolPages } from './signIn/enrolPages.ts';
import { addPasskeyPages } from './signIn/passkeyPages.ts';
import { addPeoplePages } from './signIn/peoplePages.ts';
import { addStaffSignInPages, loadConsoleSession, requireStaff } from './signIn/signInPages.ts';
import { addSignOnPages } from './signIn/signOnPages.ts';

/** Routes of the staff console, below `/staff`. */
export function staffRoutes(deps: App): HttpMiddleware {
  const { consoleUrl, sessionKeys } = deps;
  const responseDeps = { log: deps.log, isDatabaseTrouble: deps.database.isTrouble };
  const router = strictRouter<StaffState>();
  router.use(needsNoSlot);
  router.get('/staff/console.css', pageStyle(deps.brand, 'console.css'));
  router.get('/staff/console.js', script('base.js', 'passkeys.js', 'console.js'));
  router.get('/staff/figures.js', script('base.js', 'figures.js'));

  const headers = {
    ...formPageHeaders(deps.publicUrls),
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  };
  const first = [
    beginPage(deps, {
      staff: null,
      session: null,
      sendsInvitations: deps.signUp === 'invite',
      log: deps,
    }),
    (ctx: StaffContext, next: Next) => {
      ctx.set(headers);
      return next();
    },
    errorPages<StaffContext>({ deps: responseDeps, messages, show: showError }),
    requireTimeOfForms(deps.clock),
  ] as const;
  const session = loadConsoleSession(deps, (ctx) => !isRenewal(ctx));
  const { slots } = deps;
  const ownerOf = ({ state: { staff } }: StaffContext) => staff?.id ?? null;
  const work = atWork({ slots, ownerOf }, 'console');
  const guard = guardForms({ random: deps.random, sessionKeys, accountUrl: consoleUrl });

  const entrance = strictRouter<StaffState>();
  entrance.use(...first, guard, session, work, compressPage);
  addStaffSignInPages(entrance, deps);
  addSignOnPages(entrance, deps);
  addEnrolPages(entrance, deps);

  const pages = strictRouter<StaffState>();
  pages.use(...first, guard, session, work, compressPage, requireStaff(deps));
  const actionsOnGenerations = generationActions(deps);
  const actionsOnAccounts = accountActions(deps);
  addOverviewPages(pages, deps);
  addSearchPages(pages, deps, {
    generationActions: actionsOnGenerations,
    accountActions: actionsOnAccounts,
  });
  addListPages(pages, deps);
  addChosenPages(pages, deps);
  addGoodwillPages(pages, deps);
  addChartPages(pages, deps);
  addJobPages(pages, deps);
  addCreditRequestPages(pages, deps);
  addAuditPages(pages, deps);
  addCostPages(pages, deps);
  addBookPages(pages, deps);
  addMailPages(pages, deps);
  addRoutePages(pages, deps);
  addPricePages(pages, deps);
  addPasskeyPages(pages, deps);
  addInvitationPages(pages, deps);
  addPeoplePages(pages, deps);
  addProposalPages(pages, deps, actionsOnAccounts);
  addGenerationPages(pages, deps, actionsOnGenerations);
  addAccountPages(pages, deps, actionsOnAccounts);
  addActionPages(pages, deps, { path: '/staff/generations', actions: actionsOnGenerations });
  addActionPages(pages, deps, { path: '/staff/accounts', actions: actionsOnAccounts });

  for (const each of [entrance, pages]) requireActions(each);
  return inTurn([router, entrance, pages]);
}

/** Runs routers in turn. If they were nested in one router, the middleware of each would run for all routes. */
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
  const title = status === 404 ? 'Not found' : 'That did not work';
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
