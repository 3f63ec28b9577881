import { notifyOfSignIn } from '../../../../application/mails/notices.ts';
import { continueAfterPassword } from '../../../../application/signIn/secondFactor.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { addressGroup } from '../../../../domain/network/addresses.ts';
import { deviceNameOf } from '../../../../domain/signIn/deviceCookies.ts';
import { text } from '../../../../texts/text.ts';
import { originOf, redirect, rememberBrowser } from '../../../pages/context.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { type Html, html, richText } from '../../../pages/html.ts';
import { formFields } from '../fields.ts';
import { supportWay } from '../outsideLinks.ts';
import { type Site, type SiteContext, startSession } from '../site.ts';

/** Values passed on to the sign-in that the page completes. */
export interface CodePage {
  /** Proof that the password was typed, or a sign-in link used. */
  proof: string;
  /** Path after the sign-in; empty for the default. */
  next?: string;
  /** A form that the sign-in interrupted. */
  draft?: string;
  /** A message about a completed step. */
  notice?: string;
  errors?: FormErrors;
}

/** The last step that opened a session: the second factor follows one of the others. */
export type SignedInBy = 'password' | 'mailed code' | 'link' | 'identity' | 'second factor';

/**
 * Signs an account in, notes it in the log, and redirects its browser.
 * @param then.kept Data that the session keeps for the next page.
 */
export async function completeSignIn(
  { deps }: Site,
  ctx: SiteContext,
  account: Account,
  {
    by,
    kept: data,
    path,
  }: { by: SignedInBy; kept: Parameters<typeof startSession>[3]; path: string },
): Promise<void> {
  await startSession(ctx, deps, account.id, data);
  const { address, requestId } = originOf(ctx);
  deps.log.info({ requestId, accountId: account.id, from: addressGroup(address), by }, 'signed in');
  rememberBrowser(ctx, deps, account);
  redirect(ctx, path);
}

/** Notifies the owner of a sign-in from a browser that the account has not seen. */
export async function notifyIfNew(
  { deps }: Site,
  ctx: SiteContext,
  account: Account,
): Promise<void> {
  const { address, deviceCookies: marks } = originOf(ctx);
  if (deviceNameOf(marks, account.email, deps.sessionKeys) !== null) return;
  await notifyOfSignIn(deps, account, { browser: ctx.get('user-agent'), address });
}

/**
 * Signs an account in after its password was set with a mailed code; requests the second factor first if there is one.
 */
export async function completeSignInByMail(
  site: Site,
  ctx: SiteContext,
  account: Account,
  { notice, path }: { notice: string; path: string },
): Promise<void> {
  const next = await continueAfterPassword(site.deps, account);
  if ('proof' in next) showCodePage(site, ctx, { ...next, notice });
  else await completeSignIn(site, ctx, account, { by: 'mailed code', kept: { notice }, path });
}

/** Shows the form that asks for the code after the password. */
export function showCodePage(site: Site, ctx: SiteContext, page: CodePage): void {
  const { proof, next = '', draft = '', notice = '', errors } = page;
  const fields = formFields(ctx.state.form, errors);
  const code = fields.input('code', text('signIn.code'), {
    hint: text('signIn.codeHint'),
    value: '',
    autocomplete: 'one-time-code',
    maxlength: 40,
    required: true,
    autofocus: errors === undefined,
  });
  const title = text('signIn.codeTitle');
  const content: Html = html`<h1>${title}</h1>
    ${notice !== '' && html`<p class="notice" role="status">${notice}</p>`}
    <p>${text('signIn.codeStep')}</p>
    ${fields.errorSummary()}
    <form action="/sign-in/code" method="post" class="card" novalidate>
      ${tokenField(ctx)}
      <input type="hidden" name="proof" value="${proof}" />
      <input type="hidden" name="next" value="${next}" />
      <input type="hidden" name="draft" value="${draft}" />
      ${code}
      <button class="button">${text('site.signIn')}</button>
    </form>
    <p>
      ${richText('signIn.codesLost', {
        support: supportWay(site.deps.outsideLinks, text('site.supportAtStart')),
      })}
    </p>`;
  site.showPage(ctx, { title, content, status: errors?.status });
}
