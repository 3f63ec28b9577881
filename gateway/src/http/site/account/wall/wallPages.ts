import type { Router } from '@koa/router';
import type { HistoryItem } from '../../../../application/ports/generations.ts';
import type { Collection } from '../../../../application/ports/wall.ts';
import {
  addToCollection,
  renameCollection,
  requireCollection,
} from '../../../../application/wall/collections.ts';
import { deleteGenerations } from '../../../../application/wall/deleteGenerations.ts';
import { listAllOfWork } from '../../../../application/wall/listWork.ts';
import { isId } from '../../../../domain/ids.ts';
import { Refusal } from '../../../../domain/refusal.ts';
import { describeRefusal } from '../../../../texts/describeRefusal.ts';
import { text } from '../../../../texts/text.ts';
import { does } from '../../../atWork.ts';
import { pathToReturnTo, redirect } from '../../../pages/context.ts';
import { queryOf, tokenField } from '../../../pages/elements.ts';
import { attributes, type Html, html } from '../../../pages/html.ts';
import { mayActOn, personOf, requireMayActOn } from '../acting.ts';
import { findMakers, summarise } from '../generations/generationSummary.ts';
import {
  collectionQuery,
  historyFilter,
  historyPath,
  queryOfList,
} from '../generations/historyFilter.ts';
import type { ZipResponse } from '../generations/zipResponse.ts';
import { ratioClass, thumbnail } from '../pictures.ts';
import { requireSignedIn } from '../requireSignedIn.ts';
import { accountOf, keepNotice, type Site, type SiteContext, type SiteState } from '../site.ts';
import { comparison } from '../studio/comparison.ts';
import { allField } from './allParts.ts';
import { isComparable, maxSelected, selectedIds, withSelection } from './wallParts.ts';

/** Pages that the wall's actions may return to. */
const backPages = /^\/(history(\/compare)?|studio|generations\/gen_\w+)(\?[\w=&%.+~-]*)?$/;

/** Actions on one or several generations of the history: favourites, collections, download, compare and delete. */
export function addWallPages(router: Router<SiteState>, site: Site, zip: ZipResponse): void {
  const { deps } = site;
  // After a sign-in, the browser returns to the history with the same selection.
  const gate = requireSignedIn(site, historyPath);

  router.post('/history/favourites', gate, (ctx: SiteContext) =>
    withSelected(ctx, async (ids) => {
      const isOne = ctx.query['to'] === 'yes';
      await deps.wall.setFavourite(accountOf(ctx).id, ids, isOne, deps);
      // The heart shows the result, so no notice is needed.
      if (ctx.state.form.get('quiet') !== '') return null;
      return isOne ? text('wall.added') : text('wall.removed');
    }),
  );

  router.post('/history/collections', gate, (ctx: SiteContext) =>
    withSelected(ctx, async (ids) => {
      const { form } = ctx.state;
      const to = { id: form.get('collection'), name: form.get('name') };
      const { name } = await addToCollection(deps, makerIn(ctx), ids, to);
      return text('wall.addedTo', { name });
    }),
  );

  router.post('/collections/:id/take-out', gate, (ctx: SiteContext) =>
    withSelected(ctx, async (ids) => {
      const { id } = await findCollection(ctx);
      await deps.wall.takeOut(accountOf(ctx).id, ids, id);
      return text('wall.takenOut');
    }),
  );

  router.post('/collections/:id/name', gate, async (ctx: SiteContext) => {
    const { id = '' } = ctx.params;
    await keepOutcome(ctx, async () => {
      await renameCollection(deps, await findCollection(ctx), ctx.state.form.get('name'));
      return text('wall.renamed');
    });
    redirect(ctx, collectionQuery(id));
  });

  router.post('/collections/:id/delete', gate, async (ctx: SiteContext) => {
    await keepOutcome(ctx, async () => {
      const collection = await findCollection(ctx);
      await deps.collections.remove(collection, deps.actor.signature(deps.clock.now()));
      return text('wall.collectionDeleted', { name: collection.name });
    });
    redirect(ctx, historyPath);
  });

  router.get('/history/files.zip', does('export'), gate, async (ctx: SiteContext) => {
    try {
      await zip(ctx, await findSelectedItems(ctx), site.deps.brand.slug);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const none = text('wall.nothingToDownload');
      keepNotice(ctx, error.code === 'generation_not_found' ? none : describeRefusal(error));
      redirect(ctx, backOf(ctx));
    }
  });

  router.get('/history/compare', gate, async (ctx: SiteContext) => {
    const items = await findSelectedItems(ctx);
    const back = backOf(ctx);
    if (!isComparable(items.length)) {
      redirect(ctx, withSelection(back, items));
      return;
    }
    const content = comparison(site, ctx, items, back);
    site.showPage(ctx, { title: text('wall.compare'), content, script: 'wall' });
  });

  router.get('/history/delete', gate, async (ctx: SiteContext) => {
    const selected = await findSelectedItems(ctx);
    if (selected.length > maxSelected) {
      keepNotice(ctx, text('wall.deleteAtOnce', { max: maxSelected }));
      redirect(ctx, backOf(ctx));
      return;
    }
    const items = selected.filter((item) => mayActOn(ctx, 'delete own work', item));
    if (items.length === 0) {
      keepNotice(
        ctx,
        text(selected.length === 0 ? 'wall.selectFirst' : 'refusals.work_of_another'),
      );
      redirect(ctx, backOf(ctx));
      return;
    }
    const makers = await findMakers(site, ctx, items);
    const pictures = items.map((item) => {
      const summary = summarise(site, item, makers);
      return html`<li class="${ratioClass(item)}">
        <div class="thumb">${thumbnail(summary, summary.poster)}</div>
        <span class="what" dir="auto">${summary.title}</span>
      </li>`;
    });
    const content = deletePage(ctx, items, { pictures, back: backOf(ctx) });
    site.showPage(ctx, { title: text('wall.deleteTitle'), content, script: 'wall' });
  });

  router.post('/history/delete', gate, (ctx: SiteContext) =>
    withSelected(ctx, async (ids) => {
      const { deleted, unfinished, others } = await deleteGenerations(deps, makerIn(ctx), ids);
      return [
        text('wall.deleted', { count: deleted }),
        unfinished > 0 && text('wall.unfinished', { count: unfinished }),
        others > 0 && text('wall.madeByOthers', { count: others }),
      ]
        .filter((each) => each !== false)
        .join(' ');
    }),
  );

  /** The collection of the path. @throws Refusal */
  async function findCollection(ctx: SiteContext): Promise<Collection> {
    const collection = await requireCollection(deps, accountOf(ctx).id, ctx.params['id'] ?? '');
    requireMayActOn(ctx, 'change own collections', collection);
    return collection;
  }

  /** Runs an action on a form's selection, and returns with its result as a notice. */
  async function withSelected(
    ctx: SiteContext,
    act: (ids: string[]) => Promise<string | null>,
  ): Promise<void> {
    const { form } = ctx.state;
    await keepOutcome(ctx, async () => {
      const all = form.get(allField);
      const ids =
        all === ''
          ? selectedIds(form.all('id'))
          : (await findListedItems(ctx, all)).map(({ id }) => id);
      return ids.length === 0 ? text('wall.selectFirst') : act(ids);
    });
    redirect(ctx, backOf(ctx));
  }

  async function findListedItems(ctx: SiteContext, list: string): Promise<HistoryItem[]> {
    const filter = historyFilter(queryOfList(list));
    return (await listAllOfWork(deps, accountOf(ctx).id, filter)).items;
  }

  async function findSelectedItems(ctx: SiteContext): Promise<HistoryItem[]> {
    const all = ctx.query[allField];
    if (typeof all === 'string') return findListedItems(ctx, all);
    const ids = selectedIds([ctx.query['id'] ?? []].flat());
    return ids.length === 0 ? [] : deps.database.generations.findItems(accountOf(ctx).id, ids);
  }
}

const makerIn = (ctx: SiteContext) => ({ account: accountOf(ctx), personId: personOf(ctx).id });

/** Keeps an action's message, or its refusal, for the next page. */
async function keepOutcome(ctx: SiteContext, act: () => Promise<string | null>): Promise<void> {
  try {
    const notice = await act();
    if (notice !== null) keepNotice(ctx, notice);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    keepNotice(ctx, describeRefusal(error));
  }
}

/** The originating page; a deleted generation's own page remains readable. */
const backOf = (ctx: SiteContext): string =>
  pathToReturnTo(ctx.state.form.get('back') || ctx.query['back'], backPages) ?? historyPath;

/** Confirms an irreversible deletion; afterwards the browser shows the remaining one of a comparison of two. */
function deletePage(
  ctx: SiteContext,
  items: readonly HistoryItem[],
  { pictures, back }: { pictures: readonly Html[]; back: string },
): Html {
  const count = items.length;
  const { keep = '' } = queryOf(ctx.query, ['keep']);
  const next = isId('gen', keep) ? `/generations/${keep}` : back;
  const ids = items.map(({ id }) => {
    const field = attributes({ type: 'hidden', name: 'id', value: id });
    return html`<input ${field} />`;
  });
  return html`<h1>${text('wall.deleteQuestion', { count })}</h1>
    <p>${text('wall.deleteMeans')}</p>
    <ul class="wall">
      ${pictures}
    </ul>
    <form action="/history/delete" method="post" class="inline">
      ${tokenField(ctx)} <input type="hidden" name="back" value="${next}" /> ${ids}
      <button class="danger">${text('wall.deleteButton', { count })}</button>
      <a href="${back}">${text('wall.keep')}</a>
    </form>`;
}
