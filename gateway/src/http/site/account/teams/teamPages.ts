import type { Router } from '@koa/router';
import {
  leaveTeam,
  removeFromTeam,
  revokeKeysOf,
  setMemberLimit,
  setMemberRole,
} from '../../../../application/teams/team.ts';
import {
  type InviteResult,
  inviteToTeam,
  revokeTeamInvitation,
} from '../../../../application/teams/teamInvitations.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { mayInTeam } from '../../../../domain/teams/teamRoles.ts';
import { teamLabel } from '../../../../texts/teamWords.ts';
import { text } from '../../../../texts/text.ts';
import { redirect } from '../../../pages/context.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { formatNumber } from '../../../pages/html.ts';
import { landingOf, personOf } from '../acting.ts';
import { retryForm, sentField } from '../fields.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { actsForPath, teamPath } from '../settingsPaths.ts';
import { loadRequiredProof, requirePerson } from '../signIn/proofFields.ts';
import { accountOf, keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';
import { addOwnerForms } from './ownerForms.ts';
import { memberView, teamView } from './teamViews.ts';

/** The page of a team, and the switch between accounts to act for. */
export function addTeamPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireSignedIn(site, teamPath);

  /** @param errors Errors of one of its forms. */
  const show = async (
    ctx: SiteContext,
    errors?: FormErrors,
    results: readonly InviteResult[] = [],
  ) => {
    const account = (await deps.database.accounts.find(accountOf(ctx).id)) ?? accountOf(ctx);
    const nowMs = deps.clock.now();
    const isOwner = mayInTeam(ctx.state.role, 'manage people');
    const requiredProof = await loadRequiredProof(site, ctx);
    const content = isOwner
      ? teamView(ctx, { account, nowMs, requiredProof, errors, results })
      : memberView(ctx, account, nowMs);
    site.showPage(ctx, { title: text('team.title'), content, status: errors?.status });
  };
  router.get(teamPath, gate, (ctx: SiteContext) => show(ctx));

  const formText = (ctx: SiteContext, name: string) => ctx.state.form.get(name);

  const form = addOwnerForms(router, site, teamPath, show);

  router.post(`${teamPath}/invite`, gate, (ctx: SiteContext) =>
    retryForm(
      async () => {
        await requirePerson(site, ctx);
        const results = await inviteToTeam(deps, {
          accountId: accountOf(ctx).id,
          by: personOf(ctx),
          emails: formText(ctx, 'email'),
          role: formText(ctx, 'role'),
          // A form without the field changes no limit of an earlier invitation.
          monthlyCredits: ctx.state.form.all('monthly_credits')[0],
        });
        if (results.some(({ problem }) => problem !== null)) {
          await show(ctx, undefined, results);
          return;
        }
        const [first] = results;
        const emails = results.map(({ email }) => email).join(', ');
        const isOne = results.length === 1 && first !== undefined;
        keepNotice(
          ctx,
          isOne
            ? text('team.invited', { email: first.email })
            : text('team.invitedAll', { emails }),
        );
        redirect(ctx, teamPath);
      },
      (errors) => show(ctx, errors),
    ),
  );
  form('revoke', async (ctx, command) => {
    await revokeTeamInvitation(deps, { ...command, email: formText(ctx, 'email') });
    return text('team.invitationRevoked');
  });
  form('role', async (ctx, command) => {
    await requirePerson(site, ctx);
    const member = { memberId: formText(ctx, 'member'), role: formText(ctx, 'role') };
    await setMemberRole(deps, { ...command, ...member });
    return text('team.roleChanged');
  });
  form('limit', async (ctx, command) => {
    await requirePerson(site, ctx);
    const memberId = formText(ctx, 'member');
    const monthlyCredits = sentField(ctx.state.form, 'monthly_credits');
    const credits = await setMemberLimit(deps, { ...command, memberId, monthlyCredits });
    return credits === null
      ? text('team.memberUnlimited')
      : text('team.memberLimited', { credits: formatNumber(credits) });
  });
  form('remove', async (ctx, command) => {
    const memberId = formText(ctx, 'member');
    const keys = formText(ctx, 'keys') === 'revoke' ? 'revoke' : 'keep';
    const email = await removeFromTeam(deps, { ...command, memberId, keys });
    if (email === '') return text('refusals.team_member_not_found');
    return text(keys === 'keep' ? 'team.removed' : 'team.removedWithKeys', { email });
  });

  form('keys', async (ctx, command) => {
    await revokeKeysOf(deps, { ...command, memberId: formText(ctx, 'member') });
    return text('team.keysRevoked');
  });

  router.post(`${teamPath}/leave`, gate, async (ctx: SiteContext) => {
    const [accountId, person] = [accountOf(ctx).id, personOf(ctx)];
    await retryForm(
      async () => {
        await leaveTeam(deps, { accountId, person });
        await actFor(ctx, null);
        keepNotice(ctx, text('team.left'));
        redirect(ctx, landingOf('owner'));
      },
      (errors) => show(ctx, errors),
    );
  });

  /** @param teamId Null for the person's own account. */
  const actFor = async ({ state: { session } }: SiteContext, teamId: string | null) => {
    if (session) await deps.sessions.actFor(session.id, teamId);
  };

  router.post(actsForPath, gate, async (ctx: SiteContext) => {
    const accountId = formText(ctx, 'account');
    const team = ctx.state.teams.find(({ id }) => id === accountId);
    if (!team && accountId !== personOf(ctx).id) {
      throw new Refusal('team_not_yours');
    }
    await actFor(ctx, team?.id ?? null);
    keepNotice(ctx, team ? text('team.nowFor', { team: teamLabel(team) }) : text('team.nowOwn'));
    redirect(ctx, landingOf(team?.role ?? 'owner'));
  });
}
