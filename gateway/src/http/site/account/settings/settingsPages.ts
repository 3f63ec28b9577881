import type { Router } from '@koa/router';
import type { Session } from '../../../../application/ports/site.ts';
import { changePassword, endSessions } from '../../../../application/signIn/changePassword.ts';
import { proofWith, type RequiredProof } from '../../../../application/signIn/proof.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { minPasswordLength } from '../../../../domain/signIn/password.ts';
import { sessionIdleMs } from '../../../../domain/signIn/session.ts';
import { describeBrowser } from '../../../../texts/describeBrowser.ts';
import { describeRefusal } from '../../../../texts/describeRefusal.ts';
import { text } from '../../../../texts/text.ts';
import { originOf, redirect } from '../../../pages/context.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { ago, date, type Html, html, richText, time } from '../../../pages/html.ts';
import { personOf } from '../acting.ts';
import { formFields, messageSummary, retryForm } from '../fields.ts';
import { linksPath } from '../generations/sharePages.ts';
import { mayOpen } from '../pageRights.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { accessPath, erasurePath, exportPath, settingsPath, teamPath } from '../settingsPaths.ts';
import {
  currentPasswordField,
  prefixedProofFields,
  requirePerson,
  usernameField,
} from '../signIn/proofFields.ts';
import { secondFactorPart } from '../signIn/secondFactorPages.ts';
import { signOnPart } from '../signIn/signOnPart.ts';
import { endSession, keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';
import { teamLink } from '../teams/teamViews.ts';
import { mailsPart, parseNotices } from './mailSettings.ts';

/** Account settings: password, second factor and sessions. */
export function addSettingsPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireSignedIn(site, settingsPath);

  router.get(settingsPath, gate, (ctx: SiteContext) => showSettings(site, ctx));

  router.post(`${settingsPath}/password`, gate, async (ctx: SiteContext) => {
    const { form, session } = ctx.state;
    await retryForm(
      async () => {
        await changePassword(deps, {
          accountId: personOf(ctx).id,
          current: form.get('current_password'),
          password: form.get('password'),
          keptSessionId: session?.id ?? '',
          from: originOf(ctx),
        });
        keepNotice(ctx, text('settings.passwordChanged'));
        redirect(ctx, settingsPath);
      },
      (errors) => showSettings(site, ctx, errors),
    );
  });

  router.post(`${settingsPath}/mails`, gate, async (ctx: SiteContext) => {
    try {
      const choices = parseNotices(ctx.state.form);
      await deps.notices.choose(personOf(ctx).id, choices, deps.clock.now());
      keepNotice(ctx, text('settings.mailsSaved'));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      keepNotice(ctx, describeRefusal(error));
    }
    redirect(ctx, settingsPath);
  });

  router.post(`${settingsPath}/sessions`, gate, async (ctx: SiteContext) => {
    const choice = ctx.state.form.get('session');
    const { id: accountId } = personOf(ctx);
    await retryForm(
      async () => {
        await requirePerson(site, ctx);
        if (choice === 'all') {
          await endSessions(deps, accountId, null);
          await endSession(ctx, deps.sessions);
          redirect(ctx, '/sign-in');
          return;
        }
        if (choice === 'others') {
          await endSessions(deps, accountId, ctx.state.session?.id ?? null);
          keepNotice(ctx, text('settings.othersSignedOut'));
        } else {
          const own = await deps.sessions.list(accountId, sessionIdleMs);
          if (own.some(({ id }) => id === choice)) await deps.sessions.remove(choice);
          keepNotice(ctx, text('settings.oneSignedOut'));
        }
        redirect(ctx, settingsPath);
      },
      (errors) => showSettings(site, ctx, errors),
    );
  });
}

/** Shows the Account page. @param errors Errors of one of its forms. */
export async function showSettings(
  site: Site,
  ctx: SiteContext,
  errors?: FormErrors,
): Promise<void> {
  const { deps } = site;
  const account = personOf(ctx);
  const [sessions, factor] = await Promise.all([
    deps.sessions.list(account.id, sessionIdleMs),
    deps.customerFactors.find(account.id),
  ]);
  const title = text('site.account');
  const requiredProof = proofWith(account, factor);
  const errorsOf = (...forms: string[]) =>
    forms.some((form) => ctx.path === `${settingsPath}/${form}`) ? errors : undefined;
  const content = html`<h1>${title}</h1>
    <p>
      ${richText('settings.signedInAs', {
        email: html`<strong>${account.email}</strong>`,
        date: date(account.createdAt),
      })}
    </p>
    <p><a href="${settingsPath}/email">${text('emailChange.title')}</a></p>
    <p><a href="${teamPath}">${teamLink(ctx)}</a></p>
    ${mayOpen(ctx.state, linksPath) && html`<p><a href="${linksPath}">${text('share.links')}</a></p>`}
    <p><a href="${accessPath}">${text('access.title')}</a></p>
    <p><a href="${exportPath}">${text('export.title')}</a></p>
    <p><a href="${erasurePath}">${text('erasure.title')}</a></p>
    ${deps.signInWays !== 'oidc' && passwordPart(ctx, account, errorsOf('password'))}
    ${deps.signOn && signOnPart(site, ctx, { name: deps.signOn.name, account, requiredProof, errors: errorsOf('link', 'unlink') })}
    ${secondFactorPart(factor)} ${mailsPart(ctx, await deps.notices.find(account.id))}
    ${sessionsPart(ctx, sessions, { requiredProof, errors: errorsOf('sessions') })}`;
  site.showPage(ctx, { title, content, status: errors?.status });
}

function passwordPart(
  ctx: SiteContext,
  { email, passwordHash }: Account,
  errors?: FormErrors,
): Html {
  if (passwordHash === null) {
    const link = (inner: Html) => html`<a href="/forgotten-password">${inner}</a>`;
    return html`<h2>${text('signIn.password')}</h2>
      <p>${richText('settings.noPassword', { link })}</p>`;
  }
  const fields = formFields(ctx.state.form, errors);
  const current = currentPasswordField(fields, text('settings.currentPassword'));
  const password = fields.input('password', text('settings.newPassword'), {
    hint: text('settings.newPasswordHint', { min: minPasswordLength }),
    type: 'password',
    autocomplete: 'new-password',
    minlength: minPasswordLength,
    required: true,
  });
  return html`<h2>${text('signIn.password')}</h2>
    ${fields.errorSummary()}
    <form action="${settingsPath}/password" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${usernameField(email)} ${current} ${password}
      <button class="button">${text('settings.changePassword')}</button>
    </form>`;
}

/** The list of sessions in one form. Ending one needs a proof of the person (ASVS 5.0, 7.5.2). */
function sessionsPart(
  ctx: SiteContext,
  sessions: readonly Session[],
  { requiredProof, errors }: { requiredProof: RequiredProof; errors: FormErrors | undefined },
): Html {
  const chosen = ctx.state.form.get('session');
  const choice = (value: string, words: Html | string) =>
    html`<label class="check"
      ><input
        type="radio"
        name="session"
        value="${value}"
        ${value === chosen && html`checked`}
        required
      />
      <span>${words}</span></label
    >`;
  const rows = sessions.map((session) => {
    const { id, address, createdAt, seenAt } = session;
    const isThis = id === ctx.state.session?.id;
    const words = html`<strong>${describeBrowser(session.userAgent)}</strong>
      ${isThis && html`<span class="badge success">${text('settings.thisBrowser')}</span>`}
      <span class="quiet"
        >${richText('settings.session', { address, since: time(createdAt), seen: ago(seenAt) })}</span
      >`;
    return html`<li>${isThis ? html`<div>${words}</div>` : choice(id, words)}</li>`;
  });
  return html`<h2>${text('settings.sessions')}</h2>
    ${messageSummary(errors)}
    <form action="${settingsPath}/sessions" method="post" novalidate>
      ${tokenField(ctx)}
      <ul class="rows">
        ${rows}
        ${sessions.length > 1 && html`<li>${choice('others', text('settings.signOutOthers'))}</li>`}
        <li>${choice('all', text('settings.signOutEverywhere'))}</li>
      </ul>
      <div class="card">
        ${prefixedProofFields(ctx, requiredProof, 'sessions ', errors)}
        <button class="button second">${text('site.signOut')}</button>
      </div>
    </form>`;
}
