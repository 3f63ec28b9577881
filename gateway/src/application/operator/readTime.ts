import { invalidRequest } from '../../domain/refusal.ts';

/** A time of a request, in ms since the epoch. @throws Refusal `invalid_request` for a day that does not exist. */
export function requireTime(param: string, text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw invalidRequest([{ param, code: 'invalid_value', message: `"${text}" is not a time.` }]);
}
