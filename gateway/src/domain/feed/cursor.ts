import { Refusal } from '../refusal.ts';
import { type FeedPoint, feedStart, parsePoint } from './feedEpochs.ts';

/**
 * The cursor of a page, opaque to callers. It names its list, so that another list's cursor is refused instead of
 * silently skipping or repeating entries.
 */
export function formatCursor(list: string, at: string): string {
  return Buffer.from(`${list} ${at}`).toString('base64url');
}

/** The position in this list encoded in a cursor. @throws Refusal `cursor_invalid`. */
export function parseCursor(list: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const blank = text.indexOf(' ');
  const at = text.slice(blank + 1);
  if (blank > 0 && text.slice(0, blank) === list && formatCursor(list, at) === cursor) return at;
  throw new Refusal('cursor_invalid', { param: 'after' });
}

/** Like `parseCursor`, for a list ordered by whole numbers; 0 is its start. @throws Refusal `cursor_invalid`. */
export function parseNumberCursor(list: string, cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const at = parseCursor(list, cursor);
  if (/^\d{1,15}$/.test(at)) return Number(at);
  throw new Refusal('cursor_invalid', { param: 'after' });
}

/** Like `parseCursor`, for a feed. @throws Refusal `cursor_invalid`. */
export function parseFeedCursor(list: string, cursor: string | undefined): FeedPoint {
  if (cursor === undefined) return feedStart;
  const point = parsePoint(parseCursor(list, cursor));
  if (point !== null) return point;
  throw new Refusal('cursor_invalid', { param: 'after' });
}
