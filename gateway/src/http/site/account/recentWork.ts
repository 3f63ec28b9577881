import {
  presentGeneration,
  presentPosters,
} from '../../../application/generations/presentGeneration.ts';
import type { HistoryItem } from '../../../application/ports/generations.ts';
import type { Account } from '../../../domain/account.ts';
import { html, type Html } from '../../pages/html.ts';
import { shorten } from './historyPages.ts';
import { thumbnail, statusLabels } from './pictures.ts';
import type { Site } from './site.ts';

/** Generations that are looked at, those that the strip shows, and pictures that are offered as inputs. */
const maxRead = 24;
const maxShown = 8;
const maxPictures = 6;

/** A finished picture of the account that can be an input. */
export interface OwnPicture {
  generationId: string;
  /** Its address, as a request names it. */
  url: string;
  poster: string | null;
  title: string;
  item: HistoryItem;
}

/** What an account has made lately, for the studio. */
export interface RecentWork {
  items: readonly { item: HistoryItem; poster: string | null }[];
  pictures: readonly OwnPicture[];
}

/** Reads what the account has made lately. */
export async function findRecentWork(
  { deps, addresses }: Site,
  { id }: Account,
): Promise<RecentWork> {
  const now = deps.clock.now();
  const found = await deps.database.generations.history(id, null, maxRead);
  const items = found.map((item) => {
    return { item, poster: presentPosters(item, addresses, now, 320)[0] ?? null };
  });
  const pictures = items.flatMap(({ item, poster }): OwnPicture[] => {
    const url = presentGeneration(item, addresses, now, null).output?.image_urls?.[0];
    if (url === undefined) return [];
    return [{ generationId: item.id, url, poster, title: shorten(item.prompt), item }];
  });
  return { items, pictures: pictures.slice(0, maxPictures) };
}

/** The last generations in a row, each with a link to its page. */
export function recentStrip({ items }: RecentWork): Html | null {
  if (items.length === 0) return null;
  const tiles = items.slice(0, maxShown).map(({ item, poster }) => {
    const { id, status, prompt } = item;
    const words = `${statusLabels[status]}: ${shorten(prompt)}`;
    return html`<li>
      <a class="thumb" href="/generations/${id}" aria-label="${words}"
        >${thumbnail(item, poster)}</a
      >
    </li>`;
  });
  return html`<section>
    <h2>Recent</h2>
    <ul class="gallery recent">
      ${tiles}
    </ul>
    <p class="quiet"><a href="/history">All in your history</a></p>
  </section>`;
}
