import type { ProofAsked } from '../../../application/site/proof.ts';
import type { Account } from '../../../domain/account.ts';
import type { Member, TeamInvitation } from '../../../domain/members.ts';
import { teamRoles, type TeamRole } from '../../../domain/teamRoles.ts';
import { attributes, date, html, richText, time, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { personOf } from './acting.ts';
import { formerPart, keysChoice } from './formerMemberViews.ts';
import { formFields, type FormErrors, type FormFields } from './fields.ts';
import { hidden } from './keyForms.ts';
import { proofFields, proofFieldsOf } from './proofFields.ts';
import { monthPart } from './keySpending.ts';
import { actsForPath, teamPath } from './teamPaths.ts';
import type { SiteContext } from './site.ts';
import { text, type FixedKey } from '../../../texts/text.ts';

const roleLabels = {
  owner: 'team.owner',
  member: 'team.member',
  billing: 'team.billing',
} as const satisfies Record<TeamRole, FixedKey>;
const roleLabel = (role: TeamRole) => text(roleLabels[role]);
const roleChoices = () => teamRoles.map((role) => [role, roleLabel(role)] as const);

/** What the page for owners shows. */
interface Shown {
  account: Account;
  /** Current time, in ms since the epoch. */
  now: number;
  asked: ProofAsked;
  errors: FormErrors | undefined;
}

/** Whom a form of the page was sent for: `new` for an invitation to somebody new; empty if none was. */
function sentFor({ state: { form } }: SiteContext): string {
  const [member, again] = [form.get('member'), form.get('again')];
  if (member !== '') return member;
  return again === '' && form.get('email') !== '' ? 'new' : again;
}

/** The page for owners. */
export function teamView(ctx: SiteContext, shown: Shown): Html {
  const { account, errors } = shown;
  const { members = [], invitations = [] } = account;
  return html`<h1>${text('team.title')}</h1>
    <p>${text('team.intro')}</p>
    ${errors !== undefined && sentFor(ctx) !== 'new' && problemOf(errors)}
    <h2>${text('team.people')}</h2>
    <ul class="rows">
      <li>
        <div>
          <strong>${account.email}</strong>
          <p class="quiet">${richText('team.ownerSince', { date: date(account.createdAt) })}</p>
        </div>
      </li>
      ${members.map((member) => memberRow(ctx, member, shown))}
    </ul>
    ${formerPart(ctx, shown)} ${invitations.length > 0 && invitationsPart(ctx, invitations, shown)}
    ${inviteForm(ctx, shown)} ${isMember(ctx, account) && leaveForm(ctx)}`;
}

/** The page for people who cannot change the team. */
export function memberView(ctx: SiteContext, account: Account, now: number): Html {
  const { id } = personOf(ctx);
  const member = account.members?.find((each) => each.id === id);
  return html`<h1>${text('team.title')}</h1>
    <p>${richText('team.youWorkFor', { email: html`<strong>${account.email}</strong>` })}</p>
    ${
      member &&
      html`<p>${text('team.yourRole', { role: roleLabel(member.role) })}</p>
        <p>${richText('team.yourCredits', { credits: monthPart(member, now) })}</p>`
    }
    ${leaveForm(ctx)}`;
}

const isMember = (ctx: SiteContext, account: Account) => personOf(ctx).id !== account.id;

function problemOf({ message, fields }: FormErrors): Html {
  const words = [message, ...Object.values(fields)].filter((each) => each !== '').join(' ');
  return html`<p class="notice danger" role="alert">${words}</p>`;
}

function memberRow(ctx: SiteContext, member: Member, { account, now, asked, errors }: Shown): Html {
  const { id, email, role, joinedAt } = member;
  const begin = html`${tokenField(ctx)} <input type="hidden" name="member" value="${id}" />`;
  const isSent = sentFor(ctx) === id;
  const { form } = ctx.state;
  const typedRole = teamRoles.find((each) => isSent && each === form.get('role'));
  const limit = attributes({
    id: `limit-${id}`,
    name: 'monthly_credits',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: isSent ? form.get('monthly_credits') : (member.monthlyCredits ?? ''),
  });
  return html`<li>
    <div>
      <strong>${email}</strong>
      <p class="quiet">
        ${richText('team.joined', { role: roleLabel(role), date: date(joinedAt) })}
      </p>
      <p>${richText('team.creditsThisMonth', { credits: monthPart(member, now) })}</p>
      <details ${isSent && html`open`}>
        <summary>${richText('team.change', { email, hidden })}</summary>
        <form action="${teamPath}/role" method="post" class="stack" novalidate>
          ${begin}
          <label for="role-${id}">${text('team.role')}</label>
          <select id="role-${id}" name="role">
            ${roleOptions(typedRole ?? role)}
          </select>
          <label for="limit-${id}">${text('team.monthlyOfMember')}</label>
          <input ${limit} />
          ${proofFieldsOf(ctx, asked, `${id} `, isSent ? errors : undefined)}
          <div class="actions">
            <button class="small">${text('team.changeRole')}</button>
            <button class="small" formaction="${teamPath}/limit">${text('team.setLimit')}</button>
          </div>
        </form>
        <form action="${teamPath}/remove" method="post">
          ${begin} ${keysChoice(account, member, now)}
          <button class="small danger">${text('team.remove', { email })}</button>
        </form>
      </details>
    </div>
  </li>`;
}

const strong = (inner: Html) => html`<strong>${inner}</strong>`;

function roleOptions(chosen: TeamRole): Html[] {
  return roleChoices().map(
    ([value, label]) =>
      html`<option ${attributes({ value, selected: value === chosen })}>${label}</option>`,
  );
}

function invitationsPart(
  ctx: SiteContext,
  invitations: readonly TeamInvitation[],
  { now, asked, errors }: Shown,
): Html {
  const rows = invitations.map(
    ({ email, role, until }) =>
      html`<li>
        <div>
          ${email}
          <p class="quiet">
            ${
              until > now
                ? richText('team.openUntil', { role: roleLabel(role), time: time(until) })
                : richText('team.overSince', { role: roleLabel(role), time: time(until), strong })
            }
          </p>
        </div>
        <details ${sentFor(ctx) === email && html`open`}>
          <summary>${richText('team.change', { email, hidden })}</summary>
          <form action="${teamPath}/invite" method="post" class="stack" novalidate>
            ${tokenField(ctx)}
            <input type="hidden" name="again" value="${email}" />
            <input type="hidden" name="email" value="${email}" />
            <input type="hidden" name="role" value="${role}" />
            ${proofFieldsOf(ctx, asked, `${email} `, sentFor(ctx) === email ? errors : undefined)}
            <div class="actions">
              <button class="small">${richText('team.sendAgain', { email, hidden })}</button>
              <button class="small danger" formaction="${teamPath}/withdraw">
                ${richText('team.withdraw', { email, hidden })}
              </button>
            </div>
          </form>
        </details>
      </li>`,
  );
  return html`<h2>${text('team.invitations')}</h2>
    <ul class="rows">
      ${rows}
    </ul>`;
}

function inviteForm(ctx: SiteContext, { asked, errors }: Shown): Html {
  const isOwn = sentFor(ctx) === 'new';
  const fields: FormFields = formFields(ctx.state.form, isOwn ? errors : undefined);
  const email = fields.input('email', text('team.email'), {
    type: 'email',
    autocomplete: 'off',
    required: true,
  });
  const role = fields.select('role', text('team.role'), roleChoices(), {
    value: ctx.state.form.get('role') || 'member',
  });
  const proof = proofFields(ctx, asked, fields);
  return html`<h2 id="invite">${text('team.invite')}</h2>
    ${fields.errorSummary()}
    <form action="${teamPath}/invite" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${email} ${role} ${proof}
      <p class="quiet">${text('team.inviteHint')}</p>
      <button class="button">${text('team.sendInvitation')}</button>
    </form>`;
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
  if (account === null || person?.id === account.id) return text('settings.ownTeam');
  return text('settings.teamOf', { email: account.email });
}

/** The account switcher in the header; null for a person with only their own account. */
export function switcher(ctx: SiteContext): Html | null {
  const { account, person, teams } = ctx.state;
  if (account === null || person === null || teams.length === 0) return null;
  const choices = [{ id: person.id, email: person.email }, ...teams].map(({ id, email }) => {
    const option = attributes({ value: id, selected: id === account.id });
    return html`<option ${option}>
      ${id === person.id ? text('settings.you', { email }) : email}
    </option>`;
  });
  return html`<form action="${actsForPath}" method="post" class="inline acts-for">
    ${tokenField(ctx)}
    <label class="visually-hidden" for="acts-for">${text('settings.actFor')}</label>
    <select id="acts-for" name="account">
      ${choices}
    </select>
    <button class="small">${text('settings.switch')}</button>
  </form>`;
}
