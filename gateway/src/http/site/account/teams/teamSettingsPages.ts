import type { Router } from '@koa/router';
import type { RequiredProof } from '../../../../application/signIn/proof.ts';
import { setTeamName, setTeamNeedsFactor } from '../../../../application/teams/teamSettings.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { maxTeamNameCharacters, teamNameOf } from '../../../../domain/teams/teamName.ts';
import { text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { type Html, html } from '../../../pages/html.ts';
import { formFields } from '../fields.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { teamLogPath, teamPath, teamSettingsPath } from '../settingsPaths.ts';
import { loadRequiredProof, requiredProofFields, requirePerson } from '../signIn/proofFields.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from '../site.ts';
import { addOwnerForms } from './ownerForms.ts';

/** The page of a team's name and its requirements for members. */
export function addTeamSettingsPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireSignedIn(site, teamSettingsPath);

  const show = async (ctx: SiteContext, errors?: FormErrors) => {
    const account = (await deps.database.accounts.find(accountOf(ctx).id)) ?? accountOf(ctx);
    const { members = [] } = account;
    const ids = [account.id, ...members.map(({ id }) => id)];
    const having = await deps.customerFactors.findHaving(ids);
    const lacking = [account, ...members].filter(({ id }) => !having.has(id));
    const title = text('team.settings');
    const content = html`<h1>${title}</h1>
      ${namePart(ctx, account, errors)}
      ${deps.signInWays !== 'oidc' && factorPart(ctx, { account, lacking, requiredProof: await loadRequiredProof(site, ctx), errors })}
      <h2>${text('team.log')}</h2>
      <p>${text('team.logIntro')}</p>
      <p><a class="button second" href="${teamLogPath}">${text('team.log')}</a></p>`;
    site.showPage(ctx, { title, content, status: errors?.status });
  };
  router.get(teamSettingsPath, gate, (ctx: SiteContext) => show(ctx));

  const form = addOwnerForms(router, site, teamSettingsPath, show);
  form('name', async (ctx, command) => {
    await setTeamName(deps, { ...command, name: ctx.state.form.get('name') });
    return text('team.named');
  });
  form('factor', async (ctx, command) => {
    await requirePerson(site, ctx);
    const teamNeedsFactor = ctx.state.form.get('needed') === 'yes';
    await setTeamNeedsFactor(deps, { ...command, teamNeedsFactor });
    return text(teamNeedsFactor ? 'team.factorRequired' : 'team.factorNotRequired');
  });
}

function namePart(ctx: SiteContext, account: Account, errors: FormErrors | undefined): Html {
  const isOwn = errors?.fields['name'] !== undefined;
  const fields = formFields(ctx.state.form, isOwn ? errors : undefined);
  const name = fields.input('name', text('team.name'), {
    ...(!isOwn && { value: teamNameOf(account) ?? '' }),
    hint: text('team.nameHint'),
    maxlength: maxTeamNameCharacters,
    autocomplete: 'organization',
  });
  return html`${fields.errorSummary()}
    <form action="${teamPath}/name" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${name}
      <button class="button">${text('team.saveName')}</button>
    </form>`;
}

function factorPart(
  ctx: SiteContext,
  view: {
    account: Account;
    lacking: readonly { email: string }[];
    requiredProof: RequiredProof;
    errors: FormErrors | undefined;
  },
): Html {
  const { account, lacking, requiredProof, errors } = view;
  const isNeeded = account.teamNeedsFactor === true;
  const isOwn = errors !== undefined && errors.fields['name'] === undefined;
  const fields = formFields(ctx.state.form, isOwn ? errors : undefined);
  const emails = lacking.map(({ email }) => email).join(', ');
  return html`<h2>${text('secondFactor.title')}</h2>
    ${fields.errorSummary()}
    <p>${text(isNeeded ? 'team.factorIsOn' : 'team.factorIsOff')} ${text('team.factorEffect')}</p>
    ${lacking.length > 0 && html`<p>${text('team.factorMissing', { emails })}</p>`}
    <form action="${teamPath}/factor" method="post" class="card" novalidate>
      ${tokenField(ctx)} <input type="hidden" name="needed" value="${isNeeded ? 'no' : 'yes'}" />
      ${requiredProofFields(ctx, requiredProof, fields)}
      <button class="button second">
        ${text(isNeeded ? 'team.factorEnd' : 'team.factorRequire')}
      </button>
    </form>`;
}
