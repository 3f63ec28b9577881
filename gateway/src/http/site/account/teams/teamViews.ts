import type { Account } from '../../../../domain/accounts/account.ts';
import type { Member } from '../../../../domain/teams/members.ts';
import { type TeamRole, teamRoles } from '../../../../domain/teams/teamRoles.ts';
import { teamLabel } from '../../../../texts/teamWords.ts';
import { text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { attributes, date, type Html, html, richText } from '../../../pages/html.ts';
import { personOf } from '../acting.ts';
import { visuallyHidden } from '../keys/keyForms.ts';
import { monthPart } from '../keys/keySpending.ts';
import { actsForPath, teamLogPath, teamPath, teamSettingsPath } from '../settingsPaths.ts';
import { prefixedProofFields } from '../signIn/proofFields.ts';
import type { SiteContext } from '../site.ts';
import { formerPart, keysChoice, memberFields, monthlyField } from './formerMemberViews.ts';
import {
  invitationsPart,
  inviteForm,
  type InvitePageView,
  resultsPart,
  roleChoices,
  sentFor,
  teamRoleLabel,
} from './teamInviteViews.ts';

/** The page for owners. */
export function teamView(ctx: SiteContext, view: InvitePageView): Html {
  const { account, errors, results } = view;
  const { members = [], invitations = [] } = account;
  return html`<h1>${text('team.title')}</h1>
    <p>${text('team.intro')}</p>
    <p class="inline">
      <a class="button second" href="${teamSettingsPath}">${text('team.settings')}</a>
      <a class="button second" href="${teamLogPath}">${text('team.log')}</a>
    </p>
    ${results.length > 0 && resultsPart(results)}
    ${errors !== undefined && sentFor(ctx) !== 'new' && problemNotice(errors)}
    <h2>${text('team.people')}</h2>
    <ul class="rows">
      <li>
        <div>
          <strong>${account.email}</strong>
          <p class="quiet">${richText('team.ownerSince', { date: date(account.createdAt) })}</p>
        </div>
      </li>
      ${members.map((member) => memberRow(ctx, member, view))}
    </ul>
    ${formerPart(ctx, view)} ${invitations.length > 0 && invitationsPart(ctx, invitations, view)}
    ${inviteForm(ctx, view)} ${isMember(ctx, account) && leaveForm(ctx)}`;
}

/** The page for people who cannot change the team. */
export function memberView(ctx: SiteContext, account: Account, nowMs: number): Html {
  const { id } = personOf(ctx);
  const member = account.members?.find((each) => each.id === id);
  return html`<h1>${text('team.title')}</h1>
    <p>${richText('team.youWorkFor', { team: html`<strong>${teamLabel(account)}</strong>` })}</p>
    ${
      member &&
      html`<p>${text('team.yourRole', { role: teamRoleLabel(member.role) })}</p>
        <p>${richText('team.yourCredits', { credits: monthPart(member, nowMs) })}</p>`
    }
    ${leaveForm(ctx)}`;
}

const isMember = (ctx: SiteContext, account: Account) => personOf(ctx).id !== account.id;

function problemNotice({ message, fields }: FormErrors): Html {
  const words = [message, ...Object.values(fields)].filter((each) => each !== '').join(' ');
  return html`<p class="notice danger" role="alert">${words}</p>`;
}

function memberRow(
  ctx: SiteContext,
  member: Member,
  { account, nowMs, requiredProof, errors }: InvitePageView,
): Html {
  const { id, email, role, joinedAt } = member;
  const isSent = sentFor(ctx) === id;
  const { form } = ctx.state;
  const typedRole = teamRoles.find((each) => isSent && each === form.get('role'));
  return html`<li>
    <div>
      <strong>${email}</strong>
      <p class="quiet">
        ${richText('team.joined', { role: teamRoleLabel(role), date: date(joinedAt) })}
      </p>
      <p>${richText('team.creditsThisMonth', { credits: monthPart(member, nowMs) })}</p>
      <details ${isSent && html`open`}>
        <summary>${richText('team.change', { email, hidden: visuallyHidden })}</summary>
        <form action="${teamPath}/role" method="post" class="stack" novalidate>
          ${memberFields(ctx, member)}
          <label for="role-${id}">${text('team.role')}</label>
          <select id="role-${id}" name="role">
            ${roleOptions(typedRole ?? role)}
          </select>
          ${monthlyField(ctx, member, text('team.monthlyOfMember'))}
          ${prefixedProofFields(ctx, requiredProof, `${id} `, isSent ? errors : undefined)}
          <div class="actions">
            <button class="small">${text('team.changeRole')}</button>
            <button class="small" formaction="${teamPath}/limit">${text('keys.setLimit')}</button>
          </div>
        </form>
        <form action="${teamPath}/remove" method="post">
          ${memberFields(ctx, member)} ${keysChoice(account, member, nowMs)}
          <button class="small danger">${text('team.remove', { email })}</button>
        </form>
      </details>
    </div>
  </li>`;
}

function roleOptions(chosen: TeamRole): Html[] {
  return roleChoices().map(
    ([value, label]) =>
      html`<option ${attributes({ value, selected: value === chosen })}>${label}</option>`,
  );
}

function leaveForm(ctx: SiteContext): Html {
  return html`<details>
    <summary>${text('team.leave')}</summary>
    <form action="${teamPath}/leave" method="post">
      ${tokenField(ctx)}
      <p>${text('team.leaveHint')}</p>
      <button class="small danger">${text('team.leaveButton')}</button>
    </form>
  </details>`;
}

/** The label of the link to the team page. */
export function teamLink({ state: { account, person } }: SiteContext): string {
  if (account === null || person?.id === account.id) return text('team.title');
  return text('settings.teamOf', { team: teamLabel(account) });
}

/** The account switcher in the header; null for a person with only their own account. */
export function switcher(ctx: SiteContext): Html | null {
  const { account, person, teams } = ctx.state;
  if (account === null || person === null || teams.length === 0) return null;
  const own = { id: person.id, label: text('settings.you', { email: teamLabel(person) }) };
  const others = teams.map((team) => ({ id: team.id, label: teamLabel(team) }));
  const choices = [own, ...others].map(({ id, label }) => {
    const option = attributes({ value: id, selected: id === account.id });
    return html`<option ${option}>${label}</option>`;
  });
  return html`<form action="${actsForPath}" method="post" class="inline acts-for">
    ${tokenField(ctx)}
    <label class="visually-hidden" for="acts-for">${text('site.account')}</label>
    <select id="acts-for" name="account">
      ${choices}
    </select>
    <button class="small">${text('settings.switch')}</button>
  </form>`;
}
