import type { Router } from '@koa/router';
import {
  endChosenAccess,
  type ExternalAccess,
  listAccess,
} from '../../../../application/signIn/access.ts';
import type { RequiredProof } from '../../../../application/signIn/proof.ts';
import { type Account, isRecovering } from '../../../../domain/accounts/account.ts';
import { type ApiKey, isLive } from '../../../../domain/accounts/apiKey.ts';
import { identityName } from '../../../../domain/signIn/recovery.ts';
import { describeBrowser } from '../../../../texts/describeBrowser.ts';
import { roleName } from '../../../../texts/teamWords.ts';
import { text } from '../../../../texts/text.ts';
import { redirect } from '../../../pages/context.ts';
import { tokenField } from '../../../pages/elements.ts';
import type { FormErrors } from '../../../pages/formErrors.ts';
import { ago, date, type Html, html, richText, time } from '../../../pages/html.ts';
import { personOf } from '../acting.ts';
import { messageSummary, retryForm } from '../fields.ts';
import { listTitle } from '../generations/generationSummary.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { accessPath } from '../settingsPaths.ts';
import { loadRequiredProof, prefixedProofFields, requirePerson } from '../signIn/proofFields.ts';
import { keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';

/** The page that lists every access to a person's own account, each with a way to end it. */
export function addAccessPages(router: Router<SiteState>, site: Site): void {
  const { deps } = site;
  const gate = requireSignedIn(site, accessPath);

  router.get(accessPath, gate, async (ctx: SiteContext) => {
    await show(ctx);
  });

  const show = async (ctx: SiteContext, errors?: FormErrors) => {
    const account = personOf(ctx);
    const requiredProof = await loadRequiredProof(site, ctx);
    const external = await listAccess(deps, account);
    const shared = external.links.map(({ id }) => id);
    const labels =
      shared.length === 0 ? [] : await deps.database.generations.findLabels(account.id, shared);
    const titles = new Map(labels.map((label) => [label.id, listTitle(label)]));
    const content = accessView(site, ctx, account, { ...external, titles, requiredProof, errors });
    site.showPage(ctx, { title: text('access.title'), content, status: errors?.status });
  };

  router.post(accessPath, gate, async (ctx: SiteContext) => {
    const { form } = ctx.state;
    const account = personOf(ctx);
    const wasRecovering = isRecovering(account);
    await retryForm(
      async () => {
        const sessions = form.all('session');
        if (sessions.length > 0) await requirePerson(site, ctx);
        await endChosenAccess(deps, account.id, {
          // This form must not end the last way to sign in.
          identities: account.passwordHash === null ? [] : form.all('identity'),
          members: form.all('member'),
          invitations: form.all('invitation'),
          keys: form.all('key'),
          links: form.all('link'),
          teamKeys: form.all('team-key'),
          sessions,
        });
        keepNotice(ctx, text('access.done'));
        redirect(ctx, wasRecovering ? '/studio' : accessPath);
      },
      (errors) => show(ctx, errors),
    );
  });
}

const keyLabel = ({ name, lastFour }: ApiKey) => `${name} …${lastFour}`;

function aboutKey({ id, createdAt }: ApiKey, uses: ExternalAccess['uses']): Html {
  const use = uses.get(id);
  const since = { date: date(createdAt) };
  if (use === undefined) return richText('access.since', since);
  return richText('access.used', { ...since, used: ago(use.at), address: use.address });
}

/** An access that can be ended. */
interface AccessEntry {
  value: string;
  name: Html | string;
  about: Html | string;
}

function accessView(
  { deps }: Site,
  ctx: SiteContext,
  account: Account,
  {
    sessions,
    links,
    teamKeys,
    uses,
    titles,
    requiredProof,
    errors,
  }: ExternalAccess & {
    /** Titles of the generations behind the links, by id. */
    titles: ReadonlyMap<string, string>;
    requiredProof: RequiredProof;
    errors: FormErrors | undefined;
  },
): Html {
  const nowMs = deps.clock.now();
  const isTicked = isRecovering(account);
  const otherSessions = sessions.filter(({ id }) => id !== ctx.state.session?.id);
  const { identities = [], members = [], invitations = [], keys, passwordHash } = account;
  const parts = [
    part(
      'identity',
      text('access.identities'),
      isTicked,
      (passwordHash === null ? [] : identities).map((identity) => ({
        value: identityName(identity),
        name: deps.signOn?.name ?? identity.issuer,
        about: richText('access.since', { date: date(identity.linkedAt) }),
      })),
    ),
    part(
      'member',
      text('access.members'),
      isTicked,
      members.map(({ id, email, role, joinedAt }) => ({
        value: id,
        name: email,
        about: richText('team.joined', { role: roleName(role), date: date(joinedAt) }),
      })),
    ),
    part(
      'invitation',
      text('team.invitations'),
      isTicked,
      invitations
        .filter(({ until }) => until > nowMs)
        .map(({ email, role, until }) => ({
          value: email,
          name: email,
          about: richText('team.openUntil', { role: roleName(role), time: time(until) }),
        })),
    ),
    part(
      'key',
      text('site.keys'),
      isTicked,
      keys
        .filter((key) => isLive(key, nowMs))
        .map((key) => ({
          value: key.id,
          name: key.madeBy ? `${keyLabel(key)} (${key.madeBy.email})` : keyLabel(key),
          about: aboutKey(key, uses),
        })),
    ),
    part(
      'team-key',
      text('access.teamKeys'),
      isTicked,
      teamKeys.map(({ team, key }) => ({
        value: key.id,
        name: `${keyLabel(key)} (${team.email})`,
        about: aboutKey(key, uses),
      })),
    ),
    part('link', text('share.links'), isTicked, [
      // Also covers rows that are not shown.
      ...(links.length > 1 ? [{ value: 'all', name: text('access.allLinks'), about: '' }] : []),
      ...links.map(({ id, expiresAt }) => ({
        value: id,
        name: html`<a href="/generations/${id}"><bdi>${titles.get(id) ?? id}</bdi></a>`,
        about: richText('access.until', { time: time(expiresAt) }),
      })),
    ]),
    part(
      'session',
      text('settings.sessions'),
      false,
      otherSessions.map(({ id, userAgent, address, createdAt, seenAt }) => ({
        value: id,
        name: describeBrowser(userAgent),
        about: richText('settings.session', {
          address,
          since: time(createdAt),
          seen: ago(seenAt),
        }),
      })),
    ),
  ].filter((each) => each !== null);
  const button = text(isTicked ? 'access.endAndGoOn' : 'access.end');
  return html`<h1>${text('access.title')}</h1>
    <p>${text(isTicked ? 'access.afterReset' : 'access.intro')}</p>
    ${messageSummary(errors)}
    <form action="${accessPath}" method="post" novalidate>
      ${tokenField(ctx)} ${parts.length === 0 ? html`<p>${text('access.nothing')}</p>` : parts}
      ${
        otherSessions.length > 0 &&
        html`<p>${text('access.sessionsNeedProof')}</p>
          ${prefixedProofFields(ctx, requiredProof, '', errors)}`
      }
      ${(parts.length > 0 || isTicked) && html`<button class="button">${button}</button>`}
    </form>`;
}

function part(
  kind: string,
  title: string,
  isTicked: boolean,
  rows: readonly AccessEntry[],
): Html | null {
  if (rows.length === 0) return null;
  return html`<fieldset>
    <legend>${title}</legend>
    <ul class="rows">
      ${rows.map(
        ({ value, name, about }) =>
          html`<li>
            <label class="check"
              ><input
                type="checkbox"
                name="${kind}"
                value="${value}"
                ${isTicked && html`checked`}
              />
              <span><strong>${name}</strong> <span class="quiet">${about}</span></span></label
            >
          </li>`,
      )}
    </ul>
  </fieldset>`;
}
