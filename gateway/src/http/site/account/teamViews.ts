import type { Account } from '../../../domain/account.ts';
import type { Member, TeamInvitation } from '../../../domain/members.ts';
import { teamRoles, type TeamRole } from '../../../domain/teamRoles.ts';
import { attributes, date, html, time, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { personOf } from './acting.ts';
import { formFields, type FormErrors, type FormFields } from './fields.ts';
import { monthPart } from './keyTeamParts.ts';
import type { SiteContext } from './site.ts';
import { text } from '../../../texts/text.ts';

/** Path of the team page. */
export const teamPath = '/settings/team';
/** Path of the form that chooses the account for which a person acts. */
export const actsForPath = '/settings/acts-for';

const roleLabels: Record<TeamRole, string> = {
  owner: 'Owner: everything, the team as well',
  member: 'Member: creates, sees the history, makes keys of their own',
  billing: 'Billing: sees credits and their ledger, and nothing else',
};
const roleChoices = teamRoles.map((role) => [role, roleLabels[role]] as const);

/** The page for owners. */
export function teamView(
  ctx: SiteContext,
  shown: {
    account: Account;
    /** Current time, in ms since the epoch. */
    now: number;
    asksPassword: boolean;
    errors: FormErrors | undefined;
  },
): Html {
  const { account, now, errors } = shown;
  const { members = [], invitations = [] } = account;
  return html`<h1>Team</h1>
    <p>
      People in your team work in this account with its credits. Each signs in with an account of
      their own, which keeps their password and second factor.
    </p>
    ${errors !== undefined && ctx.state.form.get('email') === '' && problemOf(errors)}
    <h2>People</h2>
    <ul class="rows">
      <li>
        <div>
          <strong>${account.email}</strong>
          <p class="quiet">Owner of the account, since ${date(account.createdAt)}</p>
        </div>
      </li>
      ${members.map((member) => memberRow(ctx, member, shown))}
    </ul>
    ${invitations.length > 0 && invitationsPart(ctx, invitations, now)} ${inviteForm(ctx, shown)}
    ${isMember(ctx, account) && leaveForm(ctx)}`;
}

/** The page for those who cannot change the team. */
export function memberView(ctx: SiteContext, account: Account, now: number): Html {
  const { id } = personOf(ctx);
  const member = account.members?.find((each) => each.id === id);
  return html`<h1>Team</h1>
    <p>You work in the account of <strong>${account.email}</strong>.</p>
    <p>Your role. ${member ? roleLabels[member.role] : ''}.</p>
    <p>Your credits this month (UTC): ${member && monthPart(member, now)}</p>
    ${leaveForm(ctx)}`;
}

const isMember = (ctx: SiteContext, account: Account) => personOf(ctx).id !== account.id;

function problemOf({ message, fields }: FormErrors): Html {
  const words = [message, ...Object.values(fields)].filter((each) => each !== '').join(' ');
  return html`<p class="notice danger" role="alert">${words}</p>`;
}

function memberRow(
  ctx: SiteContext,
  member: Member,
  { now, asksPassword }: { now: number; asksPassword: boolean },
): Html {
  const { id, email, role, joinedAt } = member;
  const named = html`<span class="visually-hidden"> of ${email}</span>`;
  const begin = html`${tokenField(ctx)} <input type="hidden" name="member" value="${id}" />`;
  const password = `password-${id}`;
  const limit = attributes({
    id: `limit-${id}`,
    name: 'monthly_credits',
    inputmode: 'numeric',
    autocomplete: 'off',
    value: member.monthlyCredits ?? '',
  });
  return html`<li>
    <div>
      <strong>${email}</strong>
      <p class="quiet">${roleLabels[role]}. Joined ${date(joinedAt)}.</p>
      <p>Credits this month (UTC): ${monthPart(member, now)}</p>
      <details>
        <summary>Change${named}</summary>
        <form action="${teamPath}/role" method="post" class="stack">
          ${begin}
          <label for="role-${id}">Role</label>
          <select id="role-${id}" name="role">
            ${roleOptions(role)}
          </select>
          ${
            asksPassword &&
            html`<label for="${password}">Your password</label>
              <input
                id="${password}"
                name="current_password"
                type="password"
                autocomplete="current-password"
              />`
          }
          <button class="small">Change the role</button>
        </form>
        <form action="${teamPath}/limit" method="post" class="inline">
          ${begin}
          <label for="limit-${id}">Credits a month, at the site and by keys that they made</label>
          <input ${limit} />
          <button class="small">Set the limit</button>
        </form>
        <form action="${teamPath}/remove" method="post">
          ${begin}
          <p>Their keys keep working, without the limit of this member.</p>
          <button class="small danger">Remove ${email}</button>
        </form>
      </details>
    </div>
  </li>`;
}

function roleOptions(chosen: TeamRole): Html[] {
  return roleChoices.map(
    ([value, label]) =>
      html`<option ${attributes({ value, selected: value === chosen })}>${label}</option>`,
  );
}

function invitationsPart(
  ctx: SiteContext,
  invitations: readonly TeamInvitation[],
  now: number,
): Html {
  const rows = invitations.map(
    ({ email, role, until }) =>
      html`<li>
        <div>
          ${email}
          <p class="quiet">
            ${roleLabels[role]}.
            ${until > now ? html`Open until ${time(until)}` : html`<strong>Over</strong> since ${time(until)}`}
          </p>
        </div>
        <form action="${teamPath}/invite" method="post" class="inline">
          ${tokenField(ctx)}
          <input type="hidden" name="email" value="${email}" />
          <input type="hidden" name="role" value="${role}" />
          <button class="small">Send again<span class="visually-hidden"> to ${email}</span></button>
          <button class="small danger" formaction="${teamPath}/withdraw">
            Withdraw<span class="visually-hidden"> ${email}</span>
          </button>
        </form>
      </li>`,
  );
  return html`<h2>Invitations</h2>
    <ul class="rows">
      ${rows}
    </ul>`;
}

function inviteForm(
  ctx: SiteContext,
  { asksPassword, errors }: { asksPassword: boolean; errors: FormErrors | undefined },
): Html {
  const isOwn = ctx.state.form.get('email') !== '';
  const fields: FormFields = formFields(ctx.state.form, isOwn ? errors : undefined);
  const email = fields.input('email', 'E-mail address', {
    type: 'email',
    autocomplete: 'off',
    required: true,
  });
  const role = fields.select('role', 'Role', roleChoices, {
    value: ctx.state.form.get('role') || 'member',
  });
  const password =
    asksPassword &&
    fields.input('current_password', 'Your password', {
      errorName: 'current',
      hint: 'Required because you signed in some time ago.',
      type: 'password',
      autocomplete: 'current-password',
      required: true,
    });
  return html`<h2 id="invite">Invite somebody</h2>
    ${fields.errorSummary()}
    <form action="${teamPath}/invite" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${email} ${role} ${password}
      <p class="quiet">
        They get a mail whose link works for a week, once, and only for this address.
      </p>
      <button class="button">Send the invitation</button>
    </form>`;
}

function leaveForm(ctx: SiteContext): Html {
  return html`<details>
    <summary>Leave this team</summary>
    <form action="${teamPath}/leave" method="post">
      ${tokenField(ctx)}
      <p>Keys that you made keep working. Only a new invitation brings you back.</p>
      <button class="small danger">Leave the team</button>
    </form>
  </details>`;
}

/** The words of the link to the team page. */
export function teamLink({ state: { account, person } }: SiteContext): string {
  if (account === null || person?.id === account.id) return text('settings.ownTeam');
  return text('settings.teamOf', { email: account.email });
}

/** The choice of an account in the header; null for a person with no other one. */
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
