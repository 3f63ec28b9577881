import type { Router } from '@koa/router';
import { isId } from '../../../../domain/ids.ts';
import type { LoggedAct, TeamLogEntry } from '../../../../domain/teams/teamLog.ts';
import { roleName } from '../../../../texts/teamWords.ts';
import { text } from '../../../../texts/text.ts';
import { listLinks, queryOf } from '../../../pages/elements.ts';
import { formatNumber, type Html, html, time } from '../../../pages/html.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { teamLogPath } from '../settingsPaths.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from '../site.ts';

const perPage = 50;

/** The page that shows the log of a team to its owners. */
export function addTeamLogPages(router: Router<SiteState>, site: Site): void {
  router.get(teamLogPath, requireSignedIn(site), async (ctx: SiteContext) => {
    const { before: cursor = '' } = queryOf(ctx.query, ['before']);
    const before = isId('log', cursor) ? cursor : null;
    const entries = await site.deps.teamLog.listNewest(accountOf(ctx).id, before, perPage + 1);
    const page = entries.slice(0, perPage);
    const older = entries.length > perPage ? (page.at(-1)?.id ?? null) : null;
    const title = text('team.log');
    const content = html`<h1>${title}</h1>
      <p>${text('team.logIntro')}</p>
      ${
        page.length === 0
          ? html`<p>${text('team.logEmpty')}</p>`
          : html`<ul class="rows">
              ${page.map(row)}
            </ul>`
      }
      ${listLinks(teamLogPath, { before: before ?? '' }, older)}`;
    site.showPage(ctx, { title, content });
  });
}

function row(entry: TeamLogEntry): Html {
  const { generations = [], at } = entry;
  const links = generations.map((id) => html` <a href="/generations/${id}">${id}</a>`);
  return html`<li>
    <div>
      <span dir="auto">${sentences[entry.act](wordsOf(entry))}</span>
      <p class="quiet">${time(at)}${links}</p>
    </div>
  </li>`;
}

function wordsOf({ by, about, key, role, credits, per, name = '', ...entry }: TeamLogEntry) {
  return {
    by: by === null ? text('team.logOperator') : describePerson(by),
    about: describePerson(about),
    key: key?.name ?? '',
    role: role === undefined ? '' : roleName(role),
    credits: credits === undefined ? null : formatNumber(credits),
    per: per ?? 'month',
    name,
    count: entry.generations?.length ?? 0,
  };
}

const describePerson = (person?: { email: string }) => person?.email || text('team.logErased');

type Words = ReturnType<typeof wordsOf>;

const sentences: Readonly<Record<LoggedAct, (words: Words) => string>> = {
  deleted: ({ by, count }) => text('team.logDeleted', { by, count }),
  cancelled: ({ by }) => text('team.logCancelled', { by }),
  published: ({ by }) => text('team.logPublished', { by }),
  'link revoked': ({ by, count }) => text('team.logLinkRevoked', { by, count }),
  'collection deleted': ({ by, name }) => text('team.logCollectionDeleted', { by, name }),
  'key made': ({ by, key }) => text('team.logKeyMade', { by, key }),
  'key replaced': ({ by, key }) => text('team.logKeyReplaced', { by, key }),
  'key revoked': ({ by, key }) => text('team.logKeyRevoked', { by, key }),
  'key limited': ({ by, key, credits, per }) =>
    credits === null
      ? text('team.logKeyUnlimited', { by, key, per })
      : text('team.logKeyLimited', { by, key, credits, per }),
  invited: ({ by, about, role, credits }) =>
    credits === null
      ? text('team.logInvited', { by, about, role })
      : text('team.logInvitedLimited', { by, about, role, credits }),
  'invitation revoked': ({ by, about }) => text('team.logInvitationRevoked', { by, about }),
  joined: ({ about, role }) => text('team.logJoined', { about, role }),
  added: ({ by, about, role }) => text('team.logAdded', { by, about, role }),
  left: ({ about }) => text('team.logLeft', { about }),
  removed: ({ by, about }) => text('team.logRemoved', { by, about }),
  'role changed': ({ by, about, role }) => text('team.logRoleChanged', { by, about, role }),
  limited: ({ by, about, credits }) =>
    credits === null
      ? text('team.logUnlimited', { by, about })
      : text('team.logLimited', { by, about, credits }),
  named: ({ by, name }) =>
    name === '' ? text('team.logUnnamed', { by }) : text('team.logNamed', { by, name }),
  'factor required': ({ by }) => text('team.logFactorRequired', { by }),
  'factor not required': ({ by }) => text('team.logFactorNotRequired', { by }),
};
