import type { Router } from '@koa/router';
import {
  collect,
  renameCollection,
  requireCollection,
} from '../../../application/site/collections.ts';
import { removeGenerations } from '../../../application/site/removeGenerations.ts';
import type { HistoryItem } from '../../../application/ports/generations.ts';
import { isId } from '../../../domain/ids.ts';
import { PlainRefusal, Refusal } from '../../../domain/refusal.ts';
import { pathToReturnTo, redirect } from '../../pages/context.ts';
import { attributes, html, type Html } from '../../pages/html.ts';
import { tokenField } from '../../pages/layout.ts';
import { comparison } from './comparison.ts';
import { keyNames, summarise } from './generationSummary.ts';
import { collectionQuery, history } from './historyFilter.ts';
import { ratioClass, thumbnail } from './pictures.ts';
import { requireAccount } from './requireAccount.ts';
import { accountOf, keepNotice, type Site, type SiteContext, type SiteState } from './site.ts';
import { mostSelected } from './wallParts.ts';
import type { ZipAnswer } from './zipAnswer.ts';

/** Pages that the actions of the wall lead back to. */
const backPages = /^\/(history|studio|generations\/gen_\w+)(\?[\w=&%.+~-]*)?$/;

/** Actions on one or several generations of the history: favourites, collections, download, compare and delete. */
export function wallPages(router: Router<SiteState>, site: Site, zip: ZipAnswer): void {
  const { deps } = site;
  // After a sign-in, the browser returns to the history: what was selected is selected there again.
  const gate = requireAccount(site, history);

  router.post('/history/favourites', gate, (ctx: SiteContext) =>
    withSelected(ctx, async (ids) => {
      const isOne = ctx.query['to'] === 'yes';
      await deps.wall.setFavourite(accountOf(ctx).id, ids, isOne);
      // A heart says by itself what it did.
      if (ctx.state.form.get('quiet') !== '') return null;
      return isOne ? 'Added to your favourites.' : 'Removed from your favourites.';
    }),
  );

  router.post('/history/collections', gate, (ctx: SiteContext) =>
    withSelected(ctx, async (ids) => {
      const { form } = ctx.state;
      const to = { id: form.get('collection'), name: form.get('name') };
      const { name } = await collect(deps, accountOf(ctx).id, ids, to);
      return `Added to “${name}”.`;
    }),
  );

  router.post('/collections/:id/take-out', gate, (ctx: SiteContext) =>
    withSelected(ctx, async (ids) => {
      await deps.wall.takeOut(accountOf(ctx).id, ids, ctx.params['id'] ?? '');
      return 'Removed from the collection.';
    }),
  );

  router.post('/collections/:id/name', gate, async (ctx: SiteContext) => {
    const { id = '' } = ctx.params;
    await tell(ctx, async () => {
      await renameCollection(deps, accountOf(ctx).id, { id, name: ctx.state.form.get('name') });
      return 'Renamed.';
    });
    redirect(ctx, collectionQuery(id));
  });

  router.post('/collections/:id/delete', gate, async (ctx: SiteContext) => {
    await tell(ctx, async () => {
      const accountId = accountOf(ctx).id;
      const { id, name } = await requireCollection(deps, accountId, ctx.params['id'] ?? '');
      await deps.collections.remove(accountId, id);
      return `“${name}” is deleted. What was in it stays in your history.`;
    });
    redirect(ctx, history);
  });

  router.get('/history/files.zip', gate, async (ctx: SiteContext) => {
    const items = await selectedItems(ctx);
    try {
      zip(ctx, items, site.deps.brand.slug);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const none = 'Nothing to download: choose something that has files.';
      keepNotice(ctx, error.code === 'generation_not_found' ? none : error.message);
      redirect(ctx, backOf(ctx));
    }
  });

  router.get('/history/compare', gate, async (ctx: SiteContext) => {
    const items = await selectedItems(ctx);
    const [first, second] = items;
    if (!first || !second || items.length > 2) {
      keepNotice(ctx, 'Select two to compare them.');
      redirect(ctx, backOf(ctx));
      return;
    }
    const back = backOf(ctx);
    const content = comparison(site, [first, second], back);
    site.showPage(ctx, { title: 'Compare', content, script: 'wall' });
  });

  router.get('/history/delete', gate, async (ctx: SiteContext) => {
    const account = accountOf(ctx);
    const items = await selectedItems(ctx);
    if (items.length === 0) {
      keepNotice(ctx, nothingSelected);
      redirect(ctx, backOf(ctx));
      return;
    }
    const names = await keyNames(site, account, items);
    const pictures = items.map((item) => {
      const summary = summarise(site, item, names);
      return html`<li class="${ratioClass(item)}">
        <div class="thumb">${thumbnail(summary, summary.poster)}</div>
        <span class="what" dir="auto">${summary.title}</span>
      </li>`;
    });
    const content = deletePage(ctx, items, { pictures, back: backOf(ctx) });
    site.showPage(ctx, { title: 'Delete', content, script: 'wall' });
  });

  router.post('/history/delete', gate, (ctx: SiteContext) =>
    withSelected(ctx, async (ids) => {
      const { removed, unfinished } = await removeGenerations(deps, accountOf(ctx).id, ids);
      const still =
        unfinished === 0
          ? ''
          : ` ${unfinished} still in progress: cancel them or wait for their end.`;
      return `${removed} deleted.${still}`;
    }),
  );

  /** Runs an action on what a form has selected, and goes back with its result as a notice. */
  async function withSelected(
    ctx: SiteContext,
    act: (ids: string[]) => Promise<string | null>,
  ): Promise<void> {
    const ids = selectedIds(ctx.state.form.all('id'));
    await tell(ctx, async () => (ids.length === 0 ? nothingSelected : act(ids)));
    redirect(ctx, backOf(ctx));
  }

  async function selectedItems(ctx: SiteContext): Promise<HistoryItem[]> {
    const ids = selectedIds([ctx.query['id'] ?? []].flat());
    return ids.length === 0 ? [] : deps.database.generations.items(accountOf(ctx).id, ids);
  }
}

const nothingSelected = 'Select something first.';

const selectedIds = (given: readonly string[]): string[] =>
  [...new Set(given)].filter((id) => isId('gen', id)).slice(0, mostSelected);

/** Keeps the message of an action, or of its refusal, for the next page. */
async function tell(ctx: SiteContext, act: () => Promise<string | null>): Promise<void> {
  try {
    const said = await act();
    if (said !== null) keepNotice(ctx, said);
  } catch (error) {
    if (!(error instanceof PlainRefusal)) throw error;
    keepNotice(ctx, error.message);
  }
}

/** Where the page came from; a deleted generation's own page stays readable. */
const backOf = (ctx: SiteContext): string =>
  pathToReturnTo(ctx.state.form.get('back') || ctx.query['back'], backPages) ?? history;

/** Asks before something is deleted that cannot be brought back. */
function deletePage(
  ctx: SiteContext,
  items: readonly HistoryItem[],
  { pictures, back }: { pictures: readonly Html[]; back: string },
): Html {
  const count = items.length === 1 ? 'this generation' : `these ${items.length} generations`;
  const button = items.length === 1 ? 'Delete it' : `Delete all ${items.length}`;
  const ids = items.map(({ id }) => {
    const field = attributes({ type: 'hidden', name: 'id', value: id });
    return html`<input ${field} />`;
  });
  return html`<h1>Delete ${count}?</h1>
    <p>
      Files, prompts and links are deleted for good. The credits that were charged stay charged, and
      your ledger keeps its entries. Programs that ask the API for a deleted generation get its
      record without files.
    </p>
    <ul class="wall">
      ${pictures}
    </ul>
    <form action="/history/delete" method="post" class="inline">
      ${tokenField(ctx)} <input type="hidden" name="back" value="${back}" /> ${ids}
      <button class="danger">${button}</button>
      <a href="${back}">Keep</a>
    </form>`;
}
