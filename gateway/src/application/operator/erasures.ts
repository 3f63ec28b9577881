import type { OperatorErasure } from '@framegate/contract/operator';
import type { Account } from '../../domain/accounts/account.ts';
import { isErased } from '../../domain/accounts/erasedResponse.ts';
import { sumTraces } from '../../domain/accounts/erasure.ts';
import { erasureDueAt } from '../../domain/accounts/erasureRequest.ts';
import { Refusal } from '../../domain/refusal.ts';
import { isoTime, isoTimeOrNull } from '../../domain/time/isoTime.ts';
import { requestErasure, withdrawErasureRequest } from '../accounts/erasureRequest.ts';
import type { Erasure } from '../ports/erasure.ts';
import { eraseAccount } from '../staff/accountActions.ts';
import { requireCustomer } from './accounts.ts';
import type { OperatorUseCases } from './operatorCall.ts';
import { writeOnce } from './writeOnce.ts';

export const erasureUseCases = {
  /**
   * Schedules the erasure of a customer, whom an email tells how to withdraw it; a second key begins it immediately.
   * Background work does it. A call for an account whose erasure has begun retries failed parts.
   */
  async eraseAccount(deps, { call, params: { account_id: accountId }, body: { reason } }) {
    await requireCustomer(deps, accountId);
    return writeOnce(deps, call, {
      status: 200,
      reason,
      present: ({ after }) => waiting(after) ?? begunErasure(after.id, deps.clock.now()),
      async runIfNeeded(database) {
        const account = await requireCustomer(deps, accountId);
        const requested = waiting(account);
        const by = account.erasureRequest?.by;
        if (
          isErased(account) ||
          (requested !== null && by !== undefined && by.keyId !== call.key.id)
        ) {
          await eraseAccount({ ...deps, database }, accountId);
          return undefined;
        }
        if (requested !== null && by !== undefined) return requested;
        const { language = 'en' } = await deps.notices.find(accountId);
        const { id: keyId, name } = call.key;
        await requestErasure({ ...deps, database }, accountId, { by: { keyId, name }, language });
        return undefined;
      },
    });
  },

  /** Withdraws an erasure that has not begun. @throws Refusal `account_not_found`, `erasure_not_found`. */
  async withdrawErasure(deps, { call, params: { account_id: accountId }, body: { reason } }) {
    await requireCustomer(deps, accountId);
    return writeOnce(deps, call, {
      status: 200,
      reason,
      present: ({ after }) => ({ ...nothing(after.id), state: 'withdrawn' }),
      async run(database) {
        if (await withdrawErasureRequest({ database, clock: deps.clock }, accountId)) return;
        throw new Refusal('erasure_not_found', {
          message: 'There is no erasure to withdraw: none is scheduled, or it has already started.',
        });
      },
    });
  },

  /** Reads the progress of an erasure, with its counts. @throws Refusal `account_not_found`, `erasure_not_found`. */
  async getErasure(deps, { params: { account_id: accountId } }) {
    const account = await requireCustomer(deps, accountId);
    const erasure = await deps.database.erasures.find(account.id);
    const response = erasure ? presentErasure(erasure) : waiting(account);
    if (response === null) throw new Refusal('erasure_not_found');
    return response;
  },
} satisfies Partial<OperatorUseCases>;

const nothing = (accountId: string) => ({
  object: 'erasure' as const,
  account_id: accountId,
  begins_at: null,
  started_at: null,
  done_at: null,
  checked_at: null,
  counts: [],
});

/** The response about an erasure that was asked for and has not begun; null without one. */
function waiting(account: Account): OperatorErasure | null {
  const beginsAt = erasureDueAt(account);
  if (beginsAt === null) return null;
  return { ...nothing(account.id), state: 'scheduled', begins_at: isoTime(beginsAt) };
}

const begunErasure = (accountId: string, startedAt: number): OperatorErasure => ({
  ...nothing(accountId),
  state: 'erasing',
  started_at: isoTime(startedAt),
});

function presentErasure(erasure: Erasure): OperatorErasure {
  const { id, doneAt, startedAt, checkedAt, count, traces } = erasure;
  return {
    ...begunErasure(id, startedAt),
    state: doneAt === null ? 'erasing' : 'erased',
    done_at: isoTimeOrNull(doneAt),
    checked_at: isoTimeOrNull(checkedAt),
    counts: [{ kind: 'generations', count }, ...sumTraces(traces)],
  };
}
