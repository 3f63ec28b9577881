import type { Log } from '@framegate/contract';
import type { WorkSlots } from '../../application/workKinds.ts';
import type { ShownFile, ShownMedia, Showpiece } from '../../domain/brand/showpiece.ts';
import type { HttpMiddleware } from '../context.ts';
import { fileResponses } from './fileResponses.ts';

/** URL of a picture or clip for pages. The path of a file contains its hash, so it can be cached for a year. */
export const shownAt = (media: ShownMedia): string =>
  typeof media === 'string' ? media : `/site/showpieces/${media.hash}.${media.extension}`;

/** Origins of the pictures or clips on other hosts, for the policy of a page. */
export const shownOrigins = (all: readonly (ShownMedia | null)[]): string[] => [
  ...new Set(all.flatMap((each) => (typeof each === 'string' ? [new URL(each).origin] : []))),
];

/** Serves the files of showpieces. */
export function showpieceResponses(
  showpieces: readonly Showpiece[],
  deps: { log: Pick<Log, 'warn'>; slots: WorkSlots },
): HttpMiddleware {
  const all = showpieces.flatMap(({ picture, clip }) => [picture, clip ?? []].flat());
  const files = all.flatMap((each): [string, ShownFile][] =>
    typeof each === 'string' ? [] : [[shownAt(each), each]],
  );
  return fileResponses(new Map(files), deps);
}
