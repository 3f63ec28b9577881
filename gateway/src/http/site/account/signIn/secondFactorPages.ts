import type { Router } from '@koa/router';
import type { CustomerFactor } from '../../../../application/ports/site.ts';
import {
  endFactor,
  type FactorSettingsForm,
  type FactorSetUp,
  renewRecoveryCodes,
  setUpFactor,
  startFactor,
} from '../../../../application/signIn/secondFactorSettings.ts';
import { text } from '../../../../texts/text.ts';
import { secretForApp } from '../../../pages/authenticator.ts';
import { originOf, redirect } from '../../../pages/context.ts';
import { copyButton, tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { date, type Html, html, richText } from '../../../pages/html.ts';
import { personOf } from '../acting.ts';
import { formFields, retryForm } from '../fields.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { factorPath, settingsPath } from '../settingsPaths.ts';
import { keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';
import { requiredProofFields } from './proofFields.ts';

/** Pages that turn the second factor on and off. */
export function addSecondFactorPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireSignedIn(site, factorPath);

  const show = async (ctx: SiteContext, errors?: FormErrors) => {
    const account = personOf(ctx);
    const factor = await deps.customerFactors.find(account.id);
    const content =
      factor === null
        ? offView(ctx, setUpFactor(deps, account, ctx.state.form.get('setup')), errors)
        : onView(ctx, factor, errors);
    site.showPage(ctx, { title: text('secondFactor.title'), content, status: errors?.status });
  };
  router.get(factorPath, gate, (ctx: SiteContext) => show(ctx));

  /** Runs the action of a form with password and code, or shows the page again with its errors. */
  const act =
    (work: (ctx: SiteContext, form: FactorSettingsForm) => Promise<void>) => (ctx: SiteContext) =>
      retryForm(
        () => {
          const { form } = ctx.state;
          return work(ctx, {
            account: personOf(ctx),
            current: form.get('current_password'),
            code: form.get('code'),
            from: originOf(ctx),
          });
        },
        (errors) => show(ctx, errors),
      );
  const showCodes = (ctx: SiteContext, codes: readonly string[]) => {
    const title = text('secondFactor.codesTitle');
    site.showPage(ctx, { title, content: recoveryCodesView(title, codes) });
  };

  router.post(
    `${factorPath}/on`,
    gate,
    act(async (ctx, form) => {
      const setup = ctx.state.form.get('setup');
      const keptSessionId = ctx.state.session?.id ?? '';
      showCodes(ctx, await startFactor(deps, { ...form, setup, keptSessionId }));
    }),
  );
  router.post(
    `${factorPath}/recovery-codes`,
    gate,
    act(async (ctx, form) => showCodes(ctx, await renewRecoveryCodes(deps, form))),
  );
  router.post(
    `${factorPath}/off`,
    gate,
    act(async (ctx, form) => {
      await endFactor(deps, form);
      keepNotice(ctx, text('secondFactor.isOff'));
      redirect(ctx, settingsPath);
    }),
  );
}

/** Section of the account page. @param factor Null if the second factor is off. */
export function secondFactorPart(factor: CustomerFactor | null): Html {
  return html`<h2>${text('secondFactor.title')}</h2>
    ${
      factor === null
        ? html`<p>${text('secondFactor.off')}</p>
            <p><a class="button small" href="${factorPath}">${text('secondFactor.turnOn')}</a></p>`
        : html`<p>${enabledNote(factor)}</p>
            <p><a class="button small" href="${factorPath}">${text('secondFactor.change')}</a></p>`
    }`;
}

function enabledNote({ enabledAt, recoveryHashes: { length } }: CustomerFactor): Html {
  return richText('secondFactor.on', {
    badge: (inner) => html`<span class="badge success">${inner}</span>`,
    date: date(enabledAt),
    left: length,
  });
}

function offView(ctx: SiteContext, setUp: FactorSetUp, errors?: FormErrors): Html {
  const { all, summary } = bothFields(ctx, errors, text('secondFactor.codeInApp'));
  return html`<h1>${text('secondFactor.title')}</h1>
    <p>${text('secondFactor.intro')}</p>
    ${summary}
    <form action="${factorPath}/on" method="post" class="card" novalidate>
      ${tokenField(ctx)}
      <input type="hidden" name="setup" value="${setUp.setup}" />
      ${secretForApp(setUp)} ${all}
      <p class="quiet">${text('secondFactor.onEffects')}</p>
      <button class="button">${text('secondFactor.turnOn')}</button>
    </form>`;
}

function onView(ctx: SiteContext, factor: CustomerFactor, errors?: FormErrors): Html {
  const { all, summary } = bothFields(ctx, errors);
  return html`<h1>${text('secondFactor.title')}</h1>
    <p>${enabledNote(factor)}</p>
    ${summary}
    <form action="${factorPath}/recovery-codes" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${all}
      <p class="quiet">${text('secondFactor.newCodesEffects')}</p>
      <div class="actions">
        <button class="button">${text('secondFactor.createCodes')}</button>
        <button class="danger" formaction="${factorPath}/off">
          ${text('secondFactor.turnOff')}
        </button>
      </div>
    </form>`;
}

/** Fields for password and code, which all forms need, with a summary of their errors. */
function bothFields(ctx: SiteContext, errors?: FormErrors, codeLabel?: string) {
  const fields = formFields(ctx.state.form, errors);
  const all = requiredProofFields(ctx, { by: 'password', needsFactor: true }, fields, {
    codeLabel,
  });
  return { all, summary: fields.errorSummary() };
}

function recoveryCodesView(title: string, codes: readonly string[]): Html {
  return html`<h1>${title}</h1>
    <p class="notice" role="status">
      ${richText('secondFactor.storeNow', { strong: (inner) => html`<strong>${inner}</strong>` })}
    </p>
    <p>${text('secondFactor.eachOnce')}</p>
    <pre tabindex="0" id="recovery-codes">${codes.join('\n')}</pre>
    ${copyButton('recovery-codes')}
    <p><a class="button" href="${settingsPath}">${text('secondFactor.stored')}</a></p>`;
}
