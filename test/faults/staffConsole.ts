import type { App } from '../../gateway/src/application/app.ts';
import type { FaultPoint } from '../../gateway/src/application/ports/system.ts';
import { giveGoodwill } from '../../gateway/src/application/staff/accountActions.ts';
import { failAndRefund, runNow } from '../../gateway/src/application/staff/generationActions.ts';
import { resolveUnknown } from '../../gateway/src/application/staff/resolveUnknown.ts';
import { runAction } from '../../gateway/src/application/staff/runAction.ts';
import { Refusal } from '../../gateway/src/domain/refusal.ts';
import type { Gateway } from '../../gateway/src/gateway.ts';
import { describeRefusal } from '../../gateway/src/texts/describeRefusal.ts';
import { actor, openStaff } from '../staff/openStaff.ts';
import type { StaffCommand } from './faultCommands.ts';

/** Credits of one goodwill grant, and of one adjustment. */
export const goodwillCredits = 7;
export const adjustmentCredits = 5;

/** The staff console in a gateway process that can be killed during an action. */
export function createStaffConsole(
  gateway: Gateway,
  die: (point: string) => void | Promise<void>,
): { act(command: StaffCommand): Promise<string> } {
  let dies: StaffCommand['dies'] = null;
  const reachFaultPoint = (point: FaultPoint) => (point === dies ? die(point) : undefined);
  const opened = openStaff(
    { ...gateway.database, random: gateway.random, env: definedEnv() },
    reachFaultPoint,
  );
  return {
    async act(command) {
      const { staff } = await opened;
      dies = command.dies;
      if (typeof dies === 'number') setTimeout(() => void die('a moment of the console'), dies);
      const { action, generationId, accountId, formId, number } = command;
      const plan = { action, targets: [generationId], reason: 'a crash', formId };
      try {
        return await runAction(staff, actor, plan, () => perform(staff, command));
      } catch (error) {
        if (error instanceof Refusal) return `refused: ${describeRefusal(error)}`;
        return `broke: ${number} for ${accountId}: ${String(error)}`;
      } finally {
        dies = null;
      }
    },
  };
}

function perform(staff: App, command: StaffCommand): Promise<string> {
  const { generationId, accountId, operation, formId } = command;
  const { email: by, role, requestId } = actor;
  const why = { by, reason: 'a crash' };
  switch (command.action) {
    case 'poll now':
      return runNow(staff, generationId, by);
    case 'fail and refund':
      return failAndRefund(staff, generationId, why);
    case 'resolve unknown': {
      const finding = { isAtProvider: true, operation, adjustment: adjustmentCredits };
      return resolveUnknown(staff, { generationId, role, requestId, ...finding, ...why });
    }
    case 'goodwill credits': {
      const reason = `form ${String(formId)}`;
      return giveGoodwill(staff, {
        accountId,
        amount: goodwillCredits,
        reason,
        by: { role, email: by },
      });
    }
  }
}

function definedEnv(): Record<string, string> {
  const given = Object.entries(process.env);
  return Object.fromEntries(
    given.filter((each): each is [string, string] => each[1] !== undefined),
  );
}
