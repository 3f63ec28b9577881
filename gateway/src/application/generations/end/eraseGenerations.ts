import { giveUpAfter } from '@framegate/limits';
import type { MediaStore } from '@framegate/media';
import { sumTraces } from '../../../domain/accounts/erasure.ts';
import type { Generation } from '../../../domain/generations/generation.ts';
import {
  possibleArrivedKeys,
  possibleInputKeys,
  possibleOutputKeys,
} from '../../../domain/generations/mediaFiles.ts';
import { dayOf } from '../../../domain/time/utcDay.ts';
import { forgetErasedPerson } from '../../accounts/forgetPerson.ts';
import type { AppCore } from '../../app.ts';
import type { Erasure, ErasureLease } from '../../ports/erasure.ts';

/** Generations read per page, and generations whose files are deleted in parallel. */
const pageSize = 200;
const maxAtOnce = 10;
/** Timeout for removing one generation's files, in ms. */
const removalMs = 15_000;

type ErasingDeps = Pick<AppCore, 'media' | 'database' | 'clock' | 'log'>;

/**
 * Erases the traces of erased persons and the personal data in their generations, alternating between accounts page by
 * page, until nothing is due or the signal stops it. Files are deleted first; then the page's marks are written
 * together with the progress, from which the next process continues. A generation whose files cannot be deleted is
 * retried later and delays no other.
 * @param accountId Limits the work to this account.
 */
export async function eraseGenerations(
  deps: ErasingDeps,
  signal: AbortSignal,
  accountId?: string,
): Promise<void> {
  const { erasures } = deps.database;
  while (!signal.aborted) {
    const lease = await erasures.acquireLease(accountId);
    if (!lease) return;
    try {
      if (!lease.areTracesGone) await forgetErasedPerson(deps, lease);
      else await erasePage(deps, lease, signal);
    } catch (error) {
      // Retried once its lease has expired.
      deps.log.warn({ error, accountId: lease.id }, 'erasure was interrupted and will be resumed');
    }
  }
}

/** Erases the next page of one account, or as much of it as time allows. */
async function erasePage(
  { database: { erasures }, media, log }: ErasingDeps,
  lease: ErasureLease,
  signal: AbortSignal,
): Promise<void> {
  const { generations, lastId } = await erasures.loadPage(lease, pageSize);
  if (lastId === null) return erasures.endPass(lease);
  const erased: string[] = [];
  let failed = 0;
  for (let first = 0; first < generations.length; first += maxAtOnce) {
    const some = generations.slice(first, first + maxAtOnce);
    const deleted = await Promise.allSettled(
      some.map((each) => giveUpAfter(removalMs, removeGenerationFiles(media, each))),
    );
    erased.push(
      ...some.flatMap(({ id }, index) => (deleted[index]?.status === 'fulfilled' ? [id] : [])),
    );
    const failures = deleted.flatMap((each) =>
      each.status === 'rejected' ? [each.reason as unknown] : [],
    );
    failed += failures.length;
    if (failures.length > 0) {
      const details = { accountId: lease.id, failed: failures.length, error: failures[0] };
      log.warn(details, 'failed to erase files; retrying later');
    }
    const after = some.at(-1)?.id ?? lastId;
    if (signal.aborted) return erasures.record(lease, { erased, failed, after });
  }
  await erasures.record(lease, { erased, failed, after: lastId });
}

/** Deletes every possible file of a generation, recorded or not. */
export async function removeGenerationFiles(
  media: Pick<MediaStore, 'delete'>,
  generation: Generation,
): Promise<void> {
  const recorded = [...(generation.storedInputs ?? []), ...generation.outputs];
  const possible = [
    ...possibleInputKeys(generation),
    ...possibleArrivedKeys(generation),
    ...possibleOutputKeys(generation),
  ];
  for (const key of new Set([...recorded.map((each) => each.key), ...possible])) {
    await media.delete(key);
  }
}

/** The progress of an erasure as a sentence, with the counts of its receipt. */
export function describeErasure(erasure: Erasure): string {
  const { count, traces, doneAt, checkedAt, foundAt } = erasure;
  const generations = `${count} generation${count === 1 ? '' : 's'}`;
  const others = sumTraces(traces).map((each) => `${each.count} ${each.kind}`);
  const removedText = [generations, ...others].join(', ');
  if (doneAt === null) return `Erasing: ${removedText} so far.`;
  const search =
    checkedAt === null
      ? 'The nightly search has not run yet.'
      : `The search on ${dayOf(checkedAt)} found nothing more.`;
  const foundText =
    foundAt === null ? '' : ` Remaining data was found on ${dayOf(foundAt)} and erased.`;
  return `Erased on ${dayOf(doneAt)}: ${removedText}. ${search}${foundText}`;
}
