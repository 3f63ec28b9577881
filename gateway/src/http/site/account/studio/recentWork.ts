import {
  presentGeneration,
  presentPosters,
} from '../../../../application/generations/presentGeneration.ts';
import type { HistoryItem } from '../../../../application/ports/generations.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { shorten } from '../generations/generationSummary.ts';
import type { Site } from '../site.ts';

/** Numbers of generations read, and pictures offered as inputs. */
const maxRead = 24;
const maxPictures = 6;

/** A finished picture of the account for use as an input. */
export interface OwnPicture {
  /** `findOwnPicture` finds it by this id. */
  id: string;
  /** URL for use in a request. */
  url: string;
  poster: string | null;
  title: string;
  item: HistoryItem;
}

/** Recent generations of an account, for the studio. */
export interface RecentWork {
  /** Newest first, with their first posters. */
  items: readonly { item: HistoryItem; poster: string | null }[];
  pictures: readonly OwnPicture[];
}

/** Reads the recent generations of an account. */
export async function findRecentWork({ deps }: Site, { id }: Account): Promise<RecentWork> {
  const { publicUrls } = deps;
  const nowMs = deps.clock.now();
  const newest = await deps.database.generations.listNewest(id, maxRead);
  const postersOf = (item: HistoryItem, outputs = item.outputs) =>
    presentPosters({ ...item, outputs }, publicUrls, nowMs, 320);
  const pictures: OwnPicture[] = [];
  for (const item of newest) {
    if (pictures.length >= maxPictures) break;
    if (item.type !== 'image') continue;
    const urls = presentGeneration(item, publicUrls, nowMs, null).output?.image_urls ?? [];
    const posters = postersOf(item);
    const title = shorten(item.prompt);
    for (const [index, url] of urls.entries()) {
      const poster = posters[index] ?? null;
      pictures.push({ id: pictureId(item.id, index), url, poster, title, item });
    }
  }
  const items = newest.map((item) => {
    const [poster = null] = postersOf(item, item.outputs.slice(0, 1));
    return { item, poster };
  });
  return { items, pictures: pictures.slice(0, maxPictures) };
}

/** Names one image of a generation: the first by the generation's id, others by id and index from 1. */
export function pictureId(generationId: string, index: number): string {
  return index === 0 ? generationId : `${generationId}.${index}`;
}
