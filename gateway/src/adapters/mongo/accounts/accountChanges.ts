import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type AccountDecision,
  type ChangeAccount,
  DatabaseUnavailableError,
  NoSuchAccountError,
} from '../../../application/ports/database.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { isVersionConflict } from '../collections.ts';
import { isDatabaseTrouble, waitBeforeRetry } from '../errors.ts';
import { CommitUnknownError } from '../transactions.ts';
import { type AccountUnit, unitOf } from './accountUnit.ts';

/** Default time limit of a change, in ms. */
const defaultWithinMs = 4_000;
/** Maximum decisions about one account per write. */
const maxTogether = 32;
/** Maximum decisions queued per account; further changes are rejected. */
const maxWaiting = 1_000;
/** Pause after a collision between two units, in ms, so that other processes can write. */
const contendedMs = 1_000;

interface PendingDecision {
  decide: (account: Account) => Promise<AccountDecision<unknown>>;
  /** The change's deadline, by the monotonic clock. */
  until: number;
  /** Written alone, because a transaction shared with other accounts failed. */
  isAlone: boolean;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

/**
 * Makes `ChangeAccount`: one queue per account that is being changed. All waiting decisions are applied to the account
 * as last written by this process, and written as one unit; new ones gather meanwhile. The account's version guards
 * against other processes.
 * @param options.read Reads the majority-committed account.
 * @param options.commit Writes a unit in one attempt.
 */
export function createAccountChanges(options: {
  read: (accountId: string) => Promise<Account | null>;
  /**
   * Reads the newest account, not yet majority-committed: a write based on it reaches a majority only if it does.
   */
  findNewest: (accountId: string) => Promise<Account | null>;
  commit: (unit: AccountUnit) => Promise<void>;
}): ChangeAccount {
  const { read, findNewest, commit } = options;
  const queues = new Map<string, PendingDecision[]>();

  /** Works until the account's queue is empty. */
  async function work(accountId: string, queue: PendingDecision[]): Promise<void> {
    /** The latest state of the account that this process knows. */
    let latest: Account | null = null;
    let failures = 0;
    let contendedUntil = 0;
    while (queue.length > 0) {
      let batch: PendingDecision[] = [];
      try {
        // Decisions that wait for this read can still be abandoned; a decision being written cannot.
        latest ??= failures > 0 ? null : await read(accountId);
        // A newly created account may not have reached a majority.
        latest ??= await findNewest(accountId);
        batch = takeBatch(queue);
        if (batch.length === 0) continue;
        latest = await decideAndWrite(accountId, latest, batch);
        failures = 0;
        // Without a pause, the last writer would always be the first to write again.
        if (performance.now() < contendedUntil) await waitBeforeRetry(2);
      } catch (error) {
        latest = null;
        const isTransient =
          isVersionConflict(error) ||
          (isDatabaseTrouble(error) && !(error instanceof CommitUnknownError && error.isPending));
        if (isTransient) {
          queue.unshift(...batch);
          failures += 1;
          contendedUntil = performance.now() + contendedMs;
          await waitBeforeRetry(failures);
        } else if (batch.length === 0) {
          for (const { reject } of queue.splice(0)) reject(error);
        } else if (batch.length === 1) {
          batch[0]?.reject(error);
        } else if (error instanceof CommitUnknownError) {
          for (const { reject } of batch) reject(error);
        } else {
          // One decision is at fault, so each is written alone.
          for (const each of batch) each.isAlone = true;
          queue.unshift(...batch);
        }
      }
    }
    queues.delete(accountId);
  }

  /** @returns The account as written. */
  async function decideAndWrite(
    accountId: string,
    before: Account | null,
    batch: readonly PendingDecision[],
  ): Promise<Account> {
    if (!before) throw new NoSuchAccountError(accountId);
    let account = before;
    const decided: { pending: PendingDecision; decision: AccountDecision<unknown> }[] = [];
    for (const pending of batch) {
      try {
        const decision = await pending.decide(account);
        decided.push({ pending, decision });
        account = decision.after;
      } catch (error) {
        pending.reject(error);
      }
    }
    const unit = unitOf(
      before,
      decided.flatMap(({ decision }) => [...(decision.earlier ?? []), decision]),
    );
    if (unit) await commit(unit);
    for (const { pending, decision } of decided) pending.resolve(decision.result as never);
    return unit ? { ...account, version: before.version + 1 } : before;
  }

  return (accountId, decide, withinMs = defaultWithinMs) => {
    let over: NodeJS.Timeout | undefined;
    return new Promise<never>((resolve, reject) => {
      const queue = queues.get(accountId) ?? [];
      if (queue.length >= maxWaiting) {
        reject(new DatabaseUnavailableError(`too many changes of ${accountId} wait`));
        return;
      }
      const pending: PendingDecision = {
        // Runs in the caller's context, because a refusal is in the request's language.
        decide: AsyncLocalStorage.bind(async (account: Account) => decide(account)),
        until: performance.now() + withinMs,
        isAlone: false,
        resolve,
        reject,
      };
      over = setTimeout(() => giveUpWaiting(queue, pending), withinMs);
      queue.push(pending);
      if (queues.has(accountId)) return;
      queues.set(accountId, queue);
      void work(accountId, queue);
    }).finally(() => clearTimeout(over));
  };
}

const notInTime = () => new DatabaseUnavailableError('the account could not be changed in time');

/** Abandons a waiting decision whose deadline has passed. One being written gets its response from the write. */
function giveUpWaiting(queue: PendingDecision[], pending: PendingDecision): void {
  const at = queue.indexOf(pending);
  if (at < 0) return;
  queue.splice(at, 1);
  pending.reject(notInTime());
}

/** Takes the next decisions that can be written together, and abandons those past their deadline. */
function takeBatch(queue: PendingDecision[]): PendingDecision[] {
  const nowMs = performance.now();
  const batch: PendingDecision[] = [];
  while (queue[0] && batch.length < maxTogether && !(queue[0].isAlone && batch.length > 0)) {
    const pending = queue[0];
    queue.shift();
    if (pending.until <= nowMs) {
      pending.reject(notInTime());
      continue;
    }
    batch.push(pending);
    if (pending.isAlone) break;
  }
  return batch;
}
