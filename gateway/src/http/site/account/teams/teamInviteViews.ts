import type { RequiredProof } from '../../../../application/signIn/proof.ts';
import type { InviteResult } from '../../../../application/teams/teamInvitations.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import type { TeamInvitation } from '../../../../domain/teams/members.ts';
import { teamLimits } from '../../../../domain/teams/team.ts';
import { type TeamRole, teamRoles } from '../../../../domain/teams/teamRoles.ts';
import { describeRefusal } from '../../../../texts/describeRefusal.ts';
import { type FixedKey, text } from '../../../../texts/text.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { attributes, type Html, html, richText, time } from '../../../pages/html.ts';
import { type FormFields, formFields } from '../fields.ts';
import { visuallyHidden } from '../keys/keyForms.ts';
import { teamPath } from '../settingsPaths.ts';
import { prefixedProofFields, requiredProofFields } from '../signIn/proofFields.ts';
import type { SiteContext } from '../site.ts';

const roleLabels = {
  owner: 'team.owner',
  editor: 'team.editor',
  member: 'team.member',
  billing: 'team.billing',
} as const satisfies Record<TeamRole, FixedKey>;
/** The name of a role. */
export const teamRoleLabel = (role: TeamRole) => text(roleLabels[role]);
/** The roles of a team with their names, for a field. */
export const roleChoices = () => teamRoles.map((role) => [role, teamRoleLabel(role)] as const);

const strong = (inner: Html) => html`<strong>${inner}</strong>`;

/** Content of the page for owners. */
export interface InvitePageView {
  account: Account;
  /** Current time, in ms since the epoch. */
  nowMs: number;
  requiredProof: RequiredProof;
  errors: FormErrors | undefined;
  /** Results of a form with several addresses, some of which were refused. */
  results: readonly InviteResult[];
}

/** The person for whom a form of the page was sent: `new` for an invitation to someone new; empty if none was sent. */
export function sentFor({ state: { form } }: SiteContext): string {
  const [member, again] = [form.get('member'), form.get('again')];
  if (member !== '') return member;
  return again === '' && form.get('email') !== '' ? 'new' : again;
}

/** The result for each address of a form. */
export function resultsPart(results: readonly InviteResult[]): Html {
  const rows = results.map(({ email, problem }) =>
    problem === null
      ? html`<li>${text('team.wasInvited', { email })}</li>`
      : html`<li class="problem">
          ${text('team.wasNotInvited', { email, problem: describeRefusal(problem) })}
        </li>`,
  );
  return html`<div class="notice" role="status">
    <h2>${text('team.invitations')}</h2>
    <ul>
      ${rows}
    </ul>
  </div>`;
}

/** Open invitations, and recently expired ones. */
export function invitationsPart(
  ctx: SiteContext,
  invitations: readonly TeamInvitation[],
  { nowMs, requiredProof, errors }: InvitePageView,
): Html {
  const revoke = attributes({ class: 'small danger', formaction: `${teamPath}/revoke` });
  const rows = invitations.map(
    ({ email, role, until, monthlyCredits }) =>
      html`<li>
        <div>
          ${email}
          <p class="quiet">
            ${
              until > nowMs
                ? richText('team.openUntil', { role: teamRoleLabel(role), time: time(until) })
                : richText('team.expiredSince', {
                    role: teamRoleLabel(role),
                    time: time(until),
                    strong,
                  })
            }
          </p>
        </div>
        <details ${sentFor(ctx) === email && html`open`}>
          <summary>${richText('team.change', { email, hidden: visuallyHidden })}</summary>
          <form action="${teamPath}/invite" method="post" class="stack" novalidate>
            ${tokenField(ctx)}
            <input type="hidden" name="again" value="${email}" />
            <input type="hidden" name="email" value="${email}" />
            <input type="hidden" name="role" value="${role}" />
            ${
              monthlyCredits !== undefined &&
              html`<input type="hidden" name="monthly_credits" value="${monthlyCredits}" />`
            }
            ${prefixedProofFields(ctx, requiredProof, `${email} `, sentFor(ctx) === email ? errors : undefined)}
            <div class="actions">
              <button class="small">
                ${richText('team.sendAgain', { email, hidden: visuallyHidden })}
              </button>
              <button ${revoke}>
                ${richText('team.revokeInvitation', { email, hidden: visuallyHidden })}
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

/** The form that invites people. */
export function inviteForm(
  ctx: SiteContext,
  { requiredProof, errors, results }: InvitePageView,
): Html {
  const isOwn = sentFor(ctx) === 'new';
  const refused = results.filter(({ problem }) => problem !== null);
  const fields: FormFields = formFields(ctx.state.form, isOwn ? errors : undefined);
  const email = fields.text('email', text('team.emails'), {
    ...(results.length > 0 && { value: refused.map((each) => each.email).join('\n') }),
    hint: text('team.emailsHint', { max: teamLimits.invitations }),
    rows: 2,
    autocomplete: 'off',
    inputmode: 'email',
    required: true,
  });
  const role = fields.select('role', text('team.role'), roleChoices(), {
    value: ctx.state.form.get('role') || 'member',
  });
  const limit = fields.input('monthly_credits', text('team.monthlyOfInvited'), {
    errorName: 'monthlyCredits',
    inputmode: 'numeric',
    autocomplete: 'off',
  });
  const proof = requiredProofFields(ctx, requiredProof, fields);
  return html`<h2 id="invite">${text('team.invite')}</h2>
    ${fields.errorSummary()}
    <form action="${teamPath}/invite" method="post" class="card" novalidate>
      ${tokenField(ctx)} ${email} ${role} ${limit} ${proof}
      <p class="quiet">${text('team.inviteHint')}</p>
      <button class="button">${text('team.sendInvitation')}</button>
    </form>`;
}
