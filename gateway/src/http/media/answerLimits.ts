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
   * Counts an answer as running. Where a file has no place left, an address with at least two answers fewer than
   * another ends that one's oldest: addresses take turns.
   * @param answer.address Null if addresses are not limited, as for providers.
   * @param answer.end Closes the answer's connection.
   * @returns The idempotent function `leave`, or the limit that is reached.
   */
  enter(answer: {
    address: string | null;
    file: string;
    end: () => void;
  }): { ok: true; leave: () => void } | { ok: false; full: 'address' | 'file' };
}

/** Counts in memory. */
export function createAnswerLimits(): AnswerLimits {
  const ofAddress = new Map<string, number>();
  /** By file and widest address group, oldest first. */
  const ofFile = new Map<string, Map<string, Set<() => void>>>();
  const change = (name: string, by: number) => {
    const count = (ofAddress.get(name) ?? 0) + by;
    if (count > 0) ofAddress.set(name, count);
    else ofAddress.delete(name);
  };
  return {
    enter({ address, file, end }) {
      const groups = address === null ? [] : countedGroups(address);
      const isFull = groups.some(
        ({ group, times }) => (ofAddress.get(group) ?? 0) >= maxPerAddress * times,
      );
      if (isFull) return { ok: false, full: 'address' };
      const readers = ofFile.get(file) ?? new Map<string, Set<() => void>>();
      const own = groups.at(-1)?.group ?? '';
      const all = [...readers.values()];
      if (all.reduce((sum, { size }) => sum + size, 0) >= maxPerFile) {
        const most = all.reduce((first, second) => (second.size > first.size ? second : first));
        if (most.size < (readers.get(own)?.size ?? 0) + 2) return { ok: false, full: 'file' };
        // It leaves when its connection closes, but its place is taken now.
        const [oldest] = most;
        if (oldest) most.delete(oldest);
        oldest?.();
      }
      const ends = readers.get(own) ?? new Set();
      ofFile.set(file, readers.set(own, ends.add(end)));
      for (const { group } of groups) change(group, 1);
      let hasLeft = false;
      return {
        ok: true,
        leave() {
          if (hasLeft) return;
          hasLeft = true;
          for (const { group } of groups) change(group, -1);
          // An answer that was ended has given its place away.
          if (ends.delete(end) && ends.size === 0) readers.delete(own);
          if (readers.size === 0) ofFile.delete(file);
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
  answer: Omit<Parameters<AnswerLimits['enter']>[0], 'end'>,
): boolean {
  const place = limits.enter({ ...answer, end: () => ctx.res.destroy() });
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
