import type { OperatorErasure, ReasonBody } from '@framegate/contract/operator';
import { isErased } from '../../domain/erasedAnswer.ts';
import { sumTraces } from '../../domain/erasure.ts';
import { Refusal } from '../../domain/refusal.ts';
import { dayMs } from '../../domain/utcDay.ts';
import { DuplicateValue } from '../ports/database.ts';
import type { Erasure } from '../ports/erasure.ts';
import { eraseAccount } from '../staff/accountActions.ts';
import { requireCustomer } from './accounts.ts';
import type { OperatorAnswer, OperatorDeps, OperatorWriteCall } from './operatorDeps.ts';
import { isoTime, isoTimeOrNull } from './present.ts';
import { writeOnce } from './writeOnce.ts';

/** How long an erasure waits that one key alone asked for, in ms. */
const waitMs = dayMs;

/**
 * Schedules the erasure of a customer; a second key begins it at once. Background work does it. A call for an account
 * whose erasure has begun retries failed parts.
 */
export async function eraseCustomer(
  deps: OperatorDeps,
  call: OperatorWriteCall,
  accountId: string,
  { reason }: ReasonBody,
): Promise<OperatorAnswer> {
  await requireCustomer(deps, accountId);
  const { erasures } = deps.database;
  return writeOnce(deps, call, {
    status: 200,
    reason,
    present: ({ after }) => begun(after.id, deps.clock.now()),
    async run(database, record) {
      const account = await requireCustomer(deps, accountId);
      const known = await erasures.find(accountId);
      const scheduled = known?.scheduled ?? null;
      if (isErased(account) || (scheduled !== null && scheduled.keyId !== call.key.id)) {
        await eraseAccount({ work: { ...deps.work, database } }, accountId);
        return undefined;
      }
      if (known !== null) return presentErasure(known);
      const askedAt = deps.clock.now();
      const { id: keyId, name } = call.key;
      const erasure = {
        accountId,
        askedAt,
        beginsAt: askedAt + waitMs,
        scheduled: { keyId, by: `operator key ${name}` },
      };
      try {
        await erasures.schedule(erasure, record(accountId, waiting(accountId, erasure.beginsAt)));
        return undefined;
      } catch (error) {
        if (!(error instanceof DuplicateValue)) throw error;
        // Another call scheduled it meanwhile.
        return getErasure(deps, accountId);
      }
    },
  });
}

/** Withdraws an erasure that has not begun. @throws Refusal `account_not_found`, `erasure_not_found` */
export async function withdrawErasure(
  deps: OperatorDeps,
  call: OperatorWriteCall,
  accountId: string,
  { reason }: ReasonBody,
): Promise<OperatorAnswer> {
  await requireCustomer(deps, accountId);
  return writeOnce(deps, call, {
    status: 200,
    reason,
    present: () => null,
    async run(_database, record) {
      const records = record(accountId, { ...nothing(accountId), state: 'withdrawn' });
      if (await deps.database.erasures.withdraw(accountId, records)) return undefined;
      throw new Refusal('erasure_not_found', {
        message: 'No erasure of this account waits: nobody asked for one, or it has begun.',
      });
    },
  });
}

/** Reads the progress of an erasure, with its counts. @throws Refusal `account_not_found`, `erasure_not_found` */
export async function getErasure(deps: OperatorDeps, accountId: string): Promise<OperatorErasure> {
  const { id } = await requireCustomer(deps, accountId);
  const erasure = await deps.database.erasures.find(id);
  if (erasure === null) throw new Refusal('erasure_not_found');
  return presentErasure(erasure);
}

const nothing = (accountId: string) => ({
  object: 'erasure' as const,
  account_id: accountId,
  erased: false,
  begins_at: null,
  started_at: null,
  done_at: null,
  checked_at: null,
  counts: [],
});

const waiting = (accountId: string, beginsAt: number): OperatorErasure => ({
  ...nothing(accountId),
  state: 'scheduled',
  begins_at: isoTime(beginsAt),
});

const begun = (accountId: string, startedAt: number): OperatorErasure => ({
  ...nothing(accountId),
  state: 'erasing',
  started_at: isoTime(startedAt),
});

function presentErasure(erasure: Erasure): OperatorErasure {
  const { id, doneAt, dueAt, startedAt, checkedAt, count, traces, scheduled } = erasure;
  if (scheduled !== null) return waiting(id, dueAt ?? startedAt);
  return {
    ...begun(id, startedAt),
    state: doneAt === null ? 'erasing' : 'erased',
    erased: doneAt !== null,
    done_at: isoTimeOrNull(doneAt),
    checked_at: isoTimeOrNull(checkedAt),
    counts: [{ kind: 'generations', count }, ...sumTraces(traces)],
  };
}
