import { invalidFieldRefusal } from '../../domain/refusal.ts';

/** A time from a request, in ms since the epoch. @throws Refusal `invalid_request` for a nonexistent day. */
export function parseTime(param: string, text: string): number {
  const timeMs = Date.parse(text);
  // JavaScript parses 30 February as 2 March.
  const isItself =
    !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text.slice(0, 19));
  if (isItself) return timeMs;
  throw invalidFieldRefusal(param, 'invalid_value', `"${text}" is not a time.`);
}
