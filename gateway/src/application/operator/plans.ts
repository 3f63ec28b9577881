import type { OperatorPlan } from '@framegate/contract/operator';
import type { Account } from '../../domain/accounts/account.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { changePlan, endPlan, startPlan } from '../credits/plans.ts';
import type { Database } from '../ports/database.ts';
import { requireCustomer } from './accounts.ts';
import { reserveDailyCredits } from './dailyCredits.ts';
import type { OperatorResponse, OperatorUseCases, OperatorWriteCall } from './operatorCall.ts';
import { parseTime } from './parseTime.ts';
import { presentPlan } from './present.ts';
import { writeOnce } from './writeOnce.ts';

export const planUseCases = {
  /** The latest plan of an account. @throws Refusal `account_not_found`, `plan_not_found`. */
  async getPlan(deps, { params: { account_id: accountId } }) {
    return planOf(await requireCustomer(deps, accountId));
  },

  /** Starts a plan, with its first credits unless it starts later. */
  startPlan(
    deps,
    {
      call,
      params: { account_id: accountId },
      body: { name, credits, starts_at: startsAt, reason },
    },
  ) {
    const command = {
      accountId,
      name,
      credits,
      startsAt: startsAt === undefined ? null : parseTime('starts_at', startsAt),
    };
    return writePlan(deps, call, { accountId, status: 201, reason, credits }, (database) =>
      startPlan({ ...deps, database }, command),
    );
  },

  /** Changes a plan from the next month. */
  changePlan(deps, { call, params: { account_id: accountId }, body: { reason, ...change } }) {
    const { credits = 0 } = change;
    return writePlan(deps, call, { accountId, status: 200, reason, credits }, (database) =>
      changePlan({ database }, { accountId, ...change }),
    );
  },

  /** Ends a plan; credits already granted stay until they expire. */
  endPlan(deps, { call, params: { account_id: accountId }, body: { reason } }) {
    return writePlan(deps, call, { accountId, status: 200, reason, credits: 0 }, (database) =>
      endPlan({ ...deps, database }, accountId),
    );
  },
} satisfies Partial<OperatorUseCases>;

function planOf({ id, plan }: Account): OperatorPlan {
  if (plan === undefined) throw new Refusal('plan_not_found');
  return presentPlan(id, plan);
}

/** @param write.credits Monthly credits that the key decides about. */
async function writePlan(
  deps: App,
  call: OperatorWriteCall,
  {
    accountId,
    credits,
    ...write
  }: { accountId: string; status: number; reason: string | undefined; credits: number },
  run: (database: Database) => Promise<unknown>,
): Promise<OperatorResponse> {
  await requireCustomer(deps, accountId);
  return writeOnce(deps, call, {
    ...write,
    present: ({ after }) => planOf(after),
    run: (database) =>
      reserveDailyCredits(deps, call, { credits }, async () => {
        await run(database);
        return undefined;
      }),
  });
}
