import type { Router } from '@koa/router';
import type { HistoryItem } from '../../../application/ports/generations.ts';
import { presentGeneration, presentPosters } from '../../../application/presentGeneration.ts';
import type { Account } from '../../../domain/account.ts';
import { isId } from '../../../domain/ids.ts';
import { formatNumber, time } from '../../pages/format.ts';
import { html, type Html } from '../../pages/html.ts';
import { listLinks } from './layout.ts';
import { thumbnail } from './pictures.ts';
import { requireAccount } from './signInPages.ts';
import { accountOf, type Site, type SiteContext, type SiteState } from './site.ts';

const perPage = 20;

/** Every generation of the account, of all channels. */
export function historyPages(router: Router<SiteState>, site: Site): void {
  const { generations } = site.deps.database;
  router.get('/history', requireAccount(site), async (ctx: SiteContext) => {
    const account = accountOf(ctx);
    const asked = ctx.query['before'];
    const before = typeof asked === 'string' && isId('gen', asked) ? asked : null;
    const items = await generations.history(account.id, before, perPage + 1);
    const page = items.slice(0, perPage);
    const names = await keyNames(site, account, page);
    const older = items.length > perPage ? (page.at(-1)?.id ?? null) : null;
    const list = html`<p class="quiet">
        What the studio and all your keys have made, the newest first. Files are kept for a while
        after they are finished.
      </p>
      <ul class="gallery">
        ${page.map((item) => listItem(summarise(site, item, names)))}
      </ul>
      ${listLinks('/history', before === null, older)}`;
    const none = html`<p>
      Nothing here yet. <a href="/studio">Make your first video</a>, or create one through the API:
      it appears here all the same.
    </p>`;
    const content = html`<h1>History</h1>
      ${page.length === 0 ? none : list}`;
    site.showPage(ctx, { title: 'History', content });
  });
}

/** A generation as its owner sees it in a list. */
export type GenerationSummary = ReturnType<typeof summarise>;

/** Collects what the owner sees of a generation in a list. @param names Of keys, by id. */
export function summarise(site: Site, item: HistoryItem, names: ReadonlyMap<string, string>) {
  const record = presentGeneration(item, site.addresses, site.deps.clock.now(), null);
  return {
    id: item.id,
    type: item.type,
    modelName: site.models.find(({ id }) => id === item.model)?.displayName ?? item.model,
    status: item.status,
    createdAt: item.createdAt,
    cost: `${formatNumber(item.costCredits)} credits${item.status === 'failed' ? ', refunded' : ''}`,
    madeBy:
      item.channel === 'pc' ? 'this site' : `key “${names.get(item.keyId ?? '') ?? 'removed'}”`,
    title: shorten(item.prompt),
    output: record.output,
    poster: presentPosters(item, site.addresses, site.deps.clock.now(), 320)[0] ?? null,
    parameters: item.parameters,
    error: record.error,
  };
}

/** The names of the keys that made these, by id; those that have left the account are looked up. */
export async function keyNames(
  { deps }: Site,
  { id: accountId, keys }: Account,
  items: readonly Pick<HistoryItem, 'keyId'>[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map(keys.map(({ id, name }) => [id, name]));
  const former = items.flatMap(({ keyId }) => (keyId === null || names.has(keyId) ? [] : [keyId]));
  if (former.length === 0) return names;
  return new Map([...names, ...(await deps.database.formerKeys.names(accountId, former))]);
}

function shorten(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ')];
  return letters.length <= 90 ? letters.join('') : `${letters.slice(0, 88).join('')}…`;
}

/** The states of a generation in the words of the site. */
export const statusLabels = {
  queued: 'Waiting',
  processing: 'In the making',
  completed: 'Finished',
  failed: 'Failed',
} as const;

/** The class of a state's badge. */
export function tagClass(status: keyof typeof statusLabels): string {
  if (status === 'completed') return 'badge success';
  return status === 'failed' ? 'badge danger' : 'badge progress';
}

function listItem(item: GenerationSummary): Html {
  const { id, type, status, output, error, createdAt } = item;
  const path = `/generations/${id}`;
  const isDeleted = output?.deleted_at !== undefined;
  return html`<li>
    <a class="thumb" href="${path}" tabindex="-1" aria-hidden="true"
      >${thumbnail(item, item.poster)}</a
    >
    <div>
      <a class="what" href="${path}">${item.title}</a>
      <p>
        <span class="${tagClass(status)}">${statusLabels[status]}</span>
        ${type === 'video' && 'Video · '}${item.modelName} · ${item.cost}
      </p>
      <p class="quiet">
        ${time(createdAt)} · made by ${item.madeBy}${isDeleted && ' · file deleted'}
      </p>
      ${error !== undefined && html`<p class="problem">${error.message}</p>`}
    </div>
  </li>`;
}
