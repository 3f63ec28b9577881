import type { Router } from '@koa/router';
import type { GenerationLabel } from '../../../../application/ports/generations.ts';
import type { Share } from '../../../../application/ports/wall.ts';
import { tokenFor } from '../../../../application/wall/shares.ts';
import { isId } from '../../../../domain/ids.ts';
import { text } from '../../../../texts/text.ts';
import { listLinks, queryOf, tokenField, wideTable } from '../../../pages/elements.ts';
import { attributes, type Html, html, richText, time } from '../../../pages/html.ts';
import { mayActOn } from '../acting.ts';
import { visuallyHidden } from '../keys/keyForms.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from '../site.ts';
import { listTitle } from './generationSummary.ts';
import { historyPath } from './historyFilter.ts';
import { backToLinks, linksPath, sharedPath } from './sharePages.ts';

const perPage = 50;

/** The active links of the account, newest results first. Members see only the links to their own results. */
export function addSharedLinksPage(router: Router<SiteState>, site: Site): void {
  const { shares, database } = site.deps;
  router.get(linksPath, requireSignedIn(site, linksPath), async (ctx: SiteContext) => {
    const { id: accountId } = accountOf(ctx);
    const { before: cursor = '' } = queryOf(ctx.query, ['before']);
    const before = isId('gen', cursor) ? cursor : null;
    const links = await shares.listOfAccount(accountId, perPage + 1, before);
    const page = links.slice(0, perPage);
    const older = links.length > perPage ? (page.at(-1)?.id ?? null) : null;
    const ids = page.map(({ id }) => id);
    const labels = ids.length === 0 ? [] : await database.generations.findLabels(accountId, ids);
    const byId = new Map(labels.map((label) => [label.id, label]));
    const rows = page.flatMap((share) => {
      const label = byId.get(share.id);
      return label && mayActOn(ctx, 'publish own work', label) ? [row(site, share, label)] : [];
    });
    const columns = [text('share.result'), text('share.worksUntil'), text('generation.prompt'), ''];
    const title = text('share.links');
    const content = html`<p class="crumb"><a href="${historyPath}">${text('site.history')}</a></p>
      <h1>${title}</h1>
      ${
        rows.length === 0
          ? html`<p>${text('share.noLinks')}</p>`
          : html`<p class="quiet">${text('share.linksIntro')}</p>
              <form method="post" id="revoke">
                ${tokenField(ctx)} <input type="hidden" name="back" value="${backToLinks}" />
              </form>
              ${wideTable(title, columns, rows)}`
      }
      ${listLinks(linksPath, { before: before ?? '' }, older)}`;
    site.showPage(ctx, { title, content });
  });
}

function row({ deps }: Site, share: Share, label: GenerationLabel): Html {
  const { id } = label;
  const token = tokenFor(deps, share);
  const name = html`<bdi>${listTitle(label)}</bdi>`;
  const revoke = attributes({
    class: 'small danger',
    form: 'revoke',
    formaction: `/generations/${id}/share/revoke`,
  });
  return html`<tr>
    <td>
      <a href="/generations/${id}/share">${name}</a>
      ${
        token !== null &&
        html`<br /><a class="quiet" href="${sharedPath(token)}">${text('share.open')}</a>`
      }
    </td>
    <td>${time(share.expiresAt)}</td>
    <td>${text(share.showsPrompt ? 'share.shown' : 'share.notInIt')}</td>
    <td>
      <button ${revoke}>${richText('share.revoke', { name, hidden: visuallyHidden })}</button>
    </td>
  </tr>`;
}
