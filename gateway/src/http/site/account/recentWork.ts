import {
  presentGeneration,
  presentPosters,
} from '../../../application/generations/presentGeneration.ts';
import type { HistoryItem } from '../../../application/ports/generations.ts';
import type { Account } from '../../../domain/account.ts';
import { shorten } from './generationSummary.ts';
import type { Site } from './site.ts';

/** Numbers of generations read, and pictures offered as inputs. */
const maxRead = 24;
const maxPictures = 6;

/** A finished picture of the account for use as an input. */
export interface OwnPicture {
  /** `ownPicture` finds it by this id. */
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
export async function findRecentWork(
  { deps, addresses }: Site,
  { id }: Account,
): Promise<RecentWork> {
  const now = deps.clock.now();
  const found = await deps.database.generations.newest(id, maxRead);
  const items = found.map((item) => {
    return { item, posters: presentPosters(item, addresses, now, 320) };
  });
  const pictures = items.flatMap(({ item, posters }) => {
    const urls = presentGeneration(item, addresses, now, null).output?.image_urls ?? [];
    const title = shorten(item.prompt);
    return urls.map((url, index): OwnPicture => {
      return { id: pictureId(item.id, index), url, poster: posters[index] ?? null, title, item };
    });
  });
  const shown = items.map(({ item, posters }) => ({ item, poster: posters[0] ?? null }));
  return { items: shown, pictures: pictures.slice(0, maxPictures) };
}

/** Names one image of a generation: the first by the generation's id, others by id and index from 1. */
export function pictureId(generationId: string, index: number): string {
  return index === 0 ? generationId : `${generationId}.${index}`;
}
