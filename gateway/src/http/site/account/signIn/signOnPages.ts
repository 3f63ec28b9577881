import type { Router } from '@koa/router';
import { sitePage } from '@framegate/contract/operator';
import { seal } from '../../../../application/secretBox.ts';
import {
  enterByClaims,
  linkIdentity,
  unlinkIdentities,
} from '../../../../application/signIn/signOn/customers.ts';
import { type SignedOn, signOnMs } from '../../../../application/signIn/signOn/exchange.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { describeRefusal } from '../../../../texts/describeRefusal.ts';
import { text } from '../../../../texts/text.ts';
import { originOf, pathToReturnTo, redirect } from '../../../pages/context.ts';
import { formErrors } from '../../../pages/formErrors.ts';
import { html } from '../../../pages/html.ts';
import { beginFromBrowser, finishInBrowser } from '../../../pages/signOn.ts';
import { personOf } from '../acting.ts';
import { retryForm } from '../fields.ts';
import { requestIdLine } from '../outsideLinks.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { showSettings } from '../settings/settingsPages.ts';
import { settingsPath } from '../settingsPaths.ts';
import { keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';
import { completeSignIn, notifyIfNew, showCodePage } from './codePage.ts';
import { requirePerson } from './proofFields.ts';
import { landingPath } from './signInPages.ts';

const path = '/sign-in/oidc';
const callback = `${path}/callback`;

/** Pages of sign-on by the operator's provider. */
export function addSignOnPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  if (deps.signOn === null) return;
  const { name } = deps.signOn;
  const gate = requireSignedIn(site, settingsPath);

  // By GET: the form-action of our pages forbids forms that lead to another host, even by redirect.
  router.get(path, async (ctx: SiteContext) => {
    const next = pathToReturnTo(ctx.query['next'], sitePage);
    const begun = { purpose: 'site', accountId: null, next } as const;
    await answerProblem(site, ctx, async () => {
      redirect(ctx, await beginFromBrowser(ctx, deps, callback, begun));
    });
  });

  router.get(callback, (ctx: SiteContext) =>
    answerProblem(site, ctx, async () => {
      const signedOn = await finishInBrowser(ctx, deps, callback, ['site', 'link']);
      if (signedOn.request.purpose === 'link') await link(ctx, signedOn);
      else await enter(ctx, signedOn);
    }),
  );

  const enter = async (ctx: SiteContext, { claims, idToken, request }: SignedOn) => {
    const entry = await enterByClaims(deps, claims);
    const carried = request.next ?? '';
    if ('proof' in entry) {
      showCodePage(site, ctx, { ...entry, next: carried });
    } else {
      // This very sign-on may have created the account.
      const isNew = entry.account.createdAt >= request.expiresAt - signOnMs;
      if (!isNew) await notifyIfNew(site, ctx, entry.account);
      const data = { idToken: seal(idToken, entry.account.id, deps.sessionKeys, 'sign-on token') };
      await completeSignIn(site, ctx, entry.account, {
        by: 'identity',
        kept: data,
        path: request.next ?? landingPath,
      });
    }
  };

  const link = async (ctx: SiteContext, { claims, request }: SignedOn) => {
    if (ctx.state.person === null || ctx.state.person.id !== request.accountId) {
      throw new Refusal('sign_on_signed_out');
    }
    await linkIdentity(deps, request.accountId, claims, originOf(ctx));
    keepNotice(ctx, text('signOn.linked', { name }));
    redirect(ctx, settingsPath);
  };

  router.post(`${settingsPath}/link`, gate, async (ctx: SiteContext) => {
    const account = personOf(ctx);
    await retryForm(
      async () => {
        // A stranger at an open session must not be able to link their own identity.
        await requirePerson(site, ctx);
        const begun = { purpose: 'link', accountId: account.id, next: null } as const;
        const url = await beginFromBrowser(ctx, deps, callback, begun);
        const title = text('signOn.linkNow', { name });
        const content = html`<h1>${title}</h1>
          <p>${text('signOn.linkThere')}</p>
          <p><a class="button" href="${url}">${text('signOn.continueTo', { name })}</a></p>`;
        site.showPage(ctx, { title, content });
      },
      (errors) => showSettings(site, ctx, errors),
    );
  });

  router.post(`${settingsPath}/unlink`, gate, async (ctx: SiteContext) => {
    await retryForm(
      async () => {
        await requirePerson(site, ctx);
        const form = { keptSessionId: ctx.state.session?.id, from: originOf(ctx) };
        await unlinkIdentities(deps, personOf(ctx), form);
        keepNotice(ctx, text('signOn.unlinked', { name }));
        redirect(ctx, settingsPath);
      },
      (errors) => showSettings(site, ctx, errors),
    );
  });
}

/** Shows why no one was signed in. */
async function answerProblem(
  site: Site,
  ctx: SiteContext,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const title = text('signOn.failed');
    const content = html`<h1>${title}</h1>
      <p role="alert">${describeRefusal(error)}</p>
      <p><a class="button" href="/sign-in">${text('signOn.back')}</a></p>
      ${requestIdLine(site.deps.outsideLinks, ctx.state.requestId)}`;
    site.showPage(ctx, { title, content, status: formErrors(error).status });
  }
}
