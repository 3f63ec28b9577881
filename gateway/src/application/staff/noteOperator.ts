import type { Clock } from '../ports/clock.ts';
import type { Random } from '../ports/random.ts';
import type { AuditLog } from './ports.ts';
import type { OperatorAction } from './rights.ts';

/** Writes to the audit log what an operator did about an account of staff, from outside the console. */
export async function noteOperator(
  { audit, clock, random }: { audit: Pick<AuditLog, 'begin'>; clock: Clock; random: Random },
  action: OperatorAction,
  accountId: string,
  result: string,
): Promise<void> {
  await audit.begin({
    ...{ id: random.newId('aud'), at: clock.now(), accountId: 'operator', email: 'operator' },
    ...{ role: 'operator', action, targets: [accountId], reason: '', outcome: 'done', result },
    ...{ requestId: random.newId('req'), address: 'command line', formId: null },
  });
}
