import { countedGroups } from '../../domain/addresses.ts';
import type { HttpContext } from '../context.ts';
import { refuse } from './serveFile.ts';

/** Concurrent answers per process for one client address; IPv6 counts by /64, and a /48 has ten times as many. */
export const maxPerAddress = 50;
/** Concurrent answers per process for one file: half of the concurrent reads. */
export const maxPerFile = 100;

/** Running media answers, limited so that a slow reader delays only itself. */
export interface AnswerLimits {
  /**
   * Counts an answer as running.
   * @param answer.address Null if addresses are not limited, as for providers.
   * @returns The idempotent function `leave`, or the limit that is reached.
   */
  enter(answer: {
    address: string | null;
    file: string;
  }): { ok: true; leave: () => void } | { ok: false; full: 'address' | 'file' };
}

/** Counts in memory. */
export function createAnswerLimits(): AnswerLimits {
  const counts = new Map<string, number>();
  const change = (name: string, by: number) => {
    const count = (counts.get(name) ?? 0) + by;
    if (count > 0) counts.set(name, count);
    else counts.delete(name);
  };
  return {
    enter({ address, file }) {
      const ofFile = `file ${file}`;
      const groups = address === null ? [] : countedGroups(address);
      const names = [ofFile];
      for (const { group, times } of groups) {
        const ofGroup = `address ${group}`;
        if ((counts.get(ofGroup) ?? 0) >= maxPerAddress * times) {
          return { ok: false, full: 'address' };
        }
        names.push(ofGroup);
      }
      if ((counts.get(ofFile) ?? 0) >= maxPerFile) return { ok: false, full: 'file' };
      for (const name of names) change(name, 1);
      return {
        ok: true,
        leave() {
          for (const name of names.splice(0)) change(name, -1);
        },
      };
    },
  };
}

/** `Retry-After` of 429 and 503, in seconds. */
const retryAfterSeconds = 5;

/** Counts the answer as running until the connection closes. @returns False after a refusal. */
export function enterAnswer(
  ctx: HttpContext,
  limits: AnswerLimits,
  answer: Parameters<AnswerLimits['enter']>[0],
): boolean {
  const place = limits.enter(answer);
  if (place.ok) {
    if (ctx.res.closed) place.leave();
    else ctx.res.once('close', place.leave);
    return true;
  }
  ctx.set('Retry-After', String(retryAfterSeconds));
  if (place.full === 'address') refuse(ctx, 429, 'Your address is loading too many files at once.');
  else refuse(ctx, 503, 'This file is being loaded too often at once.');
  return false;
}
