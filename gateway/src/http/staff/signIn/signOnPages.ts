import type { Router } from '@koa/router';
import type { App } from '../../../application/app.ts';
import {
  enterStaffByClaims,
  enterStaffWithFactor,
} from '../../../application/signIn/signOn/staff.ts';
import type { StaffAccount } from '../../../application/staff/signInStaff.ts';
import { originOf, pathToReturnTo, redirect, rememberBrowser } from '../../pages/context.ts';
import { tokenField } from '../../pages/elements.ts';
import { html } from '../../pages/html.ts';
import { beginFromBrowser, finishInBrowser } from '../../pages/signOn.ts';
import type { StaffContext, StaffState } from '../context.ts';
import { problemBox, shownProblem } from '../elements.ts';
import { showPage } from '../layout.ts';
import { needs } from '../needs.ts';
import { factorOf, proofFields } from '../proofFields.ts';
import { overview, ownPages, showSignIn, signInToConsole } from './signInPages.ts';

const path = '/staff/sign-in/oidc';
const callback = `${path}/callback`;

/** Pages of the console for sign-on by the operator's provider. */
export function addSignOnPages(router: Router<StaffState>, deps: App): void {
  if (!deps.signOn?.staff) return;

  const answerProblem = async (ctx: StaffContext, next: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      showSignIn(ctx, deps, { next, ...shownProblem(error) });
    }
  };

  router.get(path, needs('sign in'), (ctx: StaffContext) => {
    const next = pathToReturnTo(ctx.query['next'], ownPages);
    const begun = { purpose: 'staff', accountId: null, next } as const;
    return answerProblem(ctx, next ?? overview, async () => {
      redirect(ctx, await beginFromBrowser(ctx, deps, callback, begun));
    });
  });

  const enter = async (ctx: StaffContext, account: StaffAccount, next: string) => {
    await signInToConsole(ctx, deps, account);
    rememberBrowser(ctx, deps, account);
    redirect(ctx, next);
  };

  router.get(callback, needs('sign in'), (ctx: StaffContext) =>
    answerProblem(ctx, overview, async () => {
      const { claims, request } = await finishInBrowser(ctx, deps, callback, ['staff']);
      const entry = await enterStaffByClaims(deps, claims, originOf(ctx));
      const next = request.next ?? overview;
      if ('account' in entry) await enter(ctx, entry.account, next);
      else showFactor(ctx, { ...entry, next });
    }),
  );

  // A reload in the browser arrives here, because the page is the response to a form.
  router.get(`${path}/code`, needs('sign in'), (ctx: StaffContext) =>
    redirect(ctx, '/staff/sign-in'),
  );
  router.post(`${path}/code`, needs('sign in'), async (ctx: StaffContext) => {
    const { form } = ctx.state;
    const proof = form.get('proof');
    const next = pathToReturnTo(form.get('next'), ownPages) ?? overview;
    try {
      const account = await enterStaffWithFactor(deps, { proof, ...factorOf(ctx) });
      await enter(ctx, account, next);
    } catch (error) {
      showFactor(ctx, { proof, next, ...shownProblem(error) });
    }
  });

  function showFactor(
    ctx: StaffContext,
    page: { proof: string; next: string; problem?: string; status?: number },
  ): void {
    const { proof, next, problem = '', status } = page;
    const content = html`<div class="narrow">
      <h1>Confirm your identity</h1>
      ${problemBox(problem)}
      <form class="stack" action="${path}/code" method="post">
        ${tokenField(ctx)}
        <input type="hidden" name="proof" value="${proof}" />
        <input type="hidden" name="next" value="${next}" />
        ${proofFields(ctx, deps, `${path}/code`)}
        <button>Sign in</button>
      </form>
      <p class="quiet">First time here? Ask an operator for an enrolment link.</p>
    </div>`;
    showPage(ctx, 'Confirm your identity', content, status);
  }
}
