import type { OperatorScope } from '@framegate/contract';
import type { OperatorKey } from '../../domain/accounts/operatorKey.ts';
import { Refusal } from '../../domain/refusal.ts';

/** @throws Refusal `insufficient_scope` for a key without the scope. */
export function requireScope({ scopes }: Pick<OperatorKey, 'scopes'>, scope: OperatorScope): void {
  if (scopes.includes(scope)) return;
  throw new Refusal('insufficient_scope', {
    message: `The operator key lacks the scope ${scope}, which this operation needs.`,
  });
}
