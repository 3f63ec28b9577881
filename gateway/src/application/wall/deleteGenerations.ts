import pLimit from 'p-limit';
import { giveUpAfter } from '@framegate/limits';
import type { Account } from '../../domain/accounts/account.ts';
import { mayDoTo } from '../../domain/teams/ownWork.ts';
import type { App } from '../app.ts';
import { removeGenerationFiles } from '../generations/end/eraseGenerations.ts';
import { removeFramesOf } from '../studio/madeUploads.ts';

/** Generations whose files are removed in parallel, and the time limit for one generation's files, in ms. */
const maxAtOnce = 5;
const removalMs = 5_000;

/** The outcome of an owner's deletion, as numbers of generations. */
export interface DeletionCounts {
  deleted: number;
  /** Number of generations kept because they are unfinished. */
  unfinished: number;
  /** Number made by others and kept, because the person may delete only their own. */
  others: number;
}

/** A person in the account that they act for. */
export interface ActingPerson {
  account: Account;
  personId: string;
}

/**
 * Deletes ended generations for their owner: files, prompt and links are removed immediately. Record, ledger and charge
 * stay, as does the replayed response until its retention is over, because its Idempotency-Key must not buy twice.
 * Files that cannot be removed now are left to upkeep and cannot be loaded in the meantime.
 * @param selected Generations of other accounts are left unchanged.
 */
export async function deleteGenerations(
  deps: Pick<App, 'wall' | 'shares' | 'actor' | 'database' | 'media' | 'clock' | 'log'>,
  { account, personId }: ActingPerson,
  selected: readonly string[],
): Promise<DeletionCounts> {
  const { id: accountId } = account;
  const selectedLabels = await deps.database.generations.findLabels(accountId, selected);
  const own = selectedLabels.filter((each) => mayDoTo(account, personId, 'delete own work', each));
  const ids = own.map(({ id }) => id);
  const by = deps.actor.signature(deps.clock.now());
  await deps.shares.remove(accountId, ids, by);
  const deletedGenerations = await deps.wall.markDeleted(accountId, ids, by);
  const limit = pLimit(maxAtOnce);
  await Promise.all(
    deletedGenerations.map((generation) =>
      limit(async () => {
        try {
          await giveUpAfter(removalMs, removeGenerationFiles(deps.media, generation));
        } catch (error) {
          const generationId = generation.id;
          deps.log.warn({ generationId, error }, 'failed to remove files; upkeep will remove them');
        }
      }),
    ),
  );
  await removeFramesOf(deps, accountId, ids);
  const labels = await deps.database.generations.findLabels(accountId, ids);
  const unfinished = labels.filter(({ endedAt }) => endedAt === null).length;
  return {
    deleted: deletedGenerations.length,
    unfinished,
    others: selectedLabels.length - own.length,
  };
}
