import { sum } from '@framegate/contract';
import type { WorkSlots } from '../../application/workKinds.ts';
import { countedGroups } from '../../domain/network/addresses.ts';
import { NoSlotRefusal, runInSlot } from '../atWork.ts';
import type { HttpContext } from '../context.ts';
import { headersOf } from '../respondToErrors.ts';
import { sendRefusal } from './serveFile.ts';

/** Concurrent responses per process for one file: half of the concurrent reads. */
export const maxPerFile = 100;

/** Running responses of each file, limited so that a slow reader delays only itself. */
export interface FileReaders {
  /**
   * Counts a response as running. If a file has no slot left, an address with at least two responses fewer than
   * another ends that one's oldest: addresses take turns.
   * @param response.address Null if addresses are not counted, as for providers.
   * @param response.end Closes the response's connection.
   * @returns The idempotent function that ends it; null without a slot.
   */
  enter(response: { address: string | null; file: string; end: () => void }): (() => void) | null;
}

/** Counts in memory. */
export function createFileReaders(): FileReaders {
  /** Responses by file and widest address group, oldest first. */
  const ofFile = new Map<string, Map<string, Set<() => void>>>();
  return {
    enter({ address, file, end }) {
      const readers = ofFile.get(file) ?? new Map<string, Set<() => void>>();
      const own = address === null ? '' : (countedGroups(address).at(-1)?.group ?? '');
      const all = [...readers.values()];
      if (sum(all.map(({ size }) => size)) >= maxPerFile) {
        const max = all.reduce((first, second) => (second.size > first.size ? second : first));
        if (max.size < (readers.get(own)?.size ?? 0) + 2) return null;
        // It leaves when its connection closes, but its slot is taken now.
        const [oldest] = max;
        if (oldest) max.delete(oldest);
        oldest?.();
      }
      const ends = readers.get(own) ?? new Set();
      ofFile.set(file, readers.set(own, ends.add(end)));
      return () => {
        // An ended response has lost its slot.
        if (ends.delete(end) && ends.size === 0) readers.delete(own);
        if (readers.size === 0) ofFile.delete(file);
      };
    },
  };
}

/** `Retry-After` of 503 for a file, in seconds. */
const retryAfterSeconds = 5;

/**
 * Sends a file in a slot of its address and one of the file, which are kept until the connection closes. Refusals
 * are plain text.
 * @param response.address Null if addresses are not counted.
 */
export async function sendInSlot(
  ctx: HttpContext,
  { slots, readers }: { slots: WorkSlots; readers: FileReaders },
  { address, file }: { address: string | null; file: string },
  send: () => Promise<unknown>,
): Promise<void> {
  const begin = async () => {
    const leave = readers.enter({ address, file, end: () => ctx.res.destroy() });
    if (leave === null) {
      ctx.set('Retry-After', String(retryAfterSeconds));
      sendRefusal(ctx, 503, 'This file is being downloaded too many times at once.');
      return;
    }
    if (ctx.res.closed) leave();
    else ctx.res.once('close', leave);
    await send();
  };
  if (address === null) {
    await begin();
    return;
  }
  try {
    await runInSlot(ctx, slots, { kind: 'download', caller: countedGroups(address) }, begin);
  } catch (error) {
    if (!(error instanceof NoSlotRefusal)) throw error;
    ctx.set(headersOf(error));
    sendRefusal(ctx, 503, 'Too many files are being downloaded at once.');
  }
}
